import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import type { LiveSession } from '@heron/engine/live/eventContext.ts';
import type { ExecutionEvent, KeyState, LiveRequest } from '@heron/engine/live/executionEvent.ts';
import {
  createLiveSession,
  feedLive,
  type LiveOutput,
  nextLiveTimer,
  restoreLive,
} from '@heron/engine/live/liveSession.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { OrderReport, OwnFill } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits, type Price, toUnits } from '@heron/engine/money/units.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { performanceView } from '@heron/engine/session/sessionView.ts';
import type { ClosedCandle, Command, MarketEvent } from '@heron/engine/state/botEvents.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import fc from 'fast-check';
import { MARKETS } from '../arbitraries.ts';
import type { Generated } from '../generated.ts';
import { options, START } from '../harness.ts';
import { ModelExchange } from './modelExchange.ts';

export const MARKET = MARKETS[0] as Market;
const PAIR = MARKET.pair;
export const CAPITAL = toUnits(10_000);

/** Moves of a random run. */
const MOVES = [
  ...([
    'quote',
    'quote',
    'quote',
    'perform',
    'perform',
    'perform',
    'deliver',
    'deliver',
    'deliver',
    'deliver',
  ] as const),
  ...([
    'wait',
    'fill',
    'fill',
    'buy',
    'buy',
    'sell',
    'crash',
    'snapshot',
    'twice',
    'requestLost',
    'responseLost',
    'refused',
  ] as const),
  ...(['fall', 'byHand', 'change', 'key'] as const),
] as const;

/** A random move; `n` selects its variant. */
export const MOVE = fc.record({ what: fc.constantFrom(...MOVES), n: fc.nat(999) });

/** A random move of a bot whose owner also places orders at prices, and sets price exits. */
export const PRICED_MOVE = fc.record({
  what: fc.constantFrom(...MOVES, ...(['priced', 'priced', 'setExit', 'setExit', 'removeExit'] as const)),
  n: fc.nat(999),
});

export type Move = Generated<typeof PRICED_MOVE>;

/** Temporary reasons for a missing protective stop. */
const PASSING = new Set(['refused', 'cancelled', 'exit_at_work', 'entry_at_work', 'price_beyond']);
const STOP_TABLES = [
  [],
  [{ profit: 1, stop: 100 }],
  [{ profit: 2, stop: 100 }],
  [
    { profit: 1, stop: 50 },
    { profit: 3, stop: 80 },
  ],
];

const BY_HAND = { id: 'manual', params: {} };

/** Configuration of a harness. */
export interface LiveHarnessConfig {
  readonly maker: boolean;
  /** Share of the account for the bot; null for all of it. */
  readonly share: number | null;
  /** Type of order that a triggered stop becomes; null for an exchange without stop orders. */
  readonly stop: 'market' | 'limit' | null;
  /** Maximum quantity of one order. */
  readonly most?: number;
  readonly stopSell?: readonly { profit: number; stop: number }[];
  /** Strategy; only manual trading by default. */
  readonly strategy?: { readonly id: string; readonly params: Params };
}

/** A live bot, its connection to the exchange, and the faults of that connection. */
export class LiveHarness {
  readonly market: Market;
  readonly exchange: ModelExchange;
  /** State in the database, which alone survives a crash. */
  private saved: string;
  private session: LiveSession;
  private now = START;
  /** Open time of the newest candle. */
  private minute = 0;
  /** Requests that are saved and not sent yet. */
  outgoing: LiveRequest[] = [];
  /** Events that the bot has not received yet. */
  private incoming: ExecutionEvent[] = [];
  private requests = 0;
  /** All notes, including those that a crash has undone. */
  readonly journal: Note[] = [];
  betweenSaveAndSend = 0;
  betweenSendAndAnswer = 0;

