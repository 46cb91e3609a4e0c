import type { Market } from '@heron/engine/market/market.ts';
import { floorStep, floorTick } from '@heron/engine/market/market.ts';
import { fromUnits, type Price, toUnits } from '@heron/engine/money/units.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import {
  createPaperSession,
  feedSession,
  type PaperSession,
  restoreSession,
  saveSession,
} from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { ClosedCandle, Command, MarketEvent } from '@heron/engine/state/botEvents.ts';
import type { PairQuote } from '@heron/engine/state/pairQuote.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import fc from 'fast-check';
import { pairsOf } from '../arbitraries.ts';
import type { Generated } from '../generated.ts';
import { options, START } from '../harness.ts';

const MINUTE = 60_000;

/** An event of a world: a market event, or a restart of the program that runs the bot. */
export type WorldEvent = MarketEvent | { type: 'restart'; at: number };

/** A bot with all of its events. */
export interface World {
  readonly options: BotOptions;
  readonly params: Params;
  readonly markets: readonly Market[];
  readonly events: readonly WorldEvent[];
}

/** Limits of generated worlds; an omitted field means no limit. */
export interface WorldLimits {
  readonly future?: boolean;
  readonly pairs?: number;
  readonly maxPairs?: number;
  readonly moves?: number;
  /** Only strategies with signals, or the given ones. */
  readonly strategies?: 'signals' | fc.Arbitrary<{ id: string; params: Params }>;
  /** Fixed options. */
  readonly given?: Partial<Record<keyof BotOptions, unknown>>;
}

const row = (profit: fc.Arbitrary<number>) =>
  fc.record({ profit, stop: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 })) });
const table = (profit: fc.Arbitrary<number>) =>
  fc.uniqueArray(row(profit), { maxLength: 3, selector: (r) => r.profit });
const tenths = (min: number, max: number) => fc.integer({ min: min * 10, max: max * 10 }).map((value) => value / 10);
/** Generates mostly usual values, sometimes an end of the range: few bots would trade with many extreme values at once. */
const mostly = <T>(usual: fc.Arbitrary<T>, ...ends: T[]) =>
  fc.oneof({ weight: 14, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...ends) });

/** Values of the options that spot and futures share, inside their ranges and at the ends. */
const SHARED = {
  takerFee: mostly(fc.constant(0.1), 0.01, 0.5),
  makerFee: mostly(fc.constant(0.1), 0.01, 0.5),
  currency_capital: mostly(fc.constant(10_000), 0, 100, 1_000_000),
  order_type: fc.constantFrom('maker', 'taker'),
  buy_pct: mostly(fc.integer({ min: 5, max: 60 }), 0, 100),
  min_buy_size: mostly(fc.constant(10), 0, 100),
  max_buy_size: mostly(fc.constant(0), 100, 10_000),
  max_buy_pair_count: mostly(fc.constant(10), 0, 1, 2),
  max_slippage_pct: mostly(tenths(0.3, 2), 0.1, 2),
  sell_pct: mostly(fc.constant(100), 0, 1, 50, 99),
  stop_sell: table(tenths(0.5, 12)),
  trailing_stop: table(tenths(0.5, 12)),
  profit_callback_start: mostly(fc.integer({ min: 0, max: 6 }), 500),
  profit_callback: table(fc.integer({ min: 1, max: 99 })),
  profit_win: table(tenths(0.5, 20)),
  poll_scan_time: mostly(fc.constant(1_000), 3_000, 60_000),
  order_adjust_time: mostly(fc.constant(5_000), 1_000, 10_000),
  run_for: mostly(fc.constant(0), 1),
  max_buy_loss_pct: mostly(fc.constant(0), 0.5, 5),
  max_sell_loss_pct: mostly(fc.constant(0), 0.5, 5),
  markdown_buy_pct: mostly(tenths(-0.3, 0.3), -2, 2),
  markup_sell_pct: mostly(tenths(-0.3, 0.3), -2, 2),
  avg_slippage_pct: fc.constantFrom(0, 0.045, 0.1),
  quarentine_time: mostly(fc.constant(0), 10, 100_000),
  min_periods: fc.integer({ min: 18, max: 24 }),
};

const FUTURES = {
  market: fc.constantFrom('only_long', 'only_short', 'both', 'both'),
  margin_mode: fc.constantFrom('isolated', 'cross'),
  leverage: fc.constantFrom(1, 2, 5, 10, 25, 50, 125),
  short_buy_pct: mostly(fc.integer({ min: 5, max: 60 }), 0, 100),
};

