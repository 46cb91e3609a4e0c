import { takeCandle, takeCommand, takeHistory, takeOrder, takeTimer } from '../bot/bot.ts';
import type { ClosedCandle, Effect, OrderEvent, PairQuote } from '../bot/event.ts';
import { type Bot, botOf } from '../bot/runtime.ts';
import { createBotState, type PairState } from '../bot/state.ts';
import { evaluateExits } from '../exits/evaluate.ts';
import { armLevel, callbackLine, stopLevel, winLevel } from '../exits/levels.ts';
import type { CandleColumns } from '../market/candle.ts';
import { type Market, notional } from '../market/market.ts';
import { PERIODS, type Period } from '../market/period.ts';
import { exact, fromUnits, type Price, SCALE, toUnits } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import type { Params } from '../strategies/strategy.ts';
import { beyondLimit, paperFill, takerPrice } from './paperExchange.ts';
import { createRunRecord, type RunRecord, recordWitness } from './runRecord.ts';

export interface BacktestInput {
  market: Market;
  /** Closed candles of the strategy's period, oldest first. */
  candles: CandleColumns;
  /** Validated; `watch_pairs` is taken from the market. */
  options: BotOptions;
  params: Params;
  /** Called about every 65,536 candles with the number done. */
  progress?: (done: number) => void;
}

export interface BacktestResult {
  /** Everything that was traded, and how positions ended. */
  record: RunRecord;
  bot: Bot;
  /** Equity at each candle's close, in 1e-8 quote units. */
  equity: Float64Array;
}

/** An order waiting for the next candle. */
type Waiting = Extract<Effect, { type: 'place' }>;

/** What the simulated exchange of one run knows. */
interface Run {
  bot: Bot;
  pair: PairState;
  market: Market;
  quote: PairQuote;
  waiting: Waiting[];
  /** Inside a candle orders of the exit tables fill at once at this price; 0 while they wait for the next candle. */
  instant: Price;
  at: number;
  nextFill: number;
  /** Price of a maker's entry that was filled in this candle; 0 for none. */
  enteredAt: Price;
  /** What a candle must touch to matter to the position as it stands; null after anything was told to the bot. */
  calm: Calm | null;
}

/** Between these prices, in 1e-8 with a unit to spare for the rounding of a candle's float64, no table acts. */
interface Calm {
  above: number;
  below: number;
}

/**
 * Runs a bot over closed candles of one pair with the same engine as paper and live.
 *
 * Signal at the close of candle i. Takers fill at the next open made worse by the average slippage; makers at their
 * price when a later candle trades strictly through it, re-priced once a candle. Exit tables are tested inside each
 * candle: adverse extreme, favourable extreme, close; they fill at the trigger price, or at the open when it lies
 * beyond, made worse by the average slippage.
 *
 * @see options.md 5.7
 */
export function runBacktest({ market, candles, options, params, progress }: BacktestInput): BacktestResult {
  const periodMs = PERIODS[options.period as Period];
  const record = createRunRecord();
  const state = createBotState('backtest', { ...options, watch_pairs: market.pair }, params);
  const bot = botOf(state, recordWitness(record, market));
  const pair = state.pairs[0] as PairState;
  const quote: PairQuote = { at: 0, bid: 0, bidSize: 0, ask: 0, askSize: 0, last: 0 };
  const run: Run = { bot, pair, market, quote, waiting: [], instant: 0, at: 0, nextFill: 1, enteredAt: 0, calm: null };
  const equity = new Float64Array(candles.length);
  const effects: Effect[] = [];
  const candle: ClosedCandle = { time: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 };

  takeCommand(bot, { type: 'start' }, candles.time[0] ?? 0, effects);
  takeHistory(bot, 0, market, [], candles.time[0] ?? 0);
  bot.state.status = 'working';
  pair.quote = quote;
  const { length, time, open, high, low, close, volume } = candles;
  for (let i = 0; i < length; i++) {
    candle.time = time[i] as number;
    candle.open = open[i] as number;
    candle.high = high[i] as number;
    candle.low = low[i] as number;
    candle.close = close[i] as number;
    candle.volume = volume[i] as number;
    if (run.waiting.length > 0 || pair.position !== null) {
      run.at = candle.time;
      quote.at = candle.time;
      run.enteredAt = 0;
      if (run.waiting.length > 0) fillEarly(run, candle);
      if (pair.position !== null) walkCandle(run, candle);
    }
    const closedAt = candle.time + periodMs;
    run.at = closedAt;
    quote.at = closedAt;
    quote.last = toUnits(candle.close);
    const ends = state.endsAt > 0 && closedAt >= state.endsAt;
    if (pair.entry !== null || pair.exit !== null || ends) {
      takeTimer(bot, closedAt, effects);
      carryOut(run, effects);
    }
    takeCandle(bot, 0, candle, closedAt, effects);
    if (effects.length > 0) carryOut(run, effects);
    equity[i] =
      pair.holding.quantity === 0
        ? state.wallet.quote
        : exact(state.wallet.quote + notional(market, quote.last, pair.holding.quantity));
    if (progress && (i & 0xffff) === 0xffff) progress(i + 1);
  }
  for (const intent of [pair.entry, pair.exit]) {
    if (intent && intent.filled > 0) bot.witness.intentEnd(run.at, pair, intent, 'stopped');
  }
  return { record, bot, equity };
}

