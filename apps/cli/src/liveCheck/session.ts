import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type OrderKind, orderKind, type SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OrderReport, OwnFill } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import type { Price, Quantity } from '@heron/engine/money/units.ts';
import { ExchangeError } from '@heron/exchanges/errors.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import type { AccountEvent, TradingExchange } from '@heron/exchanges/trading.ts';

/** The user has interrupted the check. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('interrupted');
  }
}

/** An expectation of the check was not met. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
}

/** An order of the check, from before it was sent. */
export interface SentOrder {
  readonly ticket: SizedOrderRequest;
  readonly kind: OrderKind;
  /** ms of this machine's clock. */
  readonly sentAt: number;
  answeredAt: number | null;
  /** The last state that the exchange reported; null before any. */
  report: OrderReport | null;
  /** Whether the exchange does not have it, or no longer has it. */
  over: boolean;
}

/** Dependencies of a check. */
export interface CheckDeps {
  readonly reading: PublicExchange;
  readonly trading: TradingExchange;
  readonly market: Market;
  /** Ends the check at the next moment, which then cleans up. */
  readonly signal: AbortSignal;
  /** Interval between queries of an order, and the time until it must be as expected, in ms. */
  readonly pollMs: number;
  readonly timeoutMs: number;
}

/** Best bid and ask, or the last price where the exchange reports no bid and ask. */
export interface BestPrices {
  readonly bid: Price;
  readonly ask: Price;
}

/** Records everything that a check has sent, so that it can be cleaned up. */
export class CheckSession {
  readonly deps: CheckDeps;
  readonly sent: SentOrder[] = [];
  /** When the account stream first reported an order, in ms, by client id. */
  readonly eventAt = new Map<string, number>();
  /** The venue's time before the first order. */
  readonly since: number;
  readonly #name = randomBytes(4).toString('hex');
  /** Resolves at the next event of the stream. */
  #nextEvent = Promise.withResolvers<void>();
  #connected = false;
  #streamFault: string | null = null;

  constructor(deps: CheckDeps) {
    this.deps = deps;
    this.since = deps.trading.time() - 1_000;
  }

  /** Records an event of the account stream. */
  onEvent(event: AccountEvent): void {
    if (event.type === 'connected') this.#connected = true;
    if (event.type === 'lost') this.#streamFault = event.error.message;
    const name = event.type === 'order' ? event.report.clientOrderId : null;
    if (name !== null && !this.eventAt.has(name)) this.eventAt.set(name, Date.now());
    this.#nextEvent.resolve();
    this.#nextEvent = Promise.withResolvers();
  }

  /** @throws CheckFailed when the account's stream does not connect in time */
  async streamConnected(): Promise<void> {
    const last = Date.now() + this.deps.timeoutMs;
    while (!this.#connected) {
      if (Date.now() > last)
        throw new CheckFailed(`the account stream did not connect: ${this.#streamFault ?? 'no response'}`);
      await this.wait();
    }
  }

