import { notionalUnit } from '../money.ts';
import type { Contract } from './contracts.ts';
import { RATE_SCALE } from './funding.ts';
import type {
  AlgoOrder,
  FuturesChange,
  FuturesOrder,
  FuturesRecord,
  FuturesTrade,
  Income,
  IncomeType,
  MarginType,
  Position,
  PositionSide,
} from './futuresOrders.ts';
import { initialMargin, valueAt } from './margin.ts';

/** Fees in parts per million of the value traded. */
const MAKER_FEE = 200n;
export const TAKER_FEE = 500n;
const PER_MILLION = 1_000_000n;
const DEFAULT_LEVERAGE = 20;

/** Settings of a contract in the account. */
export type Settings = { leverage: number; marginType: MarginType };

/**
 * The demo futures account: wallet, positions, settings, orders and trades. Only `apply` changes it, live and when the
 * journal is read, so that the restored account equals the acknowledged one.
 */
export class FuturesAccount {
  /** Units of 1e-8 USDT: deposits + realised − fees + funding ± insurance. */
  wallet = 0n;
  /** Hedge mode: each contract has a long and a short position. */
  hedgeMode = false;
  updateTime = 0;
  /** The last time for which funding was booked. */
  fundedUntil = 0;
  readonly contracts: ReadonlyMap<string, Contract>;
  /** All orders of each contract, oldest first. */
  readonly orders = new Map<string, FuturesOrder[]>();
  readonly trades = new Map<string, FuturesTrade[]>();
  /** All conditional orders, oldest first. */
  readonly algos: AlgoOrder[] = [];
  /** Conditional orders that are not triggered yet. */
  readonly pendingAlgos = new Map<number, AlgoOrder>();
  readonly incomes: Income[] = [];
  /** Mark prices at funding times by contract, units of 1e-8. */
  readonly fundingMarks = new Map<string, Map<number, number>>();
  readonly marginChanges: { symbol: string; positionSide: PositionSide; units: bigint; time: number }[] = [];
  readonly #settings = new Map<string, Settings>();
  readonly #positions = new Map<string, Position>();
  readonly #open = new Map<string, Map<number, FuturesOrder>>();
  readonly #byId = new Map<string, Map<number, FuturesOrder>>();
  readonly #byClientId = new Map<string, Map<string, FuturesOrder>>();
  readonly #algoById = new Map<number, AlgoOrder>();
  readonly #algoByClientId = new Map<string, AlgoOrder>();

  constructor(contracts: readonly Contract[]) {
    this.contracts = new Map(contracts.map((contract) => [contract.symbol, contract]));
    for (const { symbol } of contracts) {
      this.orders.set(symbol, []);
      this.trades.set(symbol, []);
      this.fundingMarks.set(symbol, new Map());
      this.#open.set(symbol, new Map());
      this.#byId.set(symbol, new Map());
      this.#byClientId.set(symbol, new Map());
      this.#settings.set(symbol, { leverage: DEFAULT_LEVERAGE, marginType: 'CROSSED' });
    }
  }

  settings(symbol: string): Readonly<Settings> {
    return this.#settingsOf(symbol);
  }

  /** Returns a position, flat when there never was one. */
  position(symbol: string, side: PositionSide): Readonly<Position> {
    return this.#positions.get(`${symbol} ${side}`) ?? flat(symbol, side);
  }

