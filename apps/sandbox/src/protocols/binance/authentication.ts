import { createHmac, createPrivateKey, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { Keys } from '../../storage/dataFolder.ts';
import { binanceError } from './errors.ts';
import type { Parameters } from './parameters.ts';

const DEFAULT_WINDOW_MS = 5_000;
const MAX_WINDOW_MS = 60_000;

/** Parameters of every signed request beside its own ones. */
export const SIGNED_PARAMETERS = ['timestamp', 'recvWindow', 'signature'] as const;

/**
 * Checks key, time and signature of a request.
 *
 * @param payload the text that was signed
 * @throws BinanceError -2014, -1102, -1131, -1021, -2015 or -1022, in this order; HMAC signatures may be in capital letters
 */
export function authenticate(
  keys: Keys,
  apiKey: string | undefined,
  parameters: Parameters,
  payload: string,
  now: number,
): void {
  if (apiKey === undefined || !/^[A-Za-z0-9]{64}$/.test(apiKey)) throw binanceError.keyFormat();
  parameters.mandatory('timestamp');
  const signature = parameters.mandatory('signature');
  const sent = parameters.integer('timestamp') as number;
  // Binance accepts microseconds too.
  const timestamp = sent >= 1e15 ? Math.floor(sent / 1000) : sent;
  const window = recvWindow(parameters);
  if (window > MAX_WINDOW_MS) throw binanceError.recvWindow();
  if (timestamp >= now + 1000) throw binanceError.timestampAhead();
  if (now - timestamp > window) throw binanceError.timestampBehind();
  checkSignature(keys, apiKey, signature, payload);
}

/**
 * Returns milliseconds with up to three decimals, for microseconds. @throws BinanceError -1100, or -1111 for more
 * decimals
 */
function recvWindow(parameters: Parameters): number {
  const units = parameters.units('recvWindow');
  if (units === undefined) return DEFAULT_WINDOW_MS;
  if (units % 100_000n !== 0n) throw binanceError.precision('recvWindow');
  return Number(units) / 1e8;
}

/** Whether a key belongs to the account. */
export function isKnownKey(keys: Keys, apiKey: string): boolean {
  return apiKey === keys.key || apiKey === keys.ed25519.key;
}

/** @throws BinanceError -2015 for a key that is not the account's, -1022 for a signature that is not the key's */
function checkSignature(keys: Keys, apiKey: string, signature: string, payload: string): void {
  if (apiKey === keys.ed25519.key) {
    const signed = Buffer.from(signature, 'base64');
    // Only the canonical base64 text is valid.
    const isWhole = signed.length === 64 && signed.toString('base64') === signature;
    if (!isWhole || !verify(null, Buffer.from(payload), publicKey(keys.ed25519.secret), signed))
      throw binanceError.signature();
    return;
  }
  if (apiKey !== keys.key) throw binanceError.key();
  const expected = createHmac('sha256', keys.secret).update(payload).digest();
  if (!/^[0-9a-fA-F]{64}$/.test(signature) || !timingSafeEqual(Buffer.from(signature, 'hex'), expected)) {
    throw binanceError.signature();
  }
}

const publicKeys = new Map<string, KeyObject>();

/** Returns the public key of a secret. A real exchange has the public half only; the demo market makes both. */
function publicKey(secret: string): KeyObject {
  const found = publicKeys.get(secret) ?? createPublicKey(createPrivateKey(secret));
  publicKeys.set(secret, found);
  return found;
}