  constructor({
    maker,
    share,
    stop,
    most = MARKET.maxQuantity,
    stopSell = [{ profit: 1, stop: 100 }],
    strategy = BY_HAND,
  }: LiveHarnessConfig) {
    this.market = { ...MARKET, maxQuantity: most, ...(stop === null ? {} : { stop }) };
    this.exchange = new ModelExchange(this.market, CAPITAL, toUnits(60_000));
    const checked = options({
      order_type: maker ? 'maker' : 'taker',
      period: '1m',
      min_periods: 18,
      poll_scan_time: 1_000,
      order_adjust_time: 2_000,
      stop_sell: stopSell,
      profit_win: [{ profit: 1, stop: 50 }],
      strategy: strategy.id,
    });
    this.session = createLiveSession({ id: 'abc123', options: checked, params: strategy.params, allotment: share });
    this.saved = JSON.stringify(this.session.state);
    this.begin(true);
  }

  private begin(start: boolean): void {
    this.feed({ type: 'resumed', at: this.now });
    if (start) this.feed({ type: 'command', at: this.now, command: { type: 'start' } });
    this.applySnapshot();
    this.feed({ type: 'history', at: this.now, market: this.market, candles: this.past() });
    this.quote(0);
  }

  feed(event: MarketEvent | ExecutionEvent): CommandResult | null {
    const output = feedLive(this.session, event);
    this.take(output);
    return output.result;
  }

  private take({ durable, requests, notes }: LiveOutput): void {
    this.journal.push(...notes);
    if (durable) this.saved = JSON.stringify(this.session.state);
    this.outgoing.push(...requests);
  }

  /** Returns candles with a constant price before now, oldest first. */
  private past(): ClosedCandle[] {
    this.minute = this.now - (this.now % 60_000) - 60_000;
    return Array.from({ length: 20 }, (_, index) => this.candleOf(this.minute - (19 - index) * 60_000));
  }

  private candleOf(time: number): ClosedCandle {
    const close = Number(formatUnits(this.exchange.price));
    return { time, open: close, high: close, low: close, close, volume: 1 };
  }

  /** Feeds the candle of the last full minute. */
  private candle(): void {
    const time = this.now - (this.now % 60_000) - 60_000;
    if (time <= this.minute) return;
    this.minute = time;
    this.feed({ type: 'candle', at: this.now, pair: PAIR, candle: this.candleOf(time) });
  }

  quote(change: number): void {
    const { exchange } = this;
    this.queueUpdates(exchange.moveTo(Math.max(toUnits(1_000), exchange.price + change * MARKET.tick * 100), this.now));
    const at = this.now;
    const size = toUnits(1, MARKET.assetDecimals);
    const [bid, ask] = [exchange.price - MARKET.tick, exchange.price + MARKET.tick];
    this.feed({ type: 'quote', pair: PAIR, at, bid, bidSize: size, ask, askSize: size, last: exchange.price });
    this.candle();
  }

  /** Advances the time by one candle. */
  minutePasses(): void {
    this.now += 60_000;
    this.quote(0);
  }

  applySnapshot(): void {
    const since = this.session.state.cursors[PAIR]?.at ?? START;
    this.feed({ type: 'account_snapshot', at: this.now, account: this.exchange.snapshot(this.now, since) });
  }

  private queueUpdates(updates: readonly (OrderReport | OwnFill)[]): void {
    for (const each of updates) {
      this.incoming.push(
        'status' in each
          ? { type: 'order_report', at: this.now, report: each }
          : { type: 'fills', at: this.now, fills: [each] },
      );
    }
  }

  /** Sends one request. @param outcome whether request and response arrive */
  perform(index: number, outcome: 'both' | 'requestLost' | 'responseLost' | 'refused', share: number): void {
    const [request] = this.outgoing.splice(index % Math.max(1, this.outgoing.length), 1);
    if (request === undefined) return;
    const at = this.now;
    if (request.type === 'place' || request.type === 'cancel') {
      this.incoming.push(this.written(request, outcome, share, at));
    } else if (outcome === 'both') {
      this.incoming.push(this.asked(request, at));
    }
  }

