import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from './errors.ts';
import type { Parameters } from './parameters.ts';

const DEFAULT_WINDOW_MS = 5_000;
const LONGEST_WINDOW_MS = 60_000;

export type Keys = { key: string; secret: string };

/** What every signed request carries beside its own parameters. */
export const SIGNED_PARAMETERS = ['timestamp', 'recvWindow', 'signature'] as const;

/**
 * Checks key, time and signature of a request.
 *
 * @param payload the text that was signed
 * @throws BinanceError -2014, -1102, -1131, -1021, -2015 or -1022, in this order
 */
export function authenticate(
  keys: Keys,
  apiKey: string | undefined,
  parameters: Parameters,
  payload: string,
  now: number,
): void {
  if (apiKey === undefined || !/^[A-Za-z0-9]{64}$/.test(apiKey)) throw refuse.keyFormat();
  parameters.mandatory('timestamp');
  const signature = parameters.mandatory('signature');
  const sent = parameters.integer('timestamp') as number;
  // microseconds are accepted too
  const timestamp = sent >= 1e15 ? Math.floor(sent / 1000) : sent;
  const window = parameters.integer('recvWindow') ?? DEFAULT_WINDOW_MS;
  if (window > LONGEST_WINDOW_MS) throw refuse.recvWindow();
  if (timestamp >= now + 1000) throw refuse.timestampAhead();
  if (now - timestamp > window) throw refuse.timestampBehind();
  if (apiKey !== keys.key) throw refuse.key();
  const expected = createHmac('sha256', keys.secret).update(payload).digest();
  if (!/^[0-9a-fA-F]{64}$/.test(signature) || !timingSafeEqual(Buffer.from(signature, 'hex'), expected)) {
    throw refuse.signature();
  }
}
