import type { Contract } from '../../accounts/futures/contracts.ts';
import { FuturesAccount } from '../../accounts/futures/futuresAccount.ts';
import type {
  AlgoOrder,
  AlgoOrderRequest,
  FuturesChange,
  FuturesOrder,
  FuturesOrderRequest,
  FuturesRecord,
  MarginType,
  PositionSide,
} from '../../accounts/futures/futuresOrders.ts';
import { type Mark, nextMark } from '../../accounts/futures/markPrice.ts';
import type { AccountStatement } from '../../accounts/futures/statement.ts';
import type { Match, PairMarket } from '../../market/pairMarket.ts';
import { tradeOfFill } from '../accountTrades.ts';
import type { VenueOptions } from '../openMarkets.ts';
import { type MarketEvent, Venue } from '../venue.ts';
import { changeMargin, setHedgeMode, setLeverage, setMarginType } from './accountSettings.ts';
import { AlgoOrders } from './algoOrders.ts';
import { FundingClock } from './fundingClock.ts';
import { type FindOrder, FuturesState, type MarginCall } from './futuresState.ts';
import { Liquidator } from './liquidator.ts';
import { checkOrder } from './orderChecks.ts';
import {
  amendOrder,
  bookMatch,
  cancelOrder,
  capClosingOrders,
  expireOrders,
  placeOrder,
  restoreOrders,
} from './orderMatching.ts';

const DEPOSIT = 100_000n * 10n ** 8n;
const FUNDING_MS = 8 * 3_600_000;

export type FuturesEvent = MarketEvent | FuturesChange | MarginCall;

/**
 * A futures exchange: a venue with a margin account, mark prices, funding, conditional orders and liquidation.
 *
 * Every method with a `now` first plays the market up to that time and acts. Then it writes the journal, calls the
 * listeners and returns.
 */
export class FuturesExchange {
  readonly account: FuturesAccount;
  readonly #venue: Venue<FuturesRecord, FuturesChange | MarginCall>;
  readonly #state: FuturesState;
  readonly #funding: FundingClock;
  readonly #algos: AlgoOrders;
  readonly #liquidator: Liquidator;

  private constructor(state: FuturesState, funding: FundingClock) {
    this.account = state.account;
    this.#venue = state.venue;
    this.#state = state;
    this.#funding = funding;
    this.#algos = new AlgoOrders(state);
    this.#liquidator = new Liquidator(state);
  }

  /**
   * Opens a new market, or continues the one of a folder.
   *
   * @param fundingMs time between fundings
   */
  static open(options: VenueOptions<Contract>, fundingMs = FUNDING_MS): FuturesExchange {
    const { pairs, now, stored } = options;
    // The folder holds the records that this class wrote.
    const journal = (stored?.journal ?? []) as FuturesRecord[];
    const account = new FuturesAccount(pairs);
    for (const record of journal) account.apply(record);
    const journalled = journal
      .filter((record) => record.kind === 'fill')
      .map((fill) => tradeOfFill(fill, account.order(fill.symbol, fill.orderId)?.side === 'buy'));
    const venue = Venue.open<FuturesRecord, FuturesChange | MarginCall>(options, journalled);
    const paidUntil = Math.max(account.fundedUntil, stored?.state?.time ?? now);
    const state = new FuturesState(account, venue);
    const exchange = new FuturesExchange(state, new FundingClock(state, fundingMs, paidUntil));
    if (journal.length === 0) state.apply({ kind: 'deposit', units: String(DEPOSIT), time: state.time });
    venue.start(
      { onMatch: (market, match) => exchange.#onMatch(market, match), onStep: () => exchange.#onStep() },
      (market) => restoreOrders(state, market),
    );
    venue.transact(now, () => {
      for (const market of venue.markets) capClosingOrders(state, market);
    });
    return exchange;
  }

  get markets(): readonly PairMarket[] {
    return this.#venue.markets;
  }

  get seed(): number {
    return this.#venue.seed;
  }

  get fundingMs(): number {
    return this.#funding.intervalMs;
  }

  /** Set when the folder could not be written; the exchange then does nothing any more. */
  get failure(): Error | undefined {
    return this.#venue.failure;
  }

  set failure(error: Error | undefined) {
    this.#venue.failure = error;
  }

  /** Market time in epoch milliseconds; it never goes back. */
  get time(): number {
    return this.#venue.time;
  }

  market(symbol: string): PairMarket | undefined {
    return this.#venue.market(symbol);
  }

  contract(market: PairMarket): Contract {
    return this.#state.contract(market);
  }

  /** Returns the mark and index price of a contract. */
  mark(market: PairMarket): Readonly<Mark> {
    return this.#state.mark(market);
  }

  /** Returns the next funding rate, in parts per 100,000,000, and when it is paid. */
  funding(market: PairMarket): { rate: number; at: number } {
    return this.#funding.next(market);
  }

  /** Returns the account at the present mark prices. */
  statement(): AccountStatement {
    return this.#state.statement();
  }

  addListener(listener: (events: readonly FuturesEvent[]) => void): void {
    this.#venue.addListener(listener);
  }

  /** Plays the market up to `now`. */
  advance(now: number): void {
    this.#venue.transact(now, () => {});
  }

  /**
   * Places an order.
   *
   * @throws FuturesRejected when it breaks no filter but cannot be accepted
   * @returns the order after matching
   */
  place(symbol: string, request: FuturesOrderRequest, now: number): FuturesOrder {
    return this.#venue.transact(now, () => ({ ...placeOrder(this.#state, this.#state.market(symbol), request) }));
  }

  /** Checks an order as `place` does and changes nothing. @throws FuturesRejected */
  check(symbol: string, request: FuturesOrderRequest, now: number): void {
    this.#venue.transact(now, () => {
      checkOrder(this.#state, this.#state.market(symbol), request);
    });
  }