  /** Returns every position that is not flat. */
  positions(): Readonly<Position>[] {
    return [...this.#positions.values()].filter(({ steps }) => steps !== 0);
  }

  /** The wallet less the margin of isolated positions. */
  get crossWallet(): bigint {
    let cross = this.wallet;
    for (const { isolated } of this.#positions.values()) cross -= isolated;
    return cross;
  }

  order(symbol: string, id: number): FuturesOrder | undefined {
    return this.#byId.get(symbol)?.get(id);
  }

  /** Returns the newest order with a client id; client ids are unique among open orders only. */
  orderByClientId(symbol: string, clientId: string): FuturesOrder | undefined {
    return this.#byClientId.get(symbol)?.get(clientId);
  }

  isOpen(order: FuturesOrder): boolean {
    return order.status === 'NEW' || order.status === 'PARTIALLY_FILLED';
  }

  /** Returns open orders, oldest first; of all contracts when none is given. */
  openOrders(symbol?: string): FuturesOrder[] {
    const lists = symbol === undefined ? [...this.#open.values()] : [this.#open.get(symbol) ?? new Map()];
    return lists.flatMap((list) => [...list.values()]);
  }

  algo(id: number): AlgoOrder | undefined {
    return this.#algoById.get(id);
  }

  algoByClientId(clientId: string): AlgoOrder | undefined {
    return this.#algoByClientId.get(clientId);
  }

  /** Whether an order can only reduce its position. */
  isClosing(order: { side: 'buy' | 'sell'; positionSide: PositionSide; reduceOnly: boolean }): boolean {
    if (order.positionSide === 'BOTH') return order.reduceOnly;
    return (order.positionSide === 'LONG') === (order.side === 'sell');
  }

  /** @throws Error when the record does not fit the account: the journal is damaged, or a rule was broken before */
  apply(record: FuturesRecord): FuturesChange {
    this.updateTime = Math.max(this.updateTime, record.time);
    const before = this.wallet;
    const touched = this.#change(record);
    return {
      kind: 'account',
      record,
      ...(touched.order && { order: { ...touched.order } }),
      ...(touched.trade && { trade: touched.trade }),
      ...(touched.algo && { algo: { ...touched.algo } }),
      positions: (touched.positions ?? []).map((position) => ({ ...position })),
      wallet: this.wallet,
      crossWallet: this.crossWallet,
      change: this.wallet - before,
      time: record.time,
    };
  }

  #change(record: FuturesRecord): {
    order?: FuturesOrder;
    trade?: FuturesTrade;
    algo?: AlgoOrder | undefined;
    positions?: Position[];
  } {
    switch (record.kind) {
      case 'deposit':
        this.#recordIncome('TRANSFER', '', BigInt(record.units), record.time);
        return {};
      case 'leverage':
        this.#settingsOf(record.symbol).leverage = record.leverage;
        return {};
      case 'marginType':
        this.#settingsOf(record.symbol).marginType = record.marginType;
        return {};
      case 'positionMode':
        this.hedgeMode = record.dual;
        return {};
      case 'margin':
        return { positions: [this.#changeMargin(record)] };
      case 'order':
        return { order: this.#place(record) };
      case 'amend': {
        const order = this.#orderOf(record.symbol, record.orderId);
        order.tick = record.tick;
        order.steps = record.steps;
        order.updateTime = record.time;
        return { order };
      }
      case 'fill':
        return this.#fill(record);
      case 'end': {
        const order = this.#orderOf(record.symbol, record.orderId);
        order.status = record.status;
        order.updateTime = record.time;
        return { order, algo: this.#finish(order) };
      }
      case 'algo':
        return { algo: this.#addAlgo(record) };
      case 'trail': {
        const algo = this.#algoOf(record.algoId);
        algo.extreme = record.extreme;
        return { algo };
      }
      case 'trigger': {
        const algo = this.#algoOf(record.algoId);
        algo.status = 'TRIGGERED';
        algo.orderId = record.orderId;
        algo.triggerTime = algo.updateTime = record.time;
        this.pendingAlgos.delete(algo.id);
        return { algo };
      }
      case 'algoEnd': {
        const algo = this.#algoOf(record.algoId);
        algo.status = record.status;
        algo.reason = record.reason;
        algo.updateTime = record.time;
        this.pendingAlgos.delete(algo.id);
        return { algo };
      }
      case 'funding':
        return { positions: [this.#payFunding(record)] };
      case 'fundingMark':
        this.fundedUntil = Math.max(this.fundedUntil, record.time);
        this.fundingMarks.get(record.symbol)?.set(record.time, record.mark);
        return {};
      case 'insurance':
        this.#recordIncome('INSURANCE_CLEAR', record.symbol, BigInt(record.units), record.time);
        return { positions: [this.#positionOf(record.symbol, record.positionSide)] };
    }
  }

  #changeMargin(record: FuturesRecord & { kind: 'margin' }): Position {
    const { symbol, positionSide, time } = record;
    const position = this.#positionOf(symbol, positionSide);
    const units = BigInt(record.units);
    position.isolated += units;
    position.updateTime = time;
    this.marginChanges.push({ symbol, positionSide, units, time });
    return position;
  }

  #payFunding(record: FuturesRecord & { kind: 'funding' }): Position {
    const position = this.#positionOf(record.symbol, record.positionSide);
    const contract = this.#contract(record.symbol);
    const value = valueAt(contract, record.mark, Math.abs(position.steps));
    const paid = divideRounded(value * BigInt(record.rate), BigInt(RATE_SCALE));
    const units = position.steps > 0 ? -paid : paid;
    if (this.#settingsOf(record.symbol).marginType === 'ISOLATED') position.isolated += units;
    this.fundedUntil = Math.max(this.fundedUntil, record.time);
    this.#recordIncome('FUNDING_FEE', record.symbol, units, record.time);
    return position;
  }

  #addAlgo(record: FuturesRecord & { kind: 'algo' }): AlgoOrder {
    const { kind: _, ...terms } = record;
    const algo: AlgoOrder = {
      ...terms,
      status: 'NEW',
      orderId: 0,
      extreme: 0,
      triggerTime: 0,
      updateTime: record.time,
      reason: '',
    };
    this.algos.push(algo);
    this.pendingAlgos.set(algo.id, algo);
    this.#algoById.set(algo.id, algo);
    this.#algoByClientId.set(algo.clientId, algo);
    return algo;
  }

  #place(record: FuturesRecord & { kind: 'order' }): FuturesOrder {
    const { kind: _, ...terms } = record;
    const order: FuturesOrder = { ...terms, status: 'NEW', filled: 0, turnover: 0n, updateTime: record.time };
    this.orders.get(order.symbol)?.push(order);
    this.#open.get(order.symbol)?.set(order.id, order);
    this.#byId.get(order.symbol)?.set(order.id, order);
    this.#byClientId.get(order.symbol)?.set(order.clientId, order);
    return order;
  }

  #fill(record: FuturesRecord & { kind: 'fill' }): {
    order: FuturesOrder;
    trade: FuturesTrade;
    algo: AlgoOrder | undefined;
    positions: Position[];
  } {
    const contract = this.#contract(record.symbol);
    const order = this.#orderOf(record.symbol, record.orderId);
    const position = this.#positionOf(record.symbol, order.positionSide);
    const { leverage, marginType } = this.#settingsOf(record.symbol);
    const price = BigInt(record.tick) * notionalUnit(contract);
    const direction = order.side === 'buy' ? 1 : -1;
    const held = Math.abs(position.steps);
    const closing = position.steps * direction < 0 ? Math.min(held, record.steps) : 0;
    let realised = 0n;
    if (closing > 0) {
      // A position that closes gives up all of its cost, so that no rounding remains.
      const cost = (position.cost * BigInt(closing)) / BigInt(held);
      realised = BigInt(-direction) * (price * BigInt(closing) - cost);
      position.cost -= cost;
      position.isolated -= (position.isolated * BigInt(closing)) / BigInt(held);
    }
    const opening = record.steps - closing;
    if (opening > 0) {
      const value = price * BigInt(opening);
      if (position.steps + direction * closing === 0) position.since = record.time;
      position.cost += value;
      if (marginType === 'ISOLATED') position.isolated += initialMargin(value, leverage);
    }
    position.steps += direction * record.steps;
    position.realised += realised;
    position.updateTime = record.time;
    const rate = record.maker ? MAKER_FEE : TAKER_FEE;
    const commission = order.liquidation ? 0n : divideRounded(price * BigInt(record.steps) * rate, PER_MILLION);
    if (realised !== 0n) this.#recordIncome('REALIZED_PNL', record.symbol, realised, record.time, record.tradeId);
    if (commission !== 0n) this.#recordIncome('COMMISSION', record.symbol, -commission, record.time, record.tradeId);
    order.filled += record.steps;
    order.turnover += BigInt(record.tick) * BigInt(record.steps);
    order.updateTime = record.time;
    if (order.filled > order.steps) throw new Error(`order ${order.symbol} ${order.id} is filled beyond its quantity`);
    order.status = order.filled === order.steps ? 'FILLED' : 'PARTIALLY_FILLED';
    const trade: FuturesTrade = {
      symbol: record.symbol,
      id: record.tradeId,
      orderId: order.id,
      side: order.side,
      positionSide: order.positionSide,
      tick: record.tick,
      steps: record.steps,
      maker: record.maker,
      time: record.time,
      commission,
      realised,
    };
    this.trades.get(record.symbol)?.push(trade);
    return { order, trade, algo: order.status === 'FILLED' ? this.#finish(order) : undefined, positions: [position] };
  }

  /** Removes an order that has ended, and finishes the conditional order it came from. */
  #finish(order: FuturesOrder): AlgoOrder | undefined {
    this.#open.get(order.symbol)?.delete(order.id);
    const algo = this.#algoById.get(order.algoId);
    if (algo) {
      algo.status = 'FINISHED';
      algo.updateTime = order.updateTime;
    }
    return algo;
  }

  #recordIncome(type: IncomeType, symbol: string, units: bigint, time: number, tradeId = 0): void {
    this.wallet += units;
    this.incomes.push({ id: this.incomes.length + 1, type, symbol, units, time, tradeId });
  }

  #contract(symbol: string): Contract {
    const contract = this.contracts.get(symbol);
    if (!contract) throw new Error(`unknown symbol ${symbol}`);
    return contract;
  }

  #settingsOf(symbol: string): Settings {
    const settings = this.#settings.get(symbol);
    if (!settings) throw new Error(`unknown symbol ${symbol}`);
    return settings;
  }

  #orderOf(symbol: string, id: number): FuturesOrder {
    const order = this.order(symbol, id);
    if (!order) throw new Error(`unknown order ${symbol} ${id}`);
    return order;
  }

  #algoOf(id: number): AlgoOrder {
    const algo = this.#algoById.get(id);
    if (!algo) throw new Error(`unknown conditional order ${id}`);
    return algo;
  }

  #positionOf(symbol: string, side: PositionSide): Position {
    const key = `${symbol} ${side}`;
    let position = this.#positions.get(key);
    if (!position) {
      position = flat(symbol, side);
      this.#positions.set(key, position);
    }
    return position;
  }
}

function flat(symbol: string, side: PositionSide): Position {
  return { symbol, side, steps: 0, cost: 0n, isolated: 0n, realised: 0n, since: 0, updateTime: 0 };
}

/** Divides and rounds to the nearest, halves away from zero. @param divisor above 0 */
function divideRounded(value: bigint, divisor: bigint): bigint {
  return value < 0n ? -((-value + divisor / 2n) / divisor) : (value + divisor / 2n) / divisor;
}