const SIGNAL_STRATEGIES: readonly { id: string; params: Params }[] = [
  { id: 'ema_cross', params: { fast: 2, slow: 3, band: 0 } },
  { id: 'momentum', params: { length: 1, threshold: 0 } },
];

/** Grid and DCA parameters that are narrow enough for the moves below. */
const PLAN_STRATEGIES: readonly { id: string; params: Params }[] = [
  { id: 'grid', params: { range_pct: 4, levels: 6 } },
  { id: 'grid', params: { range_pct: 1, levels: 3, spacing: 'arithmetic', recentre: true, initial_buy: false } },
  { id: 'dca', params: { start: 'now', step: 0.5, safety_orders: 3, take_profit: 0.6, pause: 0 } },
  { id: 'dca', params: { start: 'strategy', signal: 'momentum', step: 0.4, take_profit: 0.5, trailing: 0.2 } },
  { id: 'dca', params: { mode: 'periodic', every: 2, amount: 50 } },
];

const MOVE = fc.record({
  pair: fc.nat(19),
  /** Change of the price in 1/10,000: walks, flat stretches, jumps of up to 20 %. */
  change: fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 9, arbitrary: fc.integer({ min: -60, max: 60 }) },
    { weight: 3, arbitrary: fc.integer({ min: -400, max: 400 }) },
    { weight: 1, arbitrary: fc.integer({ min: -2_000, max: 2_000 }) },
  ),
  book: fc.constantFrom('tick', 'tick', 'tick', 'wide', 'wide', 'none', 'empty', 'crossed'),
  width: fc.integer({ min: 1, max: 80 }),
  size: fc.integer({ min: 0, max: 400 }),
  wait: fc.constantFrom(300, 1_000, 3_000, 6_000, 20_000, 30_000, 61_000, 61_000),
  extra: fc.constantFrom(
    ...(['', '', '', '', '', '', '', '', 'trade', 'trade', 'trade', 'trade', 'trade', 'trade'] as const),
    ...(['buy', 'sell', 'short', 'cancel', 'stale', 'restart', 'funding', 'resume', 'stop'] as const),
  ),
  /** Selects a variant of `extra`. */
  choice: fc.nat(99),
});

type Move = Generated<typeof MOVE>;

/** One to twenty pairs; few worlds have many, since a large world takes as long as a hundred small ones. */
const COUNTS = [...Array.from({ length: 15 }, () => 1), 2, 2, 2, 2, 3, 3, 3, 20];

/** Generates bots of every kind in markets of every kind. @see docs/invariants.md#random-cases */
export function worlds(limits: WorldLimits = {}): fc.Arbitrary<World> {
  const { pairs, maxPairs = 20, moves = 45 } = limits;
  const future = limits.future === undefined ? fc.boolean() : fc.constant(limits.future);
  const count =
    pairs === undefined ? fc.constantFrom(...COUNTS.filter((each) => each <= maxPairs)) : fc.constant(pairs);
  return fc
    .record({
      future,
      count,
      shared: fc.record(SHARED),
      margin: fc.record(FUTURES),
      strategy: strategiesOf(limits),
      history: fc.constantFrom(0, 15, 30, 30, 30, 30),
      moves: fc.array(MOVE, { minLength: 10, maxLength: moves, size: 'max' }),
    })
    .map((drawn) => {
      const markets = pairsOf(drawn.count);
      const checked = options({
        ...drawn.shared,
        ...(drawn.future ? { exchange: 'binanceusdm', ...drawn.margin } : {}),
        strategy: drawn.strategy.id,
        period: '1m',
        watch_pairs: markets.map(({ pair }) => pair).join(','),
        max_watch_size: 0,
        ...limits.given,
      });
      // Worlds with many pairs need fewer moves for the same number of events.
      const moves = drawn.count > 3 ? drawn.moves.slice(0, 12) : drawn.moves;
      const script = new WorldScript(markets, drawn.future);
      script.begin(drawn.history);
      for (const move of moves) script.apply(move);
      return { options: checked, params: drawn.strategy.params, markets, events: script.events };
    });
}

function strategiesOf({ strategies }: WorldLimits) {
  if (typeof strategies === 'object') return strategies;
  const signals = { weight: 3, arbitrary: fc.constantFrom(...SIGNAL_STRATEGIES) };
  const plans = { weight: 1, arbitrary: fc.constantFrom(...PLAN_STRATEGIES) };
  return fc.oneof(...(strategies === 'signals' ? [signals] : [signals, plans]));
}

