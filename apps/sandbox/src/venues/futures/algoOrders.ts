import { canClose } from '../../accounts/futures/closingOrders.ts';
import type { FuturesAccount } from '../../accounts/futures/futuresAccount.ts';
import type { AlgoOrder, AlgoOrderRequest, FuturesOrderRequest } from '../../accounts/futures/futuresOrders.ts';
import { tickUnits } from '../../accounts/futures/markPrice.ts';
import type { Side } from '../../book/book.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { Trade } from '../../market/trade.ts';
import { FuturesRejected } from './futuresRejected.ts';
import type { FuturesState } from './futuresState.ts';
import { checkOrder, checkPositionSide } from './orderChecks.ts';
import { createOrder, matchOrder } from './orderMatching.ts';

/** The first id of conditional orders. */
const FIRST_ALGO_ID = 1_000_000;

/** Keeps the conditional orders of the account: stops, take-profits and trailing stops. */
export class AlgoOrders {
  readonly #state: FuturesState;
  /** Lowest and highest trade of each market since `triggerDue`, in ticks. */
  readonly #ranges: { low: number; high: number }[];

  constructor(state: FuturesState) {
    this.#state = state;
    this.#ranges = state.venue.markets.map(({ lastTick }) => ({ low: lastTick, high: lastTick }));
  }

  /** Places a conditional order. @throws FuturesRejected */
  place(market: PairMarket, request: AlgoOrderRequest): AlgoOrder {
    const { account, time } = this.#state;
    const { symbol } = market.pair;
    this.#check(market, request);
    const id = FIRST_ALGO_ID + account.algos.length;
    this.#state.apply({ kind: 'algo', symbol, id, time, ...request });
    const algo = account.algo(id) as AlgoOrder;
    if (request.type === 'TRAILING_STOP_MARKET' && request.activatePrice === 0) this.#trail(market, algo);
    return algo;
  }

  /** Cancels a conditional order that is not triggered. @throws FuturesRejected `unknown-order` */
  cancel(find: (account: FuturesAccount) => AlgoOrder | undefined): AlgoOrder {
    const algo = find(this.#state.account);
    if (!algo || !this.#state.account.pendingAlgos.has(algo.id)) throw new FuturesRejected('unknown-order');
    this.#end(algo, 'CANCELED');
    return algo;
  }

  /** Widens the range of prices of a market by its trades. */
  onTrades(market: PairMarket, trades: readonly Trade[]): void {
    const range = this.#rangeOf(market);
    for (const { tick } of trades) {
      range.low = Math.min(range.low, tick);
      range.high = Math.max(range.high, tick);
    }
  }

  /** Triggers or expires the orders that are due, then begins new price ranges. */
  triggerDue(): void {
    const { account, venue } = this.#state;
    for (const algo of [...account.pendingAlgos.values()]) {
      // An order that was triggered before in this loop may have ended this one.
      if (account.pendingAlgos.has(algo.id)) this.#triggerIfDue(algo);
    }
    for (const market of venue.markets) {
      const range = this.#rangeOf(market);
      range.low = range.high = market.lastTick;
    }
  }

  #triggerIfDue(algo: AlgoOrder): void {
    const market = this.#state.market(algo.symbol);
    if (market.status !== 'trading') return;
    if (algo.goodTill !== 0 && algo.goodTill <= this.#state.time) this.#end(algo, 'EXPIRED');
    else if (this.#isDue(market, algo)) this.#trigger(market, algo);
  }

  #check(market: PairMarket, request: AlgoOrderRequest): void {
    const { account } = this.#state;
    const { symbol } = market.pair;
    if (market.status !== 'trading') throw new FuturesRejected('market-closed');
    checkPositionSide(this.#state, request.positionSide);
    const same = account.algoByClientId(request.clientId);
    if (same && account.pendingAlgos.has(same.id)) throw new FuturesRejected('duplicate-client-id');
    const price = this.#workingPrice(market, request);
    const rising = triggersAbove(request);
    if (request.triggerPrice > 0 && (rising ? price >= request.triggerPrice : price <= request.triggerPrice)) {
      throw new FuturesRejected('would-trigger');
    }
    if (request.timeInForce !== 'GTE_GTC') return;
    if (request.closePosition && this.#hasClosingAlgo(symbol, request)) throw new FuturesRejected('closing-exists');
    if (!canClose(account, symbol, request)) throw new FuturesRejected('needs-position');
  }

  #hasClosingAlgo(symbol: string, request: AlgoOrderRequest): boolean {
    return [...this.#state.account.pendingAlgos.values()].some(
      (algo) =>
        algo.closePosition &&
        algo.symbol === symbol &&
        algo.side === request.side &&
        algo.positionSide === request.positionSide &&
        triggersAbove(algo) === triggersAbove(request),
    );
  }

  #rangeOf(market: PairMarket): { low: number; high: number } {
    return this.#ranges[market.index] as { low: number; high: number };
  }

  /** Returns the price that a conditional order is compared with, in units of 1e-8. */
  #workingPrice(market: PairMarket, { workingType }: Pick<AlgoOrderRequest, 'workingType'>): number {
    return workingType === 'MARK_PRICE' ? this.#state.mark(market).mark : tickUnits(market, market.lastTick);
  }

  /** Returns the lowest and highest price that concern an order since the last check, in units of 1e-8. */
  #pricesSince(market: PairMarket, algo: AlgoOrder): { low: number; high: number } {
    // Trades before an order was placed do not concern it.
    if (algo.workingType === 'MARK_PRICE' || algo.time === this.#state.time) {
      const price = this.#workingPrice(market, algo);
      return { low: price, high: price };
    }
    const { low, high } = this.#rangeOf(market);
    return { low: tickUnits(market, low), high: tickUnits(market, high) };
  }

