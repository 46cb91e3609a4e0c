import type { PublicStream, StreamEvent } from '../exchange.ts';
import type { StreamConfig } from '../venue/streamConfig.ts';
import { type MexcConnection, openMexcConnection } from './marketConnection.ts';

/**
 * Opens the market streams of MEXC spot, on as many connections as their number needs. The listener sees one stream:
 * connected when all connections are open, lost when any is lost.
 */
export function openMexcStream(config: StreamConfig, listener: (event: StreamEvent) => void): PublicStream {
  const connections: MexcConnection[] = [];
  let isClosed = false;
  /** Connections that are lost or lack a subscription. */
  const lost = new Set<MexcConnection>();
  /** Whether the stream was last reported as connected. */
  let isConnected = false;

  /** Reports the stream as connected when all of its connections are open, and none lacks a subscription. */
  function reportConnected(): void {
    if (isClosed || connections.length === 0 || lost.size > 0 || !connections.every(({ isOpen }) => isOpen)) return;
    isConnected = true;
    listener({ type: 'connected' });
  }

  function open(): MexcConnection {
    const connection: MexcConnection = openMexcConnection(config, {
      onConnected() {
        lost.delete(connection);
        reportConnected();
      },
      onSubscribed() {
        // A refused subscription may have been accepted.
        if (lost.delete(connection)) reportConnected();
      },
      onLost(error) {
        if (isClosed) return;
        lost.add(connection);
        isConnected = false;
        listener({ type: 'lost', error });
      },
      onEvent(event) {
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
      // MEXC closes connections without a subscription.
      for (const connection of connections.filter(({ isEmpty }) => isEmpty)) {
        connections.splice(connections.indexOf(connection), 1);
        connection.close();
      }
      // A lost connection, a refused channel, or a connection that is not open yet may be among them.
      const isOver = (connection: MexcConnection) => !connections.includes(connection) || connection.isSubscribed;
      for (const connection of [...lost].filter(isOver)) lost.delete(connection);
      if (!isConnected) reportConnected();
    },
    reconnect() {
      for (const connection of connections) connection.reconnect();
    },
    async close() {
      isClosed = true;
      for (const connection of connections) connection.close();
    },
  };
}
