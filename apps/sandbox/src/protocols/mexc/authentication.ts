import { createHmac, timingSafeEqual } from 'node:crypto';
import { mexcError } from './errors.ts';
import type { Parameters } from './parameters.ts';

const DEFAULT_WINDOW_MS = 5_000;
const MAX_WINDOW_MS = 60_000;

export type Keys = { key: string; secret: string };

/**
 * Checks key, time and signature of a request.
 *
 * @param payload the signed text: query and body, one after the other, without the signature
 * @throws MexcError 400, 700004, 700005, 700003, 10072 or 700002, in this order
 */
export function authenticate(
  keys: Keys,
  apiKey: string | undefined,
  parameters: Parameters,
  payload: string,
  now: number,
): void {
  if (apiKey === undefined || apiKey === '') throw mexcError.keyRequired();
  const signature = parameters.mandatory('signature');
  parameters.mandatory('timestamp');
  const timestamp = parameters.integer('timestamp') as number;
  const window = parameters.integer('recvWindow') ?? DEFAULT_WINDOW_MS;
  if (window > MAX_WINDOW_MS) throw mexcError.recvWindow();
  if (timestamp >= now + 1000 || now - timestamp > window) throw mexcError.timestamp();
  if (apiKey !== keys.key) throw mexcError.key();
  const expected = createHmac('sha256', keys.secret).update(payload).digest();
  // MEXC accepts lower case only.
  if (!/^[0-9a-f]{64}$/.test(signature) || !timingSafeEqual(Buffer.from(signature, 'hex'), expected)) {
    throw mexcError.signature();
  }
}