/** Market state of a pair, with its forming candle. */
interface PairMarket {
  readonly market: Market;
  price: Price;
  candle: ClosedCandle;
  /** Closed candles that the bot has not received. */
  undelivered: ClosedCandle[];
}

/** Converts moves into market events. */
class WorldScript {
  readonly events: WorldEvent[] = [];
  private readonly pairMarkets: PairMarket[];
  private readonly future: boolean;
  private at = START;
  private candleTime = START;

  constructor(markets: readonly Market[], future: boolean) {
    this.future = future;
    const first = [60_000, 3_000, 100, 0.1];
    this.pairMarkets = markets.map((market, k) => {
      const price = toUnits(first[k % first.length] as number);
      return { market, price, candle: flatCandle(START, price), undelivered: [] };
    });
  }

  begin(history: number): void {
    this.events.push({ type: 'command', at: this.at, command: { type: 'start' } });
    for (const { market, price } of this.pairMarkets) {
      const candles = Array.from({ length: history }, (_, i) => {
        const time = START - (history - i) * MINUTE;
        // Prices move slightly up and down, so that indicators have different values.
        return flatCandle(time, floorTick(market, price + (i % 3) * market.tick));
      });
      this.events.push({ type: 'history', at: this.at, market, candles });
    }
  }

  apply(move: Move): void {
    const pairMarket = this.pairMarkets[move.pair % this.pairMarkets.length] as PairMarket;
    const silent = move.extra === 'stale' || move.extra === 'restart';
    const end = this.at + (silent ? 30_000 + move.choice * 2_000 : move.wait);
    // The trade uses the price before the change, at which orders were priced, or the price after it.
    const early = this.at + Math.min(move.wait, 200);
    if (move.extra === 'trade' && move.choice < 50 && early < this.candleTime + MINUTE)
      this.trade(pairMarket, move, early);
    this.pairMarkets.forEach((each, k) => {
      const share = each === pairMarket ? 4 : ((k * 3 + move.choice) % 5) - 2;
      each.price = moved(each.market, each.price, (move.change * share) / 4);
    });
    if (move.extra === 'restart') this.restart(end);
    else this.closeUntil(end, silent);
    this.at = end;
    if (move.extra === 'trade' && move.choice >= 50) this.trade(pairMarket, move, end);
    this.quote(pairMarket, move);
    this.applyExtra(pairMarket, move);
  }

  /** Closes the candles up to `end`; with `silent` the bot receives them only at `end`. */
  private closeUntil(end: number, silent: boolean): void {
    while (this.candleTime + MINUTE <= end) {
      this.nextCandle();
      if (silent) continue;
      // Every pair has a quote once a minute.
      for (const pairMarket of this.pairMarkets) this.quote(pairMarket, QUIET, this.candleTime);
      this.deliverCandles(this.candleTime + 200);
    }
    if (!silent) return;
    // The quotes return before the missed candles.
    for (const pairMarket of this.pairMarkets) this.quote(pairMarket, QUIET, end);
    this.deliverCandles(end);
  }

  private nextCandle(): void {
    for (const pairMarket of this.pairMarkets) {
      pairMarket.undelivered.push(pairMarket.candle);
      pairMarket.candle = flatCandle(this.candleTime + MINUTE, pairMarket.price);
    }
    this.candleTime += MINUTE;
  }

  private deliverCandles(at: number): void {
    for (const pairMarket of this.pairMarkets) {
      for (const candle of pairMarket.undelivered)
        this.events.push({ type: 'candle', at, pair: pairMarket.market.pair, candle });
      pairMarket.undelivered = [];
    }
  }

  /** Stops the program without notice and restarts it at `end`, with the missed candles. */
  private restart(end: number): void {
    while (this.candleTime + MINUTE <= end) this.nextCandle();
    this.events.push({ type: 'restart', at: end });
    for (const pairMarket of this.pairMarkets) {
      this.events.push({ type: 'history', at: end, market: pairMarket.market, candles: pairMarket.undelivered });
      pairMarket.undelivered = [];
    }
  }

  private quote(pairMarket: PairMarket, move: Pick<Move, 'book' | 'width' | 'size'>, at = this.at): void {
    const { market, price, candle } = pairMarket;
    const last = fromUnits(price);
    candle.high = Math.max(candle.high, last);
    candle.low = Math.min(candle.low, last);
    candle.close = last;
    candle.volume += move.size;
    const quote: PairQuote = { at, ...bookOf(market, price, move), last: move.book === 'empty' ? 0 : price };
    if (this.future && move.book !== 'empty') quote.mark = moved(market, price, (move.size % 5) - 2);
    this.events.push({ type: 'quote', pair: market.pair, ...quote });
  }