  /** Returns the event that follows an order or a cancel. */
  private written(
    request: Extract<LiveRequest, { type: 'place' | 'cancel' }>,
    outcome: 'both' | 'requestLost' | 'responseLost' | 'refused',
    share: number,
    at: number,
  ): ExecutionEvent {
    const places = request.type === 'place';
    const clientOrderId = places ? request.order.clientOrderId : request.clientOrderId;
    const refused: ExecutionEvent = { type: 'rejected', at, clientOrderId, how: 'rejected', why: 'no' };
    const unanswered: ExecutionEvent = { type: 'outcome_unknown', at, clientOrderId };
    // The exchange never gets a lost request; it acts on one whose response is lost.
    if (outcome === 'requestLost') return unanswered;
    if (outcome === 'refused' && places) return refused;
    const { report, updates } = places
      ? this.exchange.place(request.order, at, share)
      : this.exchange.cancel(clientOrderId, at);
    this.queueUpdates(updates);
    if (outcome === 'responseLost') return unanswered;
    if (report !== null) return { type: 'order_report', at, report };
    return places && !this.exchange.orders.has(clientOrderId) ? refused : unanswered;
  }

  private asked(request: Extract<LiveRequest, { type: 'query_order' | 'query_fills' }>, at: number): ExecutionEvent {
    if (request.type === 'query_fills') return { type: 'fills', at, fills: this.exchange.fillsFrom(request.since) };
    const { clientOrderId } = request;
    const report = this.exchange.report(clientOrderId);
    return report === null
      ? { type: 'not_found', at, clientOrderId, askedAt: at }
      : { type: 'order_status', at, report };
  }

  private deliver(index: number, keep: boolean): void {
    if (this.incoming.length === 0) return;
    const at = index % this.incoming.length;
    const event = this.incoming[at] as ExecutionEvent;
    if (!keep) this.incoming.splice(at, 1);
    this.feed({ ...event, at: this.now });
  }

  crash(): void {
    if (this.outgoing.some(({ type }) => type === 'place')) this.betweenSaveAndSend += 1;
    if (this.incoming.length > 0) this.betweenSendAndAnswer += 1;
    this.outgoing = [];
    this.incoming = [];
    this.session = restoreLive(JSON.parse(this.saved) as LiveState);
    this.begin(false);
  }

  private command(command: Command): CommandResult | null {
    return this.feed({ type: 'command', at: this.now, command });
  }

  /** Feeds a new state of the API key. */
  key(state: KeyState): void {
    this.feed({ type: 'key_state', at: this.now, state });
  }

  /** Feeds a pause of the exchange. @returns its end */
  pause(ms: number, banned: boolean): number {
    const until = ms === 0 ? 0 : this.now + ms;
    this.feed({ type: 'paused', at: this.now, until, banned });
    return until;
  }

  /** @param value in the currency */
  buy(value: number, order: 'maker' | 'taker' = 'taker'): CommandResult | null {
    return this.command({ type: 'buy', pair: PAIR, order, value: toUnits(value), requestId: `r${this.requests++}` });
  }

  sell(percent: number, order: 'maker' | 'taker' = 'taker'): CommandResult | null {
    return this.command({ type: 'sell', pair: PAIR, order, percent, requestId: `r${this.requests++}` });
  }

  /** Places an entry at a price. @param price in the currency; @param value likewise */
  buyAt(order: 'limit' | 'post_only' | 'stop', price: number, value: number, stopLoss = 0): CommandResult | null {
    const at = { order, price: toUnits(price), value: toUnits(value) } as const;
    const exits = stopLoss > 0 && { exits: { stopLoss: toUnits(stopLoss), takeProfit: 0 } };
    return this.command({ type: 'buy', pair: PAIR, requestId: `r${this.requests++}`, ...at, ...exits });
  }

  /** Sets a price exit. @param stopLoss and @param takeProfit in the currency; 0 for none */
  setExit(stopLoss: number, takeProfit: number, percent = 100): CommandResult | null {
    const prices = { stopLoss: toUnits(stopLoss), takeProfit: toUnits(takeProfit) };
    return this.command({ type: 'set_exit', pair: PAIR, requestId: `r${this.requests++}`, percent, ...prices });
  }

  removeExit(exit: number): CommandResult | null {
    return this.command({ type: 'remove_exit', pair: PAIR, exit });
  }

