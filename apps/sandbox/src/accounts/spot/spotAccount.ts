import type { Pair } from '../../market/pairs.ts';
import { commission, type Fees, notionalUnit, STANDARD_FEES, stepUnit } from '../money.ts';
import {
  type AccountEvent,
  type AccountTrade,
  type Balance,
  isMarketPriced,
  isUntriggered,
  remainingSteps,
  type SpotOrder,
  type SpotRecord,
} from './spotOrders.ts';

/** A record that changes an order of the account. */
type OrderChange = Exclude<SpotRecord, { kind: 'deposit' | 'order' }>;

/**
 * The demo account: balances, orders and trades. Only `apply` changes it, live and when the journal is read, so that
 * the restored account equals the acknowledged one.
 */
export class SpotAccount {
  readonly balances = new Map<string, Balance>();
  /** All orders of each symbol, oldest first. */
  readonly orders = new Map<string, SpotOrder[]>();
  /** All trades of each symbol, oldest first. */
  readonly trades = new Map<string, AccountTrade[]>();
  readonly open = new Map<string, Map<number, SpotOrder>>();
  updateTime = 0;
  readonly fees: Fees;
  readonly #pairs: Map<string, Pair>;
  readonly #byId = new Map<string, Map<number, SpotOrder>>();
  readonly #untriggered = new Map<string, Map<number, SpotOrder>>();
  readonly #byClientId = new Map<string, Map<string, SpotOrder>>();

  constructor(pairs: readonly Pair[], fees: Fees = STANDARD_FEES) {
    this.fees = fees;
    this.#pairs = new Map(pairs.map((pair) => [pair.symbol, pair]));
    for (const pair of pairs) {
      this.orders.set(pair.symbol, []);
      this.trades.set(pair.symbol, []);
      this.open.set(pair.symbol, new Map());
      this.#untriggered.set(pair.symbol, new Map());
      this.#byId.set(pair.symbol, new Map());
      this.#byClientId.set(pair.symbol, new Map());
      for (const asset of [pair.base, pair.quote]) this.balances.set(asset, { free: 0n, locked: 0n });
    }
  }

  balance(asset: string): Balance {
    return this.balances.get(asset) ?? { free: 0n, locked: 0n };
  }

  order(symbol: string, id: number): SpotOrder | undefined {
    return this.#byId.get(symbol)?.get(id);
  }

  /** Returns the newest order with a client id; client ids are unique among open orders only. */
  orderByClientId(symbol: string, clientId: string): SpotOrder | undefined {
    return this.#byClientId.get(symbol)?.get(clientId);
  }

  isOpen(order: SpotOrder): boolean {
    return order.status === 'NEW' || order.status === 'PARTIALLY_FILLED';
  }

  /** Returns open orders, oldest first; of all symbols when none is given. */
  openOrders(symbol?: string): SpotOrder[] {
    const lists =
      symbol === undefined ? [...this.open.values()] : [this.open.get(symbol) ?? new Map<number, SpotOrder>()];
    return lists.flatMap((list) => [...list.values()]);
  }

  /** Returns the stop orders of a symbol that are not triggered, oldest first. */
  untriggeredStops(symbol: string): SpotOrder[] {
    const list = this.#untriggered.get(symbol);
    return list === undefined ? [] : [...list.values()];
  }

  /** @throws Error when the record does not fit the account: the journal is damaged, or a rule was broken before */
  apply(record: SpotRecord): AccountEvent {
    this.updateTime = record.time;
    if (record.kind === 'deposit') {
      const balance = this.#balanceOf(record.asset);
      balance.free += BigInt(record.units);
      return { kind: 'account', record, balances: [{ asset: record.asset, ...balance }], time: record.time };
    }
    const pair = this.#pairs.get(record.symbol);
    if (!pair) throw new Error(`unknown symbol ${record.symbol}`);
    const { order, trade } =
      record.kind === 'order' ? { order: this.#open(pair, record), trade: undefined } : this.#change(pair, record);
    if (!this.isOpen(order)) this.open.get(record.symbol)?.delete(order.id);
    if (!this.isOpen(order) || !isUntriggered(order)) this.#untriggered.get(record.symbol)?.delete(order.id);
    const balances = [pair.base, pair.quote].map((asset) => ({ asset, ...this.balance(asset) }));
    for (const { asset, free, locked } of balances) {
      if (free < 0n || locked < 0n) throw new Error(`${asset} balance below zero after ${JSON.stringify(record)}`);
    }
    return { kind: 'account', record, order: { ...order }, ...(trade && { trade }), balances, time: record.time };
  }

  #change(pair: Pair, record: OrderChange): { order: SpotOrder; trade: AccountTrade | undefined } {
    const order = this.order(record.symbol, record.orderId);
    if (!order) throw new Error(`unknown order ${record.symbol} ${record.orderId}`);
    let trade: AccountTrade | undefined;
    switch (record.kind) {
      case 'fill':
        trade = this.#fill(pair, order, record);
        break;
      case 'trigger':
        order.workingTime = record.time;
        break;
      case 'prevent':
        this.#release(pair, order, record.steps);
        order.prevented += record.steps;
        if (remainingSteps(order) === 0) order.status = 'EXPIRED_IN_MATCH';
        break;
      case 'amend':
        this.#amend(pair, order, record);
        break;
      case 'end':
        order.status = record.status;
        if (record.reason !== undefined) order.expiryReason = record.reason;
        this.#release(pair, order, remainingSteps(order));
    }
    order.updateTime = record.time;
    return { order, trade };
  }