  /** Waits for an event of the stream, or for one poll. @throws Interrupted */
  async wait(): Promise<void> {
    this.goOn();
    const { signal, pollMs } = this.deps;
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    await Promise.race([this.#nextEvent.promise, delay(pollMs, undefined, { signal: either }).catch(() => {})]);
    ended.abort();
    this.goOn();
  }

  /** @throws Interrupted */
  goOn(): void {
    if (this.deps.signal.aborted) throw new Interrupted();
  }

  async prices(): Promise<BestPrices> {
    const { reading, market } = this.deps;
    const [ticker] = await reading.tickers([market.pair]);
    const bid = ticker?.bid ?? ticker?.last ?? null;
    const ask = ticker?.ask ?? ticker?.last ?? null;
    if (bid === null || ask === null) throw new CheckFailed(`${market.pair} has no price`);
    return { bid, ask };
  }

  /** Sends an order, after recording it. */
  async place(
    given: Omit<SizedOrderRequest, 'clientOrderId' | 'pair' | 'assetDecimals' | 'decidedAt'>,
  ): Promise<SentOrder> {
    const { trading, market } = this.deps;
    const clientOrderId = `hchk-${this.#name}-${this.sent.length + 1}`;
    const { pair, assetDecimals } = market;
    const ticket: SizedOrderRequest = { ...given, clientOrderId, pair, assetDecimals, decidedAt: Date.now() };
    const order: SentOrder = {
      ...{ ticket, kind: orderKind(ticket), sentAt: Date.now(), answeredAt: null, report: null, over: false },
    };
    this.sent.push(order);
    try {
      const { report } = await trading.place(ticket);
      order.answeredAt = Date.now();
      if (report !== null) this.#note(order, report);
    } catch (error) {
      // A rejected order does not exist; after any other error it may.
      if (error instanceof ExchangeError && (error.kind === 'refused' || error.kind === 'misused')) order.over = true;
      throw error;
    }
    return order;
  }

  /**
   * Queries the state of an order.
   *
   * @returns null when the exchange does not know it
   */
  async ask(order: SentOrder): Promise<OrderReport | null> {
    const report = await this.deps.trading.order(order.ticket.pair, order.ticket.clientOrderId, order.kind);
    if (report !== null) this.#note(order, report);
    return report;
  }

  /** Waits until an order is as expected. @throws CheckFailed with what it is instead */
  async until(order: SentOrder, expected: (report: OrderReport) => boolean, words: string): Promise<OrderReport> {
    const last = Date.now() + this.deps.timeoutMs;
    for (;;) {
      const report = await this.ask(order);
      if (report !== null && expected(report)) return report;
      if (Date.now() > last) {
        throw new CheckFailed(`${order.ticket.clientOrderId} should be ${words} but is ${report?.status ?? 'unknown'}`);
      }
      await this.wait();
    }
  }

  /** Fills of the check so far, oldest first. */
  async fills(): Promise<OwnFill[]> {
    const names = new Set(this.sent.map(({ ticket }) => ticket.clientOrderId));
    const { trading, market } = this.deps;
    const all = await trading.ownTrades(market.pair, { at: this.since, id: '' });
    return all.filter(({ clientOrderId }) => names.has(clientOrderId));
  }

  /** Waits until the fills of the account add up to the filled quantities of its orders. */
  async allFills(): Promise<OwnFill[]> {
    const last = Date.now() + this.deps.timeoutMs;
    const filled = this.sent.reduce((sum, { report }) => sum + (report?.filled ?? 0), 0);
    for (;;) {
      const fills = await this.fills();
      const listed = fills.reduce((sum, { quantity }) => sum + quantity, 0);
      if (listed === filled) return fills;
      if (Date.now() > last)
        throw new CheckFailed(`orders filled ${filled} units, but the list of trades contains ${listed}`);
      await this.wait();
    }
  }

  /**
   * Returns the quantity held because of the check, in asset units; less than a step of it cannot be sold.
   *
   * @throws CheckFailed while the lists of the exchange contradict each other
   */
  async held(): Promise<Quantity> {
    const { trading, market } = this.deps;
    const net = this.sent.reduce(
      (sum, { ticket, report }) => sum + (ticket.side === 'buy' ? 1 : -1) * (report?.filled ?? 0),
      0,
    );
    if (trading.margin !== null) {
      const positions = await trading.margin.positions();
      const position = positions.find(({ pair }) => pair === market.pair)?.quantity ?? 0;
      if (position < net) throw new CheckFailed('the position is smaller than the fills of the check');
      return net;
    }
    const fills = await this.fills();
    const listed = fills.reduce((sum, { side, quantity }) => sum + (side === 'buy' ? quantity : -quantity), 0);
    if (listed !== net) throw new CheckFailed('the list of trades does not contain all fills yet');
    return fills.reduce((sum, { fee, feeAsset }) => sum - (feeAsset === market.base ? fee : 0), net);
  }

  #note(order: SentOrder, report: OrderReport): void {
    order.report = report;
    order.over = report.status !== 'open';
  }
}