  #isDue(market: PairMarket, algo: AlgoOrder): boolean {
    const { low, high } = this.#pricesSince(market, algo);
    if (algo.type !== 'TRAILING_STOP_MARKET') {
      return triggersAbove(algo) ? high >= algo.triggerPrice : low <= algo.triggerPrice;
    }
    const selling = algo.side === 'sell';
    if (algo.extreme === 0) {
      const reached = selling ? high >= algo.activatePrice : low <= algo.activatePrice;
      if (reached) this.#trail(market, algo);
      return false;
    }
    this.#trail(market, algo);
    const distance = (algo.extreme * algo.callbackRate) / 10_000;
    return selling ? low <= algo.extreme - distance : high >= algo.extreme + distance;
  }

  /** Moves the best price of a trailing stop. */
  #trail(market: PairMarket, algo: AlgoOrder): void {
    const { low, high } = this.#pricesSince(market, algo);
    const better = algo.side === 'sell' ? high > algo.extreme : algo.extreme === 0 || low < algo.extreme;
    if (!better) return;
    const extreme = algo.side === 'sell' ? high : low;
    this.#state.apply({ kind: 'trail', algoId: algo.id, extreme, time: this.#state.time });
  }

  /** Turns a conditional order into an order, or rejects it. */
  #trigger(market: PairMarket, algo: AlgoOrder): void {
    const request = this.#triggeredRequest(algo);
    let steps: number;
    try {
      steps = checkOrder(this.#state, market, request);
    } catch (error) {
      if (!(error instanceof FuturesRejected)) throw error;
      this.#end(algo, 'REJECTED', error.reason);
      return;
    }
    const order = createOrder(this.#state, market, { ...request, steps }, { algoId: algo.id });
    this.#state.apply({ kind: 'trigger', algoId: algo.id, orderId: order.id, time: this.#state.time });
    matchOrder(this.#state, market, order);
  }

  #triggeredRequest(algo: AlgoOrder): FuturesOrderRequest {
    const held = Math.abs(this.#state.account.position(algo.symbol, algo.positionSide).steps);
    return {
      clientId: algo.clientId,
      side: algo.side,
      positionSide: algo.positionSide,
      type: algo.tick > 0 ? 'LIMIT' : 'MARKET',
      timeInForce: algo.timeInForce === 'GTE_GTC' ? 'GTC' : algo.timeInForce,
      tick: algo.tick,
      steps: algo.closePosition ? held : algo.steps,
      reduceOnly: algo.positionSide === 'BOTH' && (algo.reduceOnly || algo.closePosition),
      selfTrade: algo.selfTrade,
      goodTill: algo.goodTill,
    };
  }

  #end(algo: AlgoOrder, status: 'CANCELED' | 'EXPIRED' | 'REJECTED', reason = ''): void {
    this.#state.apply({ kind: 'algoEnd', algoId: algo.id, status, reason, time: this.#state.time });
  }
}

/** Whether a conditional order is triggered by a higher price. */
function triggersAbove({ type, side }: { type: AlgoOrderRequest['type']; side: Side }): boolean {
  const isStop = type === 'STOP' || type === 'STOP_MARKET';
  return isStop === (side === 'buy');
}
