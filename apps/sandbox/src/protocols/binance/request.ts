import type { IncomingMessage } from 'node:http';
import { readBody, splitOnce, withoutSignature } from '../../server/requestText.ts';
import { binanceError } from './errors.ts';
import { Parameters } from './parameters.ts';

/** Maximum length of a request body in bytes; an order needs less than a tenth of it. */
const BODY_BYTES = 32 * 1024;

/** A request as Binance reads it: parameters are in the query, in the body, or in both. */
export type BinanceRequest = {
  path: string;
  parameters: Parameters;
  /** The signed text. */
  payload: string;
  apiKey: string | undefined;
};

/** @throws BinanceError on a body that is too long, invalid escapes or repeated names */
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