  #amend(pair: Pair, order: SpotOrder, { steps, clientId, time }: SpotRecord & { kind: 'amend' }): void {
    this.#release(pair, order, order.steps - steps);
    order.amendments = [
      ...order.amendments,
      { time, steps: { from: order.steps, to: steps }, clientId: { from: order.clientId, to: clientId } },
    ];
    order.steps = steps;
    order.clientId = clientId;
    this.#byClientId.get(order.symbol)?.set(clientId, order);
  }

  #open(pair: Pair, record: SpotRecord & { kind: 'order' }): SpotOrder {
    const { kind: _, quoteOrdered, stopTick = 0, ...rest } = record;
    const order: SpotOrder = {
      ...rest,
      stopTick,
      quoteOrdered: BigInt(quoteOrdered),
      status: 'NEW',
      workingTime: stopTick > 0 ? -1 : record.time,
      filled: 0,
      prevented: 0,
      turnover: 0n,
      updateTime: record.time,
      amendments: [],
    };
    this.orders.get(pair.symbol)?.push(order);
    this.open.get(pair.symbol)?.set(order.id, order);
    if (isUntriggered(order)) this.#untriggered.get(pair.symbol)?.set(order.id, order);
    this.#byId.get(pair.symbol)?.set(order.id, order);
    this.#byClientId.get(pair.symbol)?.set(order.clientId, order);
    const balance = this.#balanceOf(order.side === 'buy' ? pair.quote : pair.base);
    const units = lockedUnits(pair, order, order.steps);
    balance.free -= units;
    balance.locked += units;
    return order;
  }

  #fill(pair: Pair, order: SpotOrder, record: SpotRecord & { kind: 'fill' }): AccountTrade {
    const turnover = BigInt(record.tick) * BigInt(record.steps);
    const base = this.#balanceOf(pair.base);
    const quote = this.#balanceOf(pair.quote);
    const quantity = BigInt(record.steps) * stepUnit(pair);
    const value = turnover * notionalUnit(pair);
    const buying = order.side === 'buy';
    const inBase = buying && this.fees.asset === 'received';
    const fee = commission(inBase ? quantity : value, record.maker ? this.fees.maker : this.fees.taker);
    this.#release(pair, order, record.steps);
    if (buying) {
      quote.free -= inBase ? value : value + fee;
      base.free += inBase ? quantity - fee : quantity;
    } else {
      base.free -= quantity;
      quote.free += value - fee;
    }
    order.filled += record.steps;
    order.turnover += turnover;
    if (remainingSteps(order) > 0) order.status = 'PARTIALLY_FILLED';
    else order.status = order.prevented > 0 ? 'EXPIRED_IN_MATCH' : 'FILLED';
    const trade: AccountTrade = {
      symbol: pair.symbol,
      id: record.tradeId,
      orderId: order.id,
      tick: record.tick,
      steps: record.steps,
      side: order.side,
      maker: record.maker,
      time: record.time,
      commission: fee,
      commissionAsset: inBase ? pair.base : pair.quote,
    };
    this.trades.get(pair.symbol)?.push(trade);
    return trade;
  }

  /** Unlocks the funds of `steps` of an order. */
  #release(pair: Pair, order: SpotOrder, steps: number): void {
    const balance = this.#balanceOf(order.side === 'buy' ? pair.quote : pair.base);
    const units = lockedUnits(pair, order, steps);
    balance.locked -= units;
    balance.free += units;
  }

  #balanceOf(asset: string): Balance {
    let balance = this.balances.get(asset);
    if (!balance) {
      balance = { free: 0n, locked: 0n };
      this.balances.set(asset, balance);
    }
    return balance;
  }
}

/**
 * Returns the units that an order locks for `steps` of its quantity. Market orders fill at once and lock nothing. The
 * cost of a market stop order is unknown, so a buyer locks nothing either.
 */
function lockedUnits(pair: Pair, order: SpotOrder, steps: number): bigint {
  if (order.type === 'MARKET') return 0n;
  if (order.side === 'sell') return BigInt(steps) * stepUnit(pair);
  return isMarketPriced(order.type) ? 0n : BigInt(order.tick) * BigInt(steps) * notionalUnit(pair);
}