  /** Cancels an entry at a price, which would otherwise wait for ever. */
  cancelEntry(): void {
    const entry = this.state.bot.pairs[0]?.entry;
    if (entry) this.command({ type: 'cancel', clientOrderId: `abc123-${entry.id}-${entry.orders}` });
  }

  /** Returns the last price in the currency, moved by a part of it. */
  priceMoved(part: number): number {
    return Math.round((this.exchange.price / 1e8) * (1 + part) * 100) / 100;
  }

  halt(close: boolean): void {
    this.command({ type: 'halt', pair: PAIR, close });
  }

  change(given: Readonly<Record<string, unknown>>): void {
    this.command({ type: 'change', options: given, params: {} });
  }

  wait(ms: number): void {
    this.now += ms;
    this.feed({ type: 'timer', at: this.now });
  }

  /** Reports a placed order as open, and then twice that the exchange does not have it. */
  disappear({ order }: Extract<LiveRequest, { type: 'place' }>): void {
    const { clientOrderId, pair, side, type, price, quantity } = order;
    const report = {
      clientOrderId,
      pair,
      side,
      type,
      price,
      quantity,
      filled: 0,
      status: 'open',
      at: this.now,
    } as const;
    this.feed({ type: 'order_report', at: this.now, report });
    for (let query = 0; query < 2; query++) {
      this.now += 3_000;
      this.quote(0);
      this.feed({ type: 'not_found', at: this.now, clientOrderId, askedAt: this.now });
    }
  }

  /** Delivers all pending events to the bot. */
  deliverAll(): void {
    while (this.incoming.length > 0) this.deliver(0, false);
  }

  /** Fills a part of an open order, at its price. */
  private trade(n: number): void {
    const open = [...this.exchange.orders.values()].filter(({ status, waits }) => status === 'open' && !waits);
    const order = open[n % Math.max(1, open.length)];
    if (order === undefined) return;
    const { request, filled } = order;
    const part = n % 3 === 0 ? request.quantity - filled : MARKET.step * (1 + (n % 5));
    const quantity = Math.min(part, request.quantity - filled);
    this.queueUpdates(this.exchange.fill(request.clientOrderId, quantity, request.price, this.now));
  }

  move({ what, n }: Move): void {
    this.now += 1 + n;
    switch (what) {
      case 'quote':
        this.quote((n % 21) - 10);
        break;
      case 'perform':
        this.perform(n, 'both', [1, 1, 1, 0.5, 0][n % 5] as number);
        break;
      case 'requestLost':
      case 'responseLost':
      case 'refused':
        this.perform(n, what, 1);
        break;
      case 'deliver':
      case 'twice':
        this.deliver(n, what === 'twice');
        break;
      case 'wait':
        this.wait(n * 5);
        break;
      case 'fill':
        this.trade(n);
        break;
      case 'buy':
        this.buy(50 + n, n % 2 === 0 ? 'maker' : 'taker');
        break;
      case 'sell':
        this.sell(1 + (n % 100), n % 2 === 0 ? 'maker' : 'taker');
        break;
      case 'priced':
        this.buyAt(
          (['limit', 'post_only', 'stop'] as const)[n % 3] as 'limit',
          this.priceMoved(((n % 13) - 6) / 20_000),
          50 + n,
        );
        break;
      case 'setExit':
        this.setExit(
          n % 4 === 0 ? 0 : this.priceMoved(-(1 + (n % 40)) / 2_000),
          n % 3 === 0 ? this.priceMoved((1 + (n % 50)) / 5_000) : 0,
          n % 5 === 0 ? 40 : 100,
        );
        break;
      case 'removeExit':
        this.removeExit(1 + (n % 3));
        break;
      case 'crash':
        this.crash();
        break;
      case 'snapshot':
        this.applySnapshot();
        break;
      case 'fall':
        // The bot receives the price later.
        this.fall(n / 40_000);
        break;
      case 'byHand':
        this.cancelByHand(n);
        break;
      case 'change':
        this.change({ stop_sell: STOP_TABLES[n % STOP_TABLES.length] });
        break;
      case 'key':
        this.key((['fine', 'refused', 'may_withdraw', 'fine'] as const)[n % 4] as KeyState);
    }
  }

