import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type Dispatcher, request } from 'undici';

/** A request as an adapter makes it. */
export interface RestRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** The parts of a response that an adapter reads. */
export type RestAnswer = Pick<Response, 'status' | 'statusText' | 'headers' | 'text'>;

/** Larger responses are refused: the list of all pairs of an exchange has some ten million characters. */
const MAX_BYTES = 128 * 1024 * 1024;

const DECODERS: Readonly<Record<string, (bytes: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Sends a request without the streams and objects of `fetch`: it leaves in half of the time, which an order waits for. A
 * redirect is a response like any other: nothing that is signed goes to another address.
 *
 * @throws ConnectionFailed when no connection could be made, anything else after that
 */
export async function sendRequest(dispatcher: Dispatcher, url: string, init: RestRequest): Promise<RestAnswer> {
  const { method, headers, body, signal } = init;
  const answer = await request(url, {
    dispatcher,
    method: method as 'GET',
    headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
  });
  const headerEntries = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const decode = DECODERS[String(answer.headers['content-encoding'] ?? '')];
  return {
    status: answer.statusCode,
    statusText: '',
    headers: new Headers(headerEntries),
    text: async () => {
      if (decode === undefined) return answer.body.text();
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      return (await decode(bytes, { maxOutputLength: MAX_BYTES })).toString();
    },
  };
}
