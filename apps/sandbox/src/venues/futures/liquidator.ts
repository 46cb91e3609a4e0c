import type { FuturesOrderRequest, Position } from '../../accounts/futures/futuresOrders.ts';
import type { AccountStatement, PositionFigures } from '../../accounts/futures/statement.ts';
import { notionalUnit } from '../../accounts/money.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { FuturesState } from './futuresState.ts';
import { toTaker } from './orderChecks.ts';
import { capClosingOrders, createOrder } from './orderMatching.ts';

/** A margin call is emitted when maintenance margin exceeds this percentage of the margin balance. */
const MARGIN_CALL_PERCENT = 80n;
/** A liquidation takes the orders of the book within this percentage of the mark price. */
const LIQUIDATION_BAND_PERCENT = 5;
/** The owner number of the insurance fund in the books. */
const INSURANCE_OWNER = 2;
const PER_MILLION = 1_000_000n;

/** Watches the margin of the account: emits margin calls and liquidates positions. */
export class Liquidator {
  readonly #state: FuturesState;
  /** Keys of the margins for which a call has been emitted. */
  readonly #called = new Set<string>();

  constructor(state: FuturesState) {
    this.#state = state;
  }

  checkMargin(): void {
    const all = this.#state.statement();
    const called = [...this.#checkIsolated(all), ...this.#checkCross(all)];
    if (called.length === 0) return;
    const { crossWallet } = all;
    this.#state.venue.emit({ kind: 'margin-call', crossWallet, positions: called, time: this.#state.time });
  }

  /** @returns positions that need a margin call */
  #checkIsolated({ positions }: AccountStatement): PositionFigures[] {
    const called: PositionFigures[] = [];
    for (const row of positions) {
      if (row.marginType !== 'ISOLATED' || row.position.steps === 0) continue;
      const balance = row.position.isolated + row.unrealised;
      const key = `${row.contract.symbol} ${row.position.side}`;
      if (balance <= row.maintenance) this.#liquidate([row]);
      else if (this.#isNewCall(key, row.maintenance, balance)) called.push(row);
    }
    return called;
  }

  /** @returns positions that need a margin call */
  #checkCross(all: AccountStatement): PositionFigures[] {
    const cross = all.positions.filter((row) => row.marginType === 'CROSSED' && row.position.steps !== 0);
    if (cross.length === 0) return [];
    const balance = all.crossWallet + all.crossUnrealised;
    if (balance <= all.crossMaintenance) this.#liquidate(cross);
    else if (this.#isNewCall('cross', all.crossMaintenance, balance)) return cross;
    return [];
  }

  /** Whether this is the first check at which the margin is nearly used up. */
  #isNewCall(key: string, maintenance: bigint, balance: bigint): boolean {
    const isNear = maintenance * 100n > balance * MARGIN_CALL_PERCENT;
    const isNew = isNear && !this.#called.has(key);
    if (isNear) this.#called.add(key);
    else this.#called.delete(key);
    return isNew;
  }

  /**
   * Liquidates positions: cancels their orders, takes the orders of the book near the mark price and gives the rest to the
   * insurance fund. The fund takes its fee from the margin that is left, or pays what is missing.
   *
   * @param rows one isolated position, or all cross positions
   */
  #liquidate(rows: readonly PositionFigures[]): void {
    const { account, time } = this.#state;
    const walletBefore = account.wallet;
    const first = rows[0] as PositionFigures;
    const backing = first.marginType === 'ISOLATED' ? first.position.isolated : account.crossWallet;
    this.#cancelOrders(first);
    let fee = 0n;
    for (const { contract, position } of rows) {
      const closed = this.#closePosition(this.#state.market(contract.symbol), position);
      fee += (closed * BigInt(contract.clearanceFee)) / PER_MILLION;
    }
    const left = backing + account.wallet - walletBefore;
    const units = left < 0n ? -left : -(fee < left ? fee : left);
    if (units === 0n) return;
    const { symbol } = first.contract;
    const positionSide = first.position.side;
    this.#state.apply({ kind: 'insurance', symbol, positionSide, units: String(units), time });
  }

  /** Cancels the orders that share the margin of a position. */
  #cancelOrders({ contract, position, marginType }: PositionFigures): void {
    const { account } = this.#state;
    const isolated = marginType === 'ISOLATED';
    for (const order of account.openOrders(isolated ? contract.symbol : undefined)) {
      const sharesMargin = isolated
        ? order.positionSide === position.side
        : account.settings(order.symbol).marginType === 'CROSSED';
      if (!sharesMargin) continue;
      this.#state.market(order.symbol).book.cancel(order.id);
      this.#state.endOrder(order, 'CANCELED');
    }
  }

  /** @returns the value closed, in units of 1e-8 */
  #closePosition(market: PairMarket, position: Readonly<Position>): bigint {
    const { venue } = this.#state;
    const request = this.#liquidationRequest(market, position);
    const order = createOrder(this.#state, market, request, { liquidation: true });
    market.take(toTaker(order.id, order), this.#state.time);
    venue.settle(market);
    const rest = order.steps - order.filled;
    if (rest > 0) {
      // All nearer orders are gone, so the order of the insurance fund is the best of its side.
      const side = order.side === 'sell' ? 'buy' : 'sell';
      market.book.addOrder(market.nextOrderId++, INSURANCE_OWNER, side, order.tick, rest);
      market.take(toTaker(order.id, order), this.#state.time);
      venue.settle(market);
    }
    capClosingOrders(this.#state, market);
    venue.ensureTwoSided(market);
    return order.turnover * notionalUnit(market.pair);
  }

  #liquidationRequest(market: PairMarket, position: Readonly<Position>): FuturesOrderRequest {
    const { pair } = market;
    const side = position.steps > 0 ? 'sell' : 'buy';
    const mark = this.#state.mark(market).mark / 10 ** (8 - pair.priceDecimals);
    const band = (mark * LIQUIDATION_BAND_PERCENT) / 100;
    return {
      clientId: `autoclose-${this.#state.time}-${market.nextOrderId}`,
      side,
      positionSide: position.side,
      type: 'LIMIT',
      timeInForce: 'IOC',
      tick: side === 'sell' ? Math.max(1, Math.floor(mark - band)) : Math.min(pair.maxTick, Math.ceil(mark + band)),
      steps: Math.abs(position.steps),
      reduceOnly: position.side === 'BOTH',
      selfTrade: 'NONE',
      goodTill: 0,
    };
  }
}
