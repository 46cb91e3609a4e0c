import type { IncomingMessage } from 'node:http';
import { refuse } from './errors.ts';
import { Parameters } from './parameters.ts';

/** Longest body of a request in bytes; no order needs a tenth of it. */
const BODY_BYTES = 32 * 1024;

/** A request as Binance reads it: parameters may lie in the query, in the body, or in both. */
export type BinanceRequest = {
  path: string;
  parameters: Parameters;
  /** the text that was signed */
  payload: string;
  apiKey: string | undefined;
};

/** @throws BinanceError on a body that is too long, broken escapes or repeated names */
export async function readRequest(request: IncomingMessage): Promise<BinanceRequest> {
  const text = await readBody(request);
  const [path, query] = splitOnce(request.url ?? '', '?');
  const apiKey = request.headers['x-mbx-apikey'];
  return {
    path,
    parameters: Parameters.parse([query, text]),
    payload: withoutSignature(query) + withoutSignature(text),
    apiKey: typeof apiKey === 'string' ? apiKey : undefined,
  };
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_BYTES) {
        request.removeAllListeners('data');
        request.resume();
        reject(refuse.tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', () => reject(refuse.illegalSomewhere()));
    request.on('close', () => reject(refuse.illegalSomewhere()));
  });
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function withoutSignature(text: string): string {
  return text
    .split('&')
    .filter((part) => !part.startsWith('signature='))
    .join('&');
}
