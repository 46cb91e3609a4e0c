import type { Direction } from '../market/direction.ts';
import { formatUnits, fromUnits, mulDivDown, type Price, type Ratio, SCALE, shiftPriceBy } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { neededVolume } from '../state/neededVolume.ts';
import type { Refused } from '../state/refusal.ts';

/**
 * Returns the first of gates 1 to 6 that refuses an automatic entry, null when all pass.
 *
 * @see docs/entries.md#gates
 */
export function entryGate(bot: Bot, pair: PairState, direction: Direction, at: number): Refused | null {
  const { state, rules } = bot;
  if (state.status !== 'working') return { gate: 'not_ready', inputs: { status: state.status } };
  const blocked = blockGate(bot);
  if (blocked !== null) return blocked;
  if (pair.flag !== null || pair.market === null)
    return { gate: 'not_ready', inputs: { flag: pair.flag ?? 'loading' } };
  if (pair.paused !== null) return { gate: 'not_ready', inputs: { flag: 'paused' } };
  const closed = suspensionGate(pair) ?? volumeGate(bot, pair);
  if (closed !== null) return closed;
  if (isStale(bot, pair, at)) return { gate: 'not_ready', inputs: { flag: 'stale' } };
  if (pair.candles < bot.warmup) return { gate: 'warming_up', inputs: { held: pair.candles, needed: bot.warmup } };
  if (entryShare(bot, direction) <= 0) return { gate: 'disabled', inputs: { buy_pct: state.options.buy_pct } };
  if (rules.maxPairs > 0) {
    const open = openPairs(bot);
    // A pair that is open already may enter again (DCA).
    if (open >= rules.maxPairs && !isOpen(pair)) return { gate: 'pair_limit', inputs: { open, limit: rules.maxPairs } };
  }
  if (at < pair.quarantineUntil) return { gate: 'quarantine', inputs: { until: pair.quarantineUntil } };
  return quoteGate(bot, pair, at);
}

/** Checks a part of gate 1: nothing blocks the entries of the bot, and the exchange accepts requests. */
export function blockGate(bot: Bot): Refused | null {
  const { entriesBlockedBy } = bot.state;
  return entriesBlockedBy === undefined ? pauseGate(bot) : { gate: entriesBlockedBy, inputs: {} };
}

/** Checks that the exchange accepts requests. */
export function pauseGate({ state: { pause } }: Bot): Refused | null {
  return pause === undefined ? null : { gate: 'exchange_paused', inputs: { until: pause.until } };
}

/** Checks a part of gate 1: the exchange accepts new orders in the pair. */
export function suspensionGate({ suspended }: PairState): Refused | null {
  return suspended === undefined ? null : { gate: 'not_ready', inputs: { flag: suspended } };
}

/** Checks a part of gate 1: the 24-hour volume of the pair is high enough or unknown. @see docs/paper.md#volume */
export function volumeGate(bot: Bot, { volume }: PairState): Refused | null {
  if (volume === null || !volume.low) return null;
  return { gate: 'not_ready', inputs: { flag: 'volume', volume24h: volume.value, limit: neededVolume(bot, true) } };
}

/**
 * Checks gate 6: a fresh quote with a valid book. A feed without a book counts by its last price.
 *
 * @see docs/entries.md#gates
 */
export function quoteGate(bot: Bot, pair: PairState, at: number): Refused | null {
  const quote = pair.quote;
  if (quote === null) return { gate: 'no_quote', inputs: { age: -1 } };
  const age = at - quote.at;
  if (age > Math.max(3_000, 2 * bot.rules.scanMs)) return { gate: 'no_quote', inputs: { age } };
  const book = quote.bid > 0 && quote.ask >= quote.bid;
  if (book || (quote.bid === 0 && quote.ask === 0 && quote.last > 0)) return null;
  return { gate: 'no_quote', inputs: { bid: formatUnits(quote.bid), ask: formatUnits(quote.ask) } };
}

/** Returns `buy_pct`, or for a short `short_buy_pct` where that is above 0, as a ratio. @see docs/entries.md#size */
export function entryShare(bot: Bot, direction: Direction): Ratio {
  return direction === 1 ? bot.rules.buyShare : bot.rules.shortShare;
}

/**
 * Checks gate 7: the price is not much worse than the exits of this pair since its last entry. A long is compared with the
 * lowest exit, a short with the highest.
 *
 * @param price at which the entry is decided
 * @see docs/fills.md#re-entry-above-the-last-exit
 */
export function buyLossGate(bot: Bot, pair: PairState, direction: Direction, price: Price): Refused | null {
  const reference = pair.exitReference;
  if (bot.rules.maxBuyLoss === 0 || reference === null || pair.candles >= reference.until) return null;
  const lastExit = direction === 1 ? reference.lowest : reference.highest;
  const limit = shiftPriceBy(lastExit, direction * bot.rules.maxBuyLoss, direction === 1 ? 'down' : 'up');
  if (direction === 1 ? price <= limit : price >= limit) return null;
  return {
    gate: 'buy_loss',
    inputs: {
      price: formatUnits(price),
      lastExit: formatUnits(lastExit),
      limit: formatUnits(limit),
      candlesLeft: reference.until - pair.candles,
    },
  };
}

/** Checks gate 9: the price of a taker entry is not too far from the middle of the book. @see docs/entries.md#gates */
export function slippageGate(bot: Bot, pair: PairState): Refused | null {
  const quote = pair.quote;
  if (quote === null || quote.ask === 0 || quote.bid === 0) return null;
  // Half the spread is compared with the middle; both are doubled to keep whole units.
  const spread = quote.ask - quote.bid;
  const twice = quote.ask + quote.bid;
  if (spread <= mulDivDown(twice, bot.rules.maxSlippage, SCALE)) return null;
  return {
    gate: 'slippage',
    inputs: { percent: (100 * spread) / twice, limit: fromUnits(bot.rules.maxSlippage) * 100 },
  };
}

function isOpen({ phase }: PairState): boolean {
  return phase !== 'idle' && phase !== 'sold';
}

/** Counts the pairs that hold or are entering a position. @see docs/entries.md#gates */
function openPairs(bot: Bot): number {
  let open = 0;
  for (const pair of bot.state.pairs) {
    if (isOpen(pair)) open += 1;
  }
  return open;
}

/**
 * Returns whether the next candle is missing 10 s after its close.
 *
 * @see docs/entries.md#late-and-missing-candles
 */
export function isStale(bot: Bot, pair: PairState, at: number): boolean {
  return pair.candleTime > 0 && at > pair.candleTime + 2 * bot.rules.periodMs + 10_000;
}
