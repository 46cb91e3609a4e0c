import { Agent, request } from 'undici';
import type { FetchLike } from './library.ts';

/** An order of a bot that was quiet for so long finds its connection open; then the venue has ended it itself. */
const IDLE_MS = 60_000;

const lines = new Agent({ keepAliveTimeout: IDLE_MS, autoSelectFamily: true });

/**
 * Sends a request on a connection that is kept. Without the streams and objects of `fetch` it leaves in half of the time,
 * which an order waits for. A redirect is an answer like any other: nothing that is signed goes to somebody else.
 */
export const overKeptLines: FetchLike = async (url, { method, headers, body, signal }) => {
  const answer = await request(url, {
    dispatcher: lines,
    method: method as 'GET',
    headers,
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
  });
  const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    status: answer.statusCode,
    statusText: '',
    headers: new Headers(told),
    text: () => answer.body.text(),
  };
};
