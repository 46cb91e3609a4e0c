import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Result of a load test. */
export type Load = {
  /** Responses a second. */
  readonly rate: number;
  /** Times from the first byte sent to the last one read, in ms. */
  readonly p50: number;
  readonly p99: number;
  readonly answers: number;
};

/**
 * Sends requests over keep-alive connections, each as soon as the last response has arrived. It implements HTTP/1.1
 * itself, because the client of Node would take more processor time than the server under test.
 *
 * @param next returns the whole next request
 * @param expected beginning of every response
 */
export async function loadHttp(
  url: string,
  load: { connections: number; seconds: number; expected: string; next(): string },
): Promise<Load> {
  const { hostname, port } = new URL(url);
  const times: number[] = [];
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const began = performance.now();
  const until = began + load.seconds * 1_000;
  await Promise.all(sockets.map((socket) => keepAsking(socket, { ...load, until, times })));
  const seconds = (performance.now() - began) / 1_000;
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  return { rate: times.length / seconds, p50: at(0.5), p99: at(0.99), answers: times.length };
}

function keepAsking(
  socket: Socket,
  load: { expected: string; until: number; times: number[]; next(): string },
): Promise<void> {
  const done = Promise.withResolvers<void>();
  let sent = 0;
  let text = '';
  const ask = () => {
    sent = performance.now();
    socket.write(load.next());
  };
  socket.setEncoding('latin1');
  socket.on('error', done.reject);
  socket.on('close', () => done.reject(new Error('the server has closed a connection')));
  socket.on('data', (chunk: string) => {
    text += chunk;
    const end = endOf(text);
    if (end === null || text.length < end) return;
    if (!text.startsWith(load.expected)) return done.reject(new Error(`an answer that was not expected: ${text}`));
    text = '';
    const now = performance.now();
    load.times.push(now - sent);
    if (now < load.until) return ask();
    done.resolve();
    socket.destroy();
  });
  ask();
  return done.promise;
}

/** Returns the end of a response, or null while its headers are incomplete. */
function endOf(text: string): number | null {
  const headers = text.indexOf('\r\n\r\n');
  if (headers < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headers))?.[1];
  if (length === undefined) throw new Error('a response has no Content-Length');
  return headers + 4 + Number(length);
}
