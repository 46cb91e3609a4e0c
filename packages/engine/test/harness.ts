import type { Market } from '@heron/engine/market/market.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { parseUnits, toUnits } from '@heron/engine/money/units.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { createPaperSession, feedSession, nextTimer, type PaperSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { ClosedCandle, Command, MarketEvent } from '@heron/engine/state/botEvents.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import { MARKETS } from './arbitraries.ts';

const BTC = MARKETS[0] as Market;
export const START = Date.UTC(2024, 0, 1);

/** Validates options; throws on a fault so that a test cannot run with other options than given. Leverage is the 10× of docs. */
export function options(given: Partial<Record<keyof BotOptions, unknown>> = {}): BotOptions {
  const checked = validateOptions({ watch_pairs: 'BTC-USDT', leverage: 10, ...given });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.options;
}

/** A running session after its warm-up, with a log of all notes. */
export class Desk {
  session: PaperSession;
  /** Watched markets. */
  readonly markets: readonly Market[];
  /** Market of quotes, trades and orders. */
  market: Market;
  readonly notes: Note[] = [];
  readonly tape: MarketEvent[] = [];
  now = START;
  /** Open time of the next candle. */
  candleTime = START;
  private readonly periodMs: number;

  constructor(
    given: Partial<Record<keyof BotOptions, unknown>> = {},
    market: Market = BTC,
    {
      params = {},
      history = 60_000,
      others = [],
    }: { params?: Params; history?: number; others?: readonly Market[] } = {},
  ) {
    this.market = market;
    this.markets = [market, ...others];
    const watched = this.markets.map(({ pair }) => pair).join(',');
    const checked = options({ watch_pairs: watched, poll_scan_time: 1_000, ...given });
    this.periodMs = PERIODS[checked.period as Period];
    this.session = createPaperSession({ id: 'abc123', options: checked, params });
    this.command({ type: 'start' });
    const candles: ClosedCandle[] = Array.from({ length: 200 }, (_, i) => {
      const price = history;
      return { time: START - (200 - i) * this.periodMs, open: price, high: price, low: price, close: price, volume: 1 };
    });
    for (const each of this.markets) this.feed({ type: 'history', at: this.now, market: each, candles });
  }

  /** Selects the market of later quotes, trades and orders. */
  on(market: Market): this {
    this.market = market;
    return this;
  }

  feed(event: MarketEvent): Note[] {
    this.tape.push(structuredClone(event));
    const { notes } = feedSession(this.session, event);
    this.notes.push(...notes);
    return notes;
  }

  command(command: Command) {
    return this.feed({ type: 'command', at: this.now, command });
  }

  /** Sends a quote `after` ms later, with a spread of one tick unless `ask` is given. */
  quote(bid: number, ask = bid + this.market.tick / 1e8, after = 1_000): Note[] {
    this.now += after;
    return this.feed({
      type: 'quote',
      pair: this.market.pair,
      at: this.now,
      bid: toUnits(bid),
      bidSize: 0,
      ask: toUnits(ask),
      askSize: 0,
      last: toUnits(bid),
    });
  }

  trade(price: number, quantity: number, after = 10): Note[] {
    this.now += after;
    return this.feed({
      type: 'trade',
      pair: this.market.pair,
      at: this.now,
      price: toUnits(price),
      quantity: toUnits(quantity, this.market.assetDecimals),
    });
  }

  /** Closes a candle of every market at `price`, or each at its own price, with a quote one tick wide at the close. */
  close(price: number | readonly number[], late = 0): Note[] {
    const prices = this.markets.map((_, i) => (typeof price === 'number' ? price : (price[i] as number)));
    const time = this.candleTime;
    this.candleTime += this.periodMs;
    const { market } = this;
    const notes = this.wait(this.candleTime + late - 1_000 - this.now);
    prices.forEach((close, i) => {
      notes.push(...this.on(this.markets[i] as Market).quote(close, undefined, i === 0 ? 1_000 : 0));
    });
    prices.forEach((close, i) => {
      const candle: ClosedCandle = { time, open: close, high: close, low: close, close, volume: 1 };
      notes.push(...this.feed({ type: 'candle', at: this.now, pair: (this.markets[i] as Market).pair, candle }));
    });
    this.on(market);
    notes.push(...this.wait(200));
    return notes;
  }

  /** Advances the time, with every timer at its own time. */
  wait(ms: number): Note[] {
    const end = this.now + ms;
    const notes: Note[] = [];
    for (let due = nextTimer(this.session); due !== null && due <= end; due = nextTimer(this.session)) {
      this.now = due;
      notes.push(...this.feed({ type: 'timer', at: due }));
    }
    this.now = end;
    return notes;
  }

  buy(value: number, order: 'maker' | 'taker' = 'taker') {
    const notes = this.command({
      type: 'buy',
      pair: this.market.pair,
      order,
      value: toUnits(value),
      requestId: `r${this.tape.length}`,
    });
    return [...notes, ...this.wait(100)];
  }

  sell(percent: number, order: 'maker' | 'taker' = 'taker') {
    const requestId = `r${this.tape.length}`;
    const notes = this.command({ type: 'sell', pair: this.market.pair, order, percent, requestId });
    return [...notes, ...this.wait(100)];
  }

  get pair() {
    const pair = this.session.state.bot.pairs.find((candidate) => candidate.pair === this.market.pair);
    if (!pair) throw new Error(`the session does not watch ${this.market.pair}`);
    return pair;
  }

  fills(): Note[] {
    return this.notes.filter(({ kind }) => kind === 'fill');
  }

  /** Returns an amount of a note in units. */
  units(note: Note | undefined, key: string, decimals?: number): number {
    const units = parseUnits(String(note?.data[key]), decimals);
    if (units === null) throw new Error(`${key} of ${JSON.stringify(note)} is no amount`);
    return units;
  }
}

/** Returns the data of the notes of one kind. */
export const kindsOf = (desk: Desk, kind: string) =>
  desk.notes.filter((note) => note.kind === kind).map(({ data }) => data);

/** Sends a quote with sizes on both sides, in decimals. */
export function sizedQuote(desk: Desk, bid: number, ask: number, size: number, after = 1_000): void {
  desk.now += after;
  const quantity = toUnits(size, desk.market.assetDecimals);
  desk.feed({
    type: 'quote',
    pair: desk.market.pair,
    at: desk.now,
    bid: toUnits(bid),
    bidSize: quantity,
    ask: toUnits(ask),
    askSize: quantity,
    last: toUnits(bid),
  });
}
