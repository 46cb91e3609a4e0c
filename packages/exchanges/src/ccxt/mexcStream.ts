import type { PublicStream, StreamEvent } from '../exchange.ts';
import { type MexcLine, openMexcLine } from './mexcLine.ts';
import type { StreamConfig } from './streamConfig.ts';

/**
 * All streams of MEXC spot, on as many connections as their number needs. For the listener they are one: connected when
 * all of them are, and lost with any.
 */
export function openMexcStream(config: StreamConfig, listener: (event: StreamEvent) => void): PublicStream {
  const lines: MexcLine[] = [];
  let isClosed = false;

  function open(): MexcLine {
    const line = openMexcLine(config, {
      connected() {
        if (!isClosed && lines.every(({ isOpen }) => isOpen)) listener({ type: 'connected' });
      },
      lost(error) {
        if (!isClosed) listener({ type: 'lost', error: config.errorOf(error) });
      },
      tell(event) {
        if (!isClosed) listener(event);
      },
    });
    lines.push(line);
    return line;
  }

  return {
    watch(channels) {
      for (const channel of channels) {
        if (lines.some((line) => line.has(channel)) || lines.some((line) => line.add(channel))) continue;
        open().add(channel);
      }
    },
    unwatch(channels) {
      for (const channel of channels) lines.find((line) => line.has(channel))?.remove(channel);
      // one that listens to nothing would be closed by the venue
      for (const line of lines.filter(({ isEmpty }) => isEmpty)) {
        lines.splice(lines.indexOf(line), 1);
        void line.close();
      }
    },
    reconnect() {
      for (const line of lines) line.reconnect();
    },
    async close() {
      isClosed = true;
      await Promise.all(lines.map((line) => line.close()));
    },
  };
}
