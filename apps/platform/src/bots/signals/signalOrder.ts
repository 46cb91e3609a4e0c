import type { SignalBody, SignalEntry, SignalReason } from '@heron/contract/bots/signals.ts';

/** Longest age of a signal, and how far its time may be ahead, in ms. */
export const MAX_AGE_MS = 5 * 60_000;
const MAX_AHEAD_MS = 60_000;

export type SignalOrder = NonNullable<SignalEntry['order']>;

/**
 * Returns why the time of a signal is not accepted; null when it is, or there is none.
 *
 * @param now Unix ms
 */
export function faultOfTime(time: string | undefined, now: number): SignalReason | null {
  if (time === undefined) return null;
  const at = readTime(time);
  if (Number.isNaN(at)) return 'malformed';
  if (at < now - MAX_AGE_MS) return 'old';
  return at > now + MAX_AHEAD_MS ? 'future' : null;
}

/** Returns Unix ms; NaN for no time. Numbers below 10^11 are seconds. */
function readTime(time: string): number {
  if (/^\d{1,16}(\.\d+)?$/.test(time)) return Number(time) < 1e11 ? Number(time) * 1_000 : Number(time);
  return /^\d{4}-\d\d-\d\dT/.test(time) ? Date.parse(time) : Number.NaN;
}

/**
 * Returns the order of a signal for a bot, or why there is none.
 *
 * @param pairs of the bot
 */
export function orderOf(body: SignalBody, pairs: readonly string[]): SignalOrder | SignalReason {
  const pair = body.pair === undefined ? onlyPair(pairs) : pairs.find((each) => plain(each) === plain(body.pair ?? ''));
  if (pair === undefined) return body.pair === undefined ? 'pairMissing' : 'pairUnknown';
  if (body.action === 'close') return { side: 'sell', pair, value: null, percent: 100 };
  if (body.action === 'sell') return { side: 'sell', pair, value: null, percent: body.percent ?? null };
  if (body.amount !== undefined) return { side: 'buy', pair, value: body.amount, percent: null };
  return body.percent === undefined ? 'amountMissing' : { side: 'buy', pair, value: null, percent: body.percent };
}

/**
 * Returns the parameters of the manual order. It is at market, because a signal is to act at once.
 *
 * @param available what a buy may cost, in the quote currency; only for a percentage of it
 */
export function manualOrder({ side, pair, value, percent }: SignalOrder, available: string | null = null): object {
  const order = { pair, side, type: 'taker', source: 'signal' };
  if (side === 'sell') return percent === null ? order : { ...order, percent };
  if (value !== null) return { ...order, value };
  if (available === null || percent === null) return order;
  // The price may move before the order is checked.
  return { ...order, value: percentOf(available, percent), limitToAvailable: true };
}

/**
 * Returns a percentage of an amount, rounded down to 8 decimals. It computes with whole numbers, because the result is booked.
 *
 * @param amount decimal, not negative
 * @param percent 0 to 100, of which four decimals count
 */
export function percentOf(amount: string, percent: number): string {
  const [whole = '0', decimals = ''] = amount.split('.');
  const units = BigInt(whole + decimals.slice(0, 8).padEnd(8, '0'));
  const share = ((units * BigInt(Math.floor(percent * 1e4 + 1e-6))) / 1_000_000n).toString().padStart(9, '0');
  return `${share.slice(0, -8)}.${share.slice(-8)}`.replace(/\.?0+$/, '');
}

function onlyPair(pairs: readonly string[]): string | undefined {
  return pairs.length === 1 ? pairs[0] : undefined;
}

/** Returns a pair without separators: `BTC-USDT`, `BTCUSDT`, `BINANCE:BTCUSDT.P` and `btc/usdt` are the same. */
function plain(pair: string): string {
  return pair
    .toUpperCase()
    .replace(/^[A-Z0-9_]+:/, '')
    .replace(/\.P$/, '')
    .replace(/[-/_]/g, '');
}