  /** Cancels an open order. @throws FuturesRejected `unknown-order` when it is not open any more */
  cancel(symbol: string, find: FindOrder, now: number): FuturesOrder {
    return this.#venue.transact(now, () => ({ ...cancelOrder(this.#state, this.#state.market(symbol), find) }));
  }

  /** Changes price and quantity of an open limit order; it loses its place in the queue. @throws FuturesRejected */
  amend(symbol: string, find: FindOrder, to: { tick: number; steps: number }, now: number): FuturesOrder {
    return this.#venue.transact(now, () => ({ ...amendOrder(this.#state, this.#state.market(symbol), find, to) }));
  }

  /** Places a conditional order. @throws FuturesRejected */
  placeAlgo(symbol: string, request: AlgoOrderRequest, now: number): AlgoOrder {
    return this.#venue.transact(now, () => ({ ...this.#algos.place(this.#state.market(symbol), request) }));
  }

  /** Cancels a conditional order that is not triggered. @throws FuturesRejected `unknown-order` */
  cancelAlgo(find: (account: FuturesAccount) => AlgoOrder | undefined, now: number): AlgoOrder {
    return this.#venue.transact(now, () => ({ ...this.#algos.cancel(find) }));
  }

  /** @throws FuturesRejected */
  setLeverage(symbol: string, leverage: number, now: number): void {
    this.#venue.transact(now, () => setLeverage(this.#state, symbol, leverage));
  }

  /** @throws FuturesRejected */
  setMarginType(symbol: string, marginType: MarginType, now: number): void {
    this.#venue.transact(now, () => setMarginType(this.#state, symbol, marginType));
  }

  /** @throws FuturesRejected */
  setHedgeMode(hedgeMode: boolean, now: number): void {
    this.#venue.transact(now, () => setHedgeMode(this.#state, hedgeMode));
  }

  /** Adds margin to an isolated position, or removes some. @param units below 0 to remove. @throws FuturesRejected */
  changeMargin(symbol: string, positionSide: PositionSide, units: bigint, now: number): void {
    this.#venue.transact(now, () => changeMargin(this.#state, symbol, positionSide, units));
  }

  /** Saves the state of the simulation. @param clean true when nothing will happen any more */
  save(clean: boolean): void {
    this.#venue.save(clean);
  }

  #onMatch(market: PairMarket, match: Match): void {
    this.#algos.onTrades(market, match.trades);
    bookMatch(this.#state, market, match);
  }

  /** Prices have moved or time has passed: updates mark prices, funding, expiries, conditional orders and margin. */
  #onStep(): void {
    for (const market of this.markets) this.#updateMark(market);
    this.#funding.payDue();
    expireOrders(this.#state);
    this.#algos.triggerDue();
    if (this.account.positions().length > 0) this.#liquidator.checkMargin();
  }

  #updateMark(market: PairMarket): void {
    const index = Math.round(this.#venue.fairPrice(market) * 1e8);
    const { rate } = this.#funding.next(market);
    this.#state.updateMark(market, (last) => nextMark(market, last, index, rate, this.#funding.remainingPart()));
  }
}