/** Orders placed before this candle that come before its extremes: takers at its open, entries of makers. */
function fillEarly(run: Run, candle: ClosedCandle): void {
  const open = toUnits(candle.open);
  run.quote.last = open;
  for (const order of [...run.waiting]) {
    if (order.order !== 'limit_maker' && run.waiting.includes(order)) {
      takeOut(run, order);
      takerFill(run, order, open, []);
    }
  }
  fillMakers(run, candle, 'buy');
}

/** Resting orders of one side that the candle trades strictly through. */
function fillMakers(run: Run, candle: ClosedCandle, side: 'buy' | 'sell'): void {
  for (const order of [...run.waiting]) {
    if (order.side !== side || order.order !== 'limit_maker' || !run.waiting.includes(order)) continue;
    const limit = fromUnits(order.price);
    if (side === 'buy' ? candle.low >= limit : candle.high <= limit) continue;
    takeOut(run, order);
    if (side === 'buy') run.enteredAt = order.price;
    const { makerFee } = run.bot.rules;
    tell(
      run,
      [],
      [
        paperFill(run.nextFill++, run.market, makerFee, order, order.price, order.quantity, 'maker', run.at),
        { type: 'ended', at: run.at, clientOrderId: order.clientOrderId, how: 'filled' },
      ],
    );
  }
}

function takerFill(run: Run, order: Waiting, touch: Price, effects: Effect[]): void {
  const price = takerPrice(order.side, touch, run.bot.rules.slippage);
  const { at, bot, market } = run;
  if (beyondLimit(order, price)) {
    tell(run, effects, [{ type: 'ended', at, clientOrderId: order.clientOrderId, how: 'expired' }]);
    return;
  }
  tell(run, effects, [
    paperFill(run.nextFill++, market, bot.rules.takerFee, order, price, order.quantity, 'taker', at),
    { type: 'ended', at, clientOrderId: order.clientOrderId, how: 'filled' },
  ]);
}

/**
 * Tests the exit tables along the candle: open, down to the low, resting sales, up to the high, down to the close. What
 * came before the price of a maker's entry is not the position's.
 */
function walkCandle(run: Run, candle: ClosedCandle): void {
  const { pair } = run;
  const calm = run.calm ?? calmOf(run);
  run.calm = calm;
  const { position } = pair;
  if (position !== null && candle.low * SCALE > calm.above && candle.high * SCALE < calm.below) {
    if (candle.high * SCALE > position.peak - 1) position.peak = Math.max(position.peak, toUnits(candle.high));
    fillMakers(run, candle, 'sell');
    return;
  }
  run.calm = null;
  const begin = run.enteredAt > 0 ? run.enteredAt : toUnits(candle.open);
  const low = toUnits(candle.low);
  const high = toUnits(candle.high);
  const close = toUnits(candle.close);
  if (run.enteredAt === 0) touch(run, begin);
  walkDown(run, begin, low);
  fillMakers(run, candle, 'sell');
  for (
    let level = lowestAbove(run, begin);
    level <= high && pair.position !== null;
    level = lowestAbove(run, level + 1)
  ) {
    touch(run, level);
  }
  touch(run, high);
  walkDown(run, high, close);
  touch(run, close);
}