  /** @param part fraction of the price */
  fall(part: number): void {
    this.fallTo(this.exchange.price * (1 - part));
  }

  fallTo(price: Price): void {
    const tickPrice = Math.round(price / MARKET.tick) * MARKET.tick;
    this.queueUpdates(this.exchange.moveTo(Math.max(toUnits(1_000), tickPrice), this.now));
  }

  /** Sends all requests and delivers all events until none are left. */
  private exchangeAll(): void {
    for (let round = 0; this.outgoing.length + this.incoming.length > 0; round++) {
      if (round > 1_000) throw new Error(`the session does not settle: ${JSON.stringify(this.journal.slice(-8))}`);
      while (this.outgoing.length > 0) this.perform(0, 'both', 1);
      this.deliverAll();
    }
  }

  /** Cancels an order of the bot as the user of the account. */
  cancelByHand(n: number): void {
    const open = [...this.exchange.orders].filter(([, { status }]) => status === 'open');
    const [name] = open[n % Math.max(1, open.length)] ?? [];
    if (name !== undefined) this.cancelOrderByHand(name);
  }

  /** Cancels that order of the bot as the user of the account. */
  cancelOrderByHand(name: string): void {
    this.queueUpdates(this.exchange.cancel(name, this.now).updates);
  }

  /** Cancels the stop of the bot as the user of the account. */
  cancelStopByHand(): void {
    this.endStop('canceled');
  }

  /** Expires the stop of the bot at the exchange. */
  expireStop(): void {
    this.endStop('expired');
  }

  private endStop(how: 'canceled' | 'expired'): void {
    for (const [name, { status, waits }] of this.exchange.orders) {
      if (status === 'open' && waits) this.queueUpdates(this.exchange.end(name, how, this.now).updates);
    }
  }

  /** Returns the performance figures of the user interface. */
  performance() {
    return performanceView(this.session);
  }

  get state(): LiveState {
    return this.session.state;
  }

  /** Continues without faults until all events are delivered and the bot has had time to act. */
  settle(rounds = 500): LiveState {
    this.key('fine');
    let calm = 0;
    for (let round = 0; round < rounds && calm < 5; round++) {
      this.now += 500;
      this.exchangeAll();
      const { orders, bot } = this.session.state;
      const working = orders.every(({ known, cancel }) => known && cancel === 'none');
      const [pair] = bot.pairs;
      const idle = pair?.entry === null && pair.exit === null && pair.stop?.order?.status !== 'cancelling';
      const waits = Object.values(this.session.state.stops).some(({ gap }) => gap !== null && PASSING.has(gap));
      calm = working && idle && !waits ? calm + 1 : 0;
      const restart = nextLiveTimer(this.session);
      if (restart !== null) this.now = Math.max(this.now, Math.min(restart, this.now + 10_000));
      this.quote(0);
      this.feed({ type: 'timer', at: this.now });
      if (round % 10 === 9) this.applySnapshot();
    }
    return this.session.state;
  }

  /** Stops the bot without further faults and delivers all events. */
  end(): LiveState {
    this.feed({ type: 'command', at: this.now, command: { type: 'stop' } });
    for (let round = 0; round < 200 && !this.atRest(); round++) {
      this.now += 500;
      while (this.outgoing.length > 0) this.perform(0, 'both', 1);
      while (this.incoming.length > 0) this.deliver(0, false);
      const restart = nextLiveTimer(this.session);
      if (restart !== null) this.now = Math.max(this.now, Math.min(restart, this.now + 60_000));
      this.feed({ type: 'timer', at: this.now });
      if (round % 10 === 9) this.applySnapshot();
    }
    for (let sync = 0; sync < 3; sync++) {
      this.now += 60_000;
      this.applySnapshot();
    }
    return this.session.state;
  }

  private atRest(): boolean {
    const { orders, bot } = this.session.state;
    const none = orders.length === 0 && this.outgoing.length === 0 && this.incoming.length === 0;
    return none && bot.status === 'finished';
  }
}
