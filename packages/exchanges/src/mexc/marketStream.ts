import type { PublicStream, StreamEvent } from '../exchange.ts';
import type { StreamConfig } from '../venue/streamConfig.ts';
import { type MexcConnection, openMexcConnection } from './marketConnection.ts';

/**
 * All streams of MEXC spot, on as many connections as their number needs. For the listener they are one: connected when
 * all of them are, and lost with any.
 */
export function openMexcStream(config: StreamConfig, listener: (event: StreamEvent) => void): PublicStream {
  const connections: MexcConnection[] = [];
  let isClosed = false;

  function open(): MexcConnection {
    const connection = openMexcConnection(config, {
      connected() {
        if (!isClosed && connections.every(({ isOpen }) => isOpen)) listener({ type: 'connected' });
      },
      lost(error) {
        if (!isClosed) listener({ type: 'lost', error: config.errorOf(error) });
      },
      emit(event) {
        if (!isClosed) listener(event);
      },
    });
    connections.push(connection);
    return connection;
  }

  return {
    watch(channels) {
      for (const channel of channels) {
        if (
          connections.some((connection) => connection.has(channel)) ||
          connections.some((connection) => connection.add(channel))
        )
          continue;
        open().add(channel);
      }
    },
    unwatch(channels) {
      for (const channel of channels) connections.find((connection) => connection.has(channel))?.remove(channel);
      // one that listens to nothing would be closed by the venue
      for (const connection of connections.filter(({ isEmpty }) => isEmpty)) {
        connections.splice(connections.indexOf(connection), 1);
        void connection.close();
      }
    },
    reconnect() {
      for (const connection of connections) connection.reconnect();
    },
    async close() {
      isClosed = true;
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