/** Every level from `from` down to `to` fires at its own price. */
function walkDown(run: Run, from: Price, to: Price): void {
  for (
    let level = highestBelow(run, from);
    level >= to && run.pair.position !== null;
    level = highestBelow(run, level - 1)
  ) {
    touch(run, level);
  }
}

/** What holds while the callback is not armed and the price stays away from every level. @see options.md 6 */
function calmOf(run: Run): Calm {
  const { pair, bot } = run;
  const arm =
    bot.rules.callback.length === 0
      ? Number.POSITIVE_INFINITY
      : armLevel(pair.holding.entryPrice, bot.rules.callbackStart);
  if (pair.position !== null && pair.position.peak >= arm) return { above: Number.POSITIVE_INFINITY, below: 0 };
  return { above: highestBelow(run, Number.MAX_SAFE_INTEGER) + 1, below: Math.min(lowestAbove(run, 0), arm) - 1 };
}

/** The engine sees one price; what its tables order fills there at once. */
function touch(run: Run, price: Price): void {
  const { bot, pair } = run;
  if (pair.position === null) return;
  run.quote.last = price;
  run.instant = price;
  const effects: Effect[] = [];
  evaluateExits(bot, pair, price, run.at, effects);
  if (effects.length > 0) carryOut(run, effects);
  run.instant = 0;
}

/** Highest level at or below `from` at which a stop or an armed callback row fires; 0 when there is none. */
function highestBelow(run: Run, from: Price): Price {
  const { position, holding } = run.pair;
  if (position === null) return 0;
  const { rules } = run.bot;
  const entry = holding.entryPrice;
  let highest = 0;
  for (const row of rules.stopSell) {
    const level = stopLevel(entry, row);
    if (level <= from && level > highest && !position.fired.stopSell.includes(row.index)) highest = level;
  }
  if (position.peak >= armLevel(entry, rules.callbackStart)) {
    for (const row of rules.callback) {
      const level = callbackLine(entry, position.peak, row);
      if (level <= from && level > highest && !position.fired.callback.includes(row.index)) highest = level;
    }
  }
  return highest;
}

/** Lowest level at or above `from` at which a win row fires or the callback arms; infinite when there is none. */
function lowestAbove(run: Run, from: Price): Price {
  const { position, holding } = run.pair;
  if (position === null) return Number.POSITIVE_INFINITY;
  const entry = holding.entryPrice;
  let lowest = Number.POSITIVE_INFINITY;
  for (const row of run.bot.rules.profitWin) {
    const level = winLevel(entry, row);
    if (level >= from && level < lowest && !position.fired.profitWin.includes(row.index)) lowest = level;
  }
  return lowest;
}

/** Carries out what the bot asked for. Cancels are confirmed at once; orders wait, or fill at the price of the table. */
function carryOut(run: Run, effects: Effect[]): void {
  while (effects.length > 0) {
    const effect = effects.shift() as Effect;
    if (effect.type === 'place') {
      if (run.instant === 0) run.waiting.push(effect);
      else takerFill(run, effect, run.instant, effects);
      continue;
    }
    const order = run.waiting.find(({ clientOrderId }) => clientOrderId === effect.clientOrderId);
    if (order === undefined) continue;
    takeOut(run, order);
    tell(run, effects, [{ type: 'ended', at: run.at, clientOrderId: effect.clientOrderId, how: 'canceled' }]);
  }
}

function tell(run: Run, effects: Effect[], events: OrderEvent[]): void {
  run.calm = null;
  for (const event of events) takeOrder(run.bot, event, effects);
  if (run.instant === 0) carryOut(run, effects);
}

function takeOut(run: Run, order: Waiting): void {
  run.waiting.splice(run.waiting.indexOf(order), 1);
}