  /** Adds a public trade at the bid, at the ask with a spread of one tick, or beyond them. */
  private trade({ market, price }: PairMarket, { choice, size, width }: Move, at: number): void {
    const ticks = [0, 1, width, -width][choice % 4] as number;
    const traded = Math.max(market.tick, price + ticks * market.tick);
    const quantity = quantityWorth(market, traded, size * 10);
    this.events.push({ type: 'trade', at, pair: market.pair, price: traded, quantity });
  }

  private applyExtra({ market }: PairMarket, { extra, choice }: Move): void {
    const { at } = this;
    const { pair } = market;
    const requestId = `r${this.events.length}`;
    const order = choice % 2 === 0 ? ('maker' as const) : ('taker' as const);
    const bound = choice % 3 === 0 ? { slippage: choice * 100_000 } : {};
    const sendCommand = (command: Command) => this.events.push({ type: 'command', at, command });
    switch (extra) {
      case 'buy':
      case 'short':
        sendCommand({
          type: 'buy',
          pair,
          order,
          value: toUnits(5 + choice * 20),
          requestId,
          ...(extra === 'short' ? { short: true } : {}),
          ...bound,
        });
        break;
      case 'sell':
        sendCommand({ type: 'sell', pair, order, percent: 1 + choice, requestId, ...bound });
        break;
      case 'cancel':
        for (let parent = 1; parent <= choice; parent++)
          sendCommand({ type: 'cancel', clientOrderId: `world1-${parent}-1` });
        break;
      case 'resume':
        sendCommand({ type: 'resume', pair });
        break;
      case 'stop':
        if (choice < 80) break;
        sendCommand({ type: choice < 87 ? 'drain' : choice < 94 ? 'close' : 'stop' });
        sendCommand({ type: 'start' });
        break;
      case 'funding':
        if (this.future)
          this.events.push({ type: 'funding', at, pair, id: `f${at}`, rate: (choice - 50) * 2_000, mark: 0 });
        break;
    }
  }
}

const QUIET = { book: 'tick', width: 1, size: 40 } as const;

function flatCandle(time: number, price: Price): ClosedCandle {
  const value = fromUnits(price);
  return { time, open: value, high: value, low: value, close: value, volume: 0 };
}

/** Returns `price` changed by `change` in 1/10,000, rounded down to the tick size, at least 20 ticks. */
function moved(market: Market, price: Price, change: number): Price {
  const next = floorTick(market, Math.round(price * (1 + change / 10_000)));
  return Math.min(Math.max(next, 20 * market.tick), 1e13);
}

function quantityWorth(market: Market, price: Price, value: number) {
  return floorStep(market, Math.floor((value * 1e8 * 10 ** market.assetDecimals) / price));
}

/** Returns a book around `price`: one tick wide, wide, crossed, or empty. */
function bookOf(market: Market, price: Price, { book, width, size }: Pick<Move, 'book' | 'width' | 'size'>) {
  if (book === 'none' || book === 'empty') return { bid: 0, bidSize: 0, ask: 0, askSize: 0 };
  // The depth is smaller than some trades, so that these partially fill the orders behind it.
  const depth = quantityWorth(market, price, size);
  const ask = book === 'tick' ? price + market.tick : floorTick(market, price + Math.floor((price * width) / 10_000));
  const [bid, above] = book === 'crossed' ? [price, price - market.tick] : [price, Math.max(ask, price + market.tick)];
  return { bid, bidSize: depth, ask: above, askSize: depth };
}

/** Creates the session of a world. */
export function startSession({ options: given, params }: Pick<World, 'options' | 'params'>): PaperSession {
  return createPaperSession({ id: 'world1', options: given, params });
}

/** Processes one event of a world. @returns the session after it, and its notes */
export function live(session: PaperSession, event: WorldEvent): { session: PaperSession; notes: readonly Note[] } {
  if (event.type === 'restart') return { session: restoreSession(saveSession(session)), notes: [] };
  return { session, notes: feedSession(session, event).notes };
}

/** Replays a whole world; `see` runs after every event. @returns the final session */
export function play(
  world: World,
  see: (session: PaperSession, notes: readonly Note[], event: WorldEvent) => void = () => {},
): PaperSession {
  let session = startSession(world);
  for (const event of world.events) {
    const next = live(session, event);
    session = next.session;
    see(session, next.notes, event);
  }
  return session;
}
