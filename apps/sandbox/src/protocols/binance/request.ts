import type { IncomingMessage } from 'node:http';
import { readBody, splitOnce, withoutSignature } from '../../server/requestText.ts';
import { binanceError } from './errors.ts';
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
  const text = await readBody(request, BODY_BYTES, {
    tooLarge: binanceError.tooLarge,
    broken: binanceError.illegalSomewhere,
  });
  const [path, query] = splitOnce(request.url ?? '', '?');
  const apiKey = request.headers['x-mbx-apikey'];
  return {
    path,
    parameters: Parameters.parse([query, text]),
    payload: withoutSignature(query) + withoutSignature(text),
    apiKey: typeof apiKey === 'string' ? apiKey : undefined,
  };
}
