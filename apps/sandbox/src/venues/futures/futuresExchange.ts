import { canClose, closableSteps, excessOrders } from '../../accounts/futures/closingOrders.ts';
import type { Contract } from '../../accounts/futures/contracts.ts';
import { fundingRate, nextFunding } from '../../accounts/futures/funding.ts';
import { FuturesAccount } from '../../accounts/futures/futuresAccount.ts';
import type {
  AlgoOrder,
  AlgoOrderRequest,
  FuturesChange,
  FuturesOrder,
  FuturesOrderRequest,
  FuturesRecord,
  MarginType,
  OrderEnd,
  Position,
  PositionSide,
} from '../../accounts/futures/futuresOrders.ts';
import { initialMargin, maxNotionalAt } from '../../accounts/futures/margin.ts';
import { type Mark, nextMark, tickUnits } from '../../accounts/futures/markPrice.ts';
import { orderCost } from '../../accounts/futures/orderCost.ts';
import {
  type AccountStatement,
  absolute,
  accountStatement,
  orderMargin,
  type PositionFigures,
} from '../../accounts/futures/statement.ts';
import { notionalUnit } from '../../accounts/money.ts';
import { DEMO_OWNER } from '../../accounts/spot/spotAccount.ts';
import { CROWD, type Side, type Taker } from '../../book/book.ts';
import type { Match, PairMarket } from '../../market/pairMarket.ts';
import type { DataFolder, StoredMarket } from '../../storage/dataFolder.ts';
import { accountFills, type MarketEvent, RejectedByVenue, tradeOfFill, Venue } from '../venue.ts';

const DEPOSIT = 100_000n * 10n ** 8n;
const FUNDING_MS = 8 * 3_600_000;
/** Maintenance above this part of the margin balance is warned of, percent. */
const CALL_PERCENT = 80n;
/** The first number of conditional orders. */
const FIRST_ALGO = 1_000_000;
/** A forced closing takes what the book has within this part of the mark price, percent; the insurance fund takes the rest. */
const FORCED_BAND_PERCENT = 5;
/** The owner number of the insurance fund in the books. */
const INSURANCE = 2;
const PER_MILLION = 1_000_000n;

export type FuturesRejection =
  | 'position-side'
  | 'reduce-only'
  | 'duplicate-client-id'
  | 'would-match'
  | 'not-fillable'
  | 'no-liquidity'
  | 'insufficient-margin'
  | 'most-position'
  | 'unknown-order'
  | 'not-changed'
  | 'only-limit'
  | 'same-margin-type'
  | 'same-position-mode'
  | 'open-orders'
  | 'open-position'
  | 'leverage-of-isolated'
  | 'leverage-too-high'
  | 'not-isolated'
  | 'isolated-margin'
  | 'would-trigger'
  | 'closing-exists'
  | 'needs-position'
  | 'market-closed';

/** The market or the account says no; nothing has changed. */
export class FuturesRejected extends RejectedByVenue {
  readonly reason: FuturesRejection;
  constructor(refusal: FuturesRejection) {
    super(refusal);
    this.reason = refusal;
  }
}

/** Margin is nearly used up. Told once, until there is enough of it again. */
export type MarginCall = { kind: 'margin-call'; crossWallet: bigint; positions: PositionFigures[]; time: number };
export type FuturesEvent = MarketEvent | FuturesChange | MarginCall;

/**
 * A futures exchange: a venue with a margin account at it, a mark price, funding, conditional orders and liquidation.
 *
 * Every public method first plays the market up to the given time, then acts, then writes down what happened, and only
 * then tells the listeners and returns.
 */
export class FuturesExchange {
  readonly account: FuturesAccount;
  readonly #venue: Venue<FuturesRecord, FuturesChange | MarginCall>;
  readonly #fundingMs: number;
  readonly #marks: Mark[] = [];
  /** lowest and highest trade of each market since conditional orders were last looked at */
  readonly #ranges: { low: number; high: number }[];
  readonly #warned = new Set<string>();
  #fundingAt: number;

  private constructor(
    venue: Venue<FuturesRecord, FuturesChange | MarginCall>,
    account: FuturesAccount,
    fundingMs: number,
    seen: number,
  ) {
    this.#venue = venue;
    this.account = account;
    this.#fundingMs = fundingMs;
    this.#fundingAt = nextFunding(seen, fundingMs);
    this.#ranges = venue.markets.map(({ lastTick }) => ({ low: lastTick, high: lastTick }));
  }

  /**
   * Opens a new market, or continues the one that a folder holds.
   *
   * @param now epoch milliseconds
   * @param fundingMs time between fundings
   */
  static open(
    seed: number,
    contracts: readonly Contract[],
    now: number,
    folder?: DataFolder,
    loaded?: StoredMarket,
    fundingMs = FUNDING_MS,
  ): FuturesExchange {
    // the folder holds what this class wrote there
    const journal = (loaded?.journal ?? []) as FuturesRecord[];
    const account = new FuturesAccount(contracts);
    for (const record of journal) account.apply(record);
    const known = journal
      .filter((record) => record.kind === 'fill')
      .map((fill) => tradeOfFill(fill, account.order(fill.symbol, fill.orderId)?.side === 'buy'));
    const venue = Venue.open<FuturesRecord, FuturesChange | MarginCall>(seed, contracts, now, folder, loaded, known);
    const seen = Math.max(account.fundedUntil, loaded?.state?.time ?? now);
    const exchange = new FuturesExchange(venue, account, fundingMs, seen);
    if (journal.length === 0) exchange.#apply({ kind: 'deposit', units: String(DEPOSIT), time: exchange.time });
    venue.start(
      { onMatch: (market, match) => exchange.#settleMatch(market, match), onStep: () => exchange.#step() },
      (market) => exchange.#putBack(market),
    );
    venue.transact(now, () => exchange.#trimAll());
    return exchange;
  }

  get markets(): readonly PairMarket[] {
    return this.#venue.markets;
  }

  get seed(): number {
    return this.#venue.seed;
  }

  get fundingMs(): number {
    return this.#fundingMs;
  }

  /** Set when the folder could not be written: from then on nothing is done any more. */
  get failure(): Error | undefined {
    return this.#venue.failure;
  }

  set failure(error: Error | undefined) {
    this.#venue.failure = error;
  }

  /** Market time, epoch milliseconds: the clock's, but never going back. */
  get time(): number {
    return this.#venue.time;
  }

  market(symbol: string): PairMarket | undefined {
    return this.#venue.market(symbol);
  }

  contract(market: PairMarket): Contract {
    return this.account.contracts.get(market.pair.symbol) as Contract;
  }

  /** Mark and index price of a contract. */
  mark(market: PairMarket): Readonly<Mark> {
    return this.#marks[market.index] as Mark;
  }

  /** The rate that is paid next, parts per 100,000,000, and when. */
  funding(market: PairMarket): { rate: number; at: number } {
    return { rate: fundingRate(this.seed, this.contract(market), this.#fundingAt), at: this.#fundingAt };
  }

  /** The account at the present mark prices. */
  statement(): AccountStatement {
    return accountStatement(this.account, (symbol) => this.mark(this.#market(symbol)).mark);
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
   * @throws FuturesRefused when it breaks no filter but cannot be accepted
   * @returns the order as it stands after matching
   */
  place(symbol: string, terms: FuturesOrderRequest, now: number): FuturesOrder {
    return this.#venue.transact(now, () => {
      const market = this.#market(symbol);
      const part = market.conditions?.fillablePart(symbol) ?? 1;
      if (part < 1) market.thinBook(terms.side, toTaker(0, terms).limit, Math.max(1, Math.floor(terms.steps * part)));
      const steps = this.#prepare(market, terms);
      const order = this.#enter(market, { ...terms, steps }, 0, false);
      this.#execute(market, order, part);
      return { ...order };
    });
  }

  /** Checks an order as `place` does and leaves everything as it is. @throws FuturesRefused */
  check(symbol: string, terms: FuturesOrderRequest, now: number): void {
    this.#venue.transact(now, () => {
      this.#prepare(this.#market(symbol), terms);
    });
  }

  /**
   * Cancels an open order.
   *
   * @param find looks the order up once the market has been played up to `now`
   * @throws FuturesRefused `unknown-order` when it is not open any more
   */
  cancel(symbol: string, find: (account: FuturesAccount) => FuturesOrder | undefined, now: number): FuturesOrder {
    return this.#venue.transact(now, () => {
      const order = this.#openOrder(find);
      const market = this.#market(symbol);
      market.book.cancel(order.id);
      this.#end(order, 'CANCELED');
      this.#trim(market);
      return { ...order };
    });
  }

  /** Changes price and quantity of an open limit order; it loses its place in the queue. @throws FuturesRefused */
  amend(
    symbol: string,
    find: (account: FuturesAccount) => FuturesOrder | undefined,
    to: { tick: number; steps: number },
    now: number,
  ): FuturesOrder {
    return this.#venue.transact(now, () => {
      const order = this.#openOrder(find);
      const market = this.#market(symbol);
      if (order.type !== 'LIMIT') throw new FuturesRejected('only-limit');
      if (order.tick === to.tick && order.steps === to.steps) throw new FuturesRejected('not-changed');
      if (to.steps <= order.filled) {
        // less than what is filled already: Binance cancels it
        market.book.cancel(order.id);
        this.#end(order, 'CANCELED');
        return { ...order };
      }
      if (order.timeInForce === 'GTX' && market.book.crosses(order.side, to.tick)) {
        throw new FuturesRejected('would-match');
      }
      const changed = { ...order, tick: to.tick, steps: to.steps - order.filled };
      let { steps } = changed;
      // what would close more than there is is cut, as when it is placed
      if (this.account.isClosing(order)) steps = Math.min(steps, closableSteps(this.account, symbol, order, undefined));
      else this.#checkMargin(market, changed, order);
      market.book.cancel(order.id);
      this.#apply({
        kind: 'amend',
        symbol,
        orderId: order.id,
        tick: to.tick,
        steps: order.filled + steps,
        time: this.time,
      });
      this.#execute(market, order);
      return { ...order };
    });
  }

  /** Places a conditional order. @throws FuturesRefused */
  placeAlgo(symbol: string, terms: AlgoOrderRequest, now: number): AlgoOrder {
    return this.#venue.transact(now, () => {
      const market = this.#market(symbol);
      if (market.status !== 'trading') throw new FuturesRejected('market-closed');
      this.#checkSide(terms.positionSide);
      const same = this.account.algoByClientId(terms.clientId);
      if (same && this.account.pendingAlgos.has(same.id)) throw new FuturesRejected('duplicate-client-id');
      const price = this.#working(market, terms);
      const rising = isRising(terms);
      if (terms.triggerPrice > 0 && (rising ? price >= terms.triggerPrice : price <= terms.triggerPrice)) {
        throw new FuturesRejected('would-trigger');
      }
      if (terms.timeInForce === 'GTE_GTC') {
        const another = [...this.account.pendingAlgos.values()].some(
          (algo) =>
            algo.closePosition &&
            algo.symbol === symbol &&
            algo.side === terms.side &&
            algo.positionSide === terms.positionSide &&
            isRising(algo) === rising,
        );
        if (another && terms.closePosition) throw new FuturesRejected('closing-exists');
        if (!canClose(this.account, symbol, terms)) throw new FuturesRejected('needs-position');
      }
      const id = FIRST_ALGO + this.account.algos.length;
      this.#apply({ kind: 'algo', symbol, id, time: this.time, ...terms });
      const algo = this.account.algo(id) as AlgoOrder;
      if (terms.type === 'TRAILING_STOP_MARKET' && terms.activatePrice === 0) this.#trail(market, algo);
      return { ...algo };
    });
  }

  /** Cancels a conditional order that waits. @throws FuturesRefused `unknown-order` */
  cancelAlgo(find: (account: FuturesAccount) => AlgoOrder | undefined, now: number): AlgoOrder {
    return this.#venue.transact(now, () => {
      const algo = find(this.account);
      if (!algo || !this.account.pendingAlgos.has(algo.id)) throw new FuturesRejected('unknown-order');
      this.#apply({ kind: 'algoEnd', algoId: algo.id, status: 'CANCELED', reason: '', time: this.time });
      return { ...algo };
    });
  }

  /** @throws FuturesRefused */
  setLeverage(symbol: string, leverage: number, now: number): void {
    this.#venue.transact(now, () => {
      const contract = this.contract(this.#market(symbol));
      const settings = this.account.settings(symbol);
      if (leverage === settings.leverage) return;
      const held = this.#heldSides(symbol);
      if (settings.marginType === 'ISOLATED' && held.length > 0 && leverage < settings.leverage) {
        throw new FuturesRejected('leverage-of-isolated');
      }
      const all = this.statement();
      const rows = all.positions.filter((row) => row.contract.symbol === symbol);
      const notional = rows.reduce((sum, row) => sum + absolute(row.notional) + row.bidNotional + row.askNotional, 0n);
      if (notional > BigInt(maxNotionalAt(contract, leverage)) * 10n ** 8n) {
        throw new FuturesRejected('leverage-too-high');
      }
      const more = rows.reduce((sum, row) => {
        const margin = orderMargin(row.position.side, row.notional, row.bidNotional, row.askNotional, leverage);
        const isolated = row.marginType === 'ISOLATED';
        const own = isolated ? 0n : initialMargin(absolute(row.notional), leverage) - row.positionMargin;
        return sum + margin - row.orderMargin + own;
      }, 0n);
      if (more > all.available) throw new FuturesRejected('insufficient-margin');
      this.#apply({ kind: 'leverage', symbol, leverage, time: this.time });
    });
  }

  /** @throws FuturesRefused */
  setMarginType(symbol: string, marginType: MarginType, now: number): void {
    this.#venue.transact(now, () => {
      if (this.account.settings(symbol).marginType === marginType) throw new FuturesRejected('same-margin-type');
      if (this.#hasOrders(symbol)) throw new FuturesRejected('open-orders');
      if (this.#heldSides(symbol).length > 0) throw new FuturesRejected('open-position');
      this.#apply({ kind: 'marginType', symbol, marginType, time: this.time });
    });
  }

  /** @param dual true for hedge mode. @throws FuturesRefused */
  setPositionMode(dual: boolean, now: number): void {
    this.#venue.transact(now, () => {
      if (this.account.hedgeMode === dual) throw new FuturesRejected('same-position-mode');
      if (this.account.openOrders().length > 0 || this.account.pendingAlgos.size > 0)
        throw new FuturesRejected('open-orders');
      if (this.account.positions().length > 0) throw new FuturesRejected('open-position');
      this.#apply({ kind: 'positionMode', dual, time: this.time });
    });
  }

  /** Adds margin to an isolated position, or takes some away. @param units below 0 to take away. @throws FuturesRefused */
  changeMargin(symbol: string, positionSide: PositionSide, units: bigint, now: number): void {
    this.#venue.transact(now, () => {
      this.#checkSide(positionSide);
      const position = this.account.position(symbol, positionSide);
      if (this.account.settings(symbol).marginType !== 'ISOLATED' || position.steps === 0) {
        throw new FuturesRejected('not-isolated');
      }
      const all = this.statement();
      if (units > all.available) throw new FuturesRejected('insufficient-margin');
      const row = all.positions.find((one) => one.contract.symbol === symbol && one.position.side === positionSide);
      if (row && units < 0n) {
        const loss = row.unrealised < 0n ? row.unrealised : 0n;
        if (position.isolated + units + loss < row.positionMargin) throw new FuturesRejected('isolated-margin');
      }
      this.#apply({ kind: 'margin', symbol, positionSide, units: String(units), time: this.time });
    });
  }

  /** Saves the simulation's state. @param clean true when nothing will happen any more */
  save(clean: boolean): void {
    this.#venue.save(clean);
  }

  #market(symbol: string): PairMarket {
    return this.#venue.market(symbol) as PairMarket;
  }

  #apply(record: FuturesRecord): FuturesChange {
    const change = this.account.apply(record);
    this.#venue.record(record, change);
    return change;
  }

  #end(order: FuturesOrder, status: OrderEnd): void {
    this.#apply({ kind: 'end', symbol: order.symbol, orderId: order.id, status, time: this.time });
  }

  #openOrder(find: (account: FuturesAccount) => FuturesOrder | undefined): FuturesOrder {
    const order = find(this.account);
    if (!order || !this.account.isOpen(order)) throw new FuturesRejected('unknown-order');
    return order;
  }

  #hasOrders(symbol: string): boolean {
    const waits = [...this.account.pendingAlgos.values()].some((algo) => algo.symbol === symbol);
    return waits || this.account.openOrders(symbol).length > 0;
  }

  #heldSides(symbol: string): Readonly<Position>[] {
    return this.account.positions().filter((position) => position.symbol === symbol);
  }

  #checkSide(positionSide: PositionSide): void {
    if ((positionSide === 'BOTH') === this.account.hedgeMode) throw new FuturesRejected('position-side');
  }

  /** Refuses what cannot be accepted. @returns the steps to order: fewer than asked for where only a position is left */
  #prepare(market: PairMarket, terms: FuturesOrderRequest): number {
    const { symbol } = market.pair;
    if (market.status !== 'trading') throw new FuturesRejected('market-closed');
    this.#checkSide(terms.positionSide);
    const same = this.account.orderByClientId(symbol, terms.clientId);
    if (same && this.account.isOpen(same)) throw new FuturesRejected('duplicate-client-id');
    const closing = this.account.isClosing(terms);
    const steps = closing ? Math.min(terms.steps, this.#closable(market, terms)) : terms.steps;
    // In hedge mode nothing larger than the position closes it.
    const tooLarge = closing && this.account.hedgeMode && terms.steps > this.#held(symbol, terms);
    if (steps === 0 || tooLarge) throw new FuturesRejected('reduce-only');
    const taker = toTaker(0, { ...terms, steps });
    const preview = market.book.preview(taker);
    if (terms.type === 'MARKET' && preview.filled === 0) throw new FuturesRejected('no-liquidity');
    if (terms.timeInForce === 'GTX' && market.book.crosses(terms.side, terms.tick)) {
      throw new FuturesRejected('would-match');
    }
    if (terms.timeInForce === 'FOK' && preview.filled < steps) throw new FuturesRejected('not-fillable');
    if (!closing) this.#checkMargin(market, { ...terms, steps }, undefined);
    return steps;
  }

  #held(symbol: string, { positionSide }: Pick<FuturesOrderRequest, 'positionSide'>): number {
    return Math.abs(this.account.position(symbol, positionSide).steps);
  }

  /** Steps that a closing order may have; one that crosses meets the book before any resting order. */
  #closable(market: PairMarket, order: Pick<FuturesOrderRequest, 'side' | 'positionSide' | 'type' | 'tick'>): number {
    const rests = order.type === 'LIMIT' && !market.book.crosses(order.side, order.tick);
    return closableSteps(this.account, market.pair.symbol, order, rests ? order.tick : undefined);
  }

  /**
   * Refuses an order whose margin, loss at the mark price and fee are not there.
   *
   * @param replaced an open order that it takes the place of
   */
  #checkMargin(
    market: PairMarket,
    order: Pick<FuturesOrderRequest, 'side' | 'positionSide' | 'type' | 'tick' | 'steps'>,
    replaced: FuturesOrder | undefined,
  ): void {
    const contract = this.contract(market);
    const { leverage } = this.account.settings(contract.symbol);
    const all = this.statement();
    const row = all.positions.find((one) => one.contract === contract && one.position.side === order.positionSide);
    const freed = replaced
      ? BigInt(replaced.tick) * BigInt(replaced.steps - replaced.filled) * notionalUnit(contract)
      : 0n;
    const { side, positionSide, steps } = order;
    const context = { side, positionSide, steps, value: this.#assumedValue(market, order) };
    const cost = orderCost(contract, leverage, this.mark(market).mark, row, context, freed);
    if (cost.tooLarge) throw new FuturesRejected('most-position');
    if (cost.units > all.available) throw new FuturesRejected('insufficient-margin');
  }

  /** What an order is taken to be worth before it is filled (Binance's assumption). */
  #assumedValue(
    market: PairMarket,
    order: { side: Side; type: 'LIMIT' | 'MARKET'; tick: number; steps: number },
  ): bigint {
    const unit = notionalUnit(market.pair);
    if (order.type === 'MARKET') {
      const { filled, cost } = market.book.preview({ ...marketTaker(order.side, order.steps) });
      // what the book cannot fill is not paid for
      return filled === 0 ? 0n : cost * unit;
    }
    const tick = order.side === 'buy' ? order.tick : Math.max(order.tick, market.book.bestBid);
    return BigInt(tick) * BigInt(order.steps) * unit;
  }

  #enter(market: PairMarket, terms: FuturesOrderRequest, algoId: number, liquidation: boolean): FuturesOrder {
    const { symbol } = market.pair;
    const id = market.nextOrderId++;
    this.#apply({ kind: 'order', symbol, id, algoId, liquidation, time: this.time, ...terms });
    return this.account.order(symbol, id) as FuturesOrder;
  }

  /**
   * Lets an order meet the book; what is left of it rests or ends.
   *
   * @param part which part of it finds a counterpart
   */
  #execute(market: PairMarket, order: FuturesOrder, part = 1): void {
    const { result } = market.take(toTaker(order.id, order), this.time);
    this.#venue.settle(market);
    if (this.account.isOpen(order)) {
      if (result.takerExpired) this.#end(order, 'EXPIRED_IN_MATCH');
      else if (order.type === 'MARKET' || order.timeInForce === 'IOC' || order.timeInForce === 'FOK') {
        this.#end(order, 'EXPIRED');
      } else {
        const left = order.steps - order.filled;
        market.book.addOrder(order.id, DEMO_OWNER, order.side, order.tick, left);
        if (part < 1 && result.filled === 0) {
          market.fillFromCrowd(order.id, order.side, order.tick, Math.max(1, Math.floor(left * part)), this.time);
          this.#venue.settle(market);
        }
      }
    }
    this.#trim(market);
    this.#venue.ensureTwoSided(market);
  }

  #settleMatch(market: PairMarket, match: Match): void {
    const { symbol } = market.pair;
    const range = this.#ranges[market.index];
    let own = false;
    for (const { tick } of range ? match.trades : []) {
      if (!range) break;
      range.low = Math.min(range.low, tick);
      range.high = Math.max(range.high, tick);
    }
    for (const { orderId, counterId, owner, maker, fill, trade } of accountFills(match)) {
      if (owner !== DEMO_OWNER) continue;
      own = true;
      this.#apply({
        kind: 'fill',
        symbol,
        orderId,
        tradeId: trade.id,
        aggregateId: trade.aggregateId,
        counterId,
        tick: fill.tick,
        steps: fill.quantity,
        maker,
        time: trade.time,
      });
    }
    for (const { id } of match.result.expired) {
      this.#end(this.account.order(symbol, id) as FuturesOrder, 'EXPIRED_IN_MATCH');
    }
    // a taker of ours is trimmed when all of it has met the book
    if (own && match.taker.owner === CROWD) this.#trim(market);
  }

  #putBack(market: PairMarket): void {
    for (const order of this.account.orders.get(market.pair.symbol) ?? []) {
      market.nextOrderId = Math.max(market.nextOrderId, order.id + 1);
      if (!this.account.isOpen(order)) continue;
      const passing = order.type === 'MARKET' || order.timeInForce === 'IOC' || order.timeInForce === 'FOK';
      // an order that was written down but not matched before a kill
      if (passing || market.book.crosses(order.side, order.tick)) this.#end(order, 'EXPIRED');
      else market.book.addOrder(order.id, DEMO_OWNER, order.side, order.tick, order.steps - order.filled);
    }
  }

  #trimAll(): void {
    for (const market of this.markets) this.#trim(market);
  }

  /**
   * Holds closing orders to what there is to close: those that would be filled last are made smaller or ended. When a
   * position is gone, conditional orders that were to end with it do so.
   */
  #trim(market: PairMarket): void {
    const { symbol } = market.pair;
    const sides: PositionSide[] = this.account.hedgeMode ? ['LONG', 'SHORT'] : ['BOTH'];
    for (const positionSide of sides) {
      for (const side of ['buy', 'sell'] as const) {
        const like = { side, positionSide };
        for (const { order, allowed } of excessOrders(this.account, symbol, like)) {
          if (allowed === 0) {
            market.book.cancel(order.id);
            this.#end(order, 'EXPIRED');
          } else {
            market.book.reduce(order.id, allowed);
            const steps = order.filled + allowed;
            this.#apply({ kind: 'amend', symbol, orderId: order.id, tick: order.tick, steps, time: this.time });
          }
        }
        if (canClose(this.account, symbol, like)) continue;
        for (const algo of [...this.account.pendingAlgos.values()]) {
          const matches = algo.symbol === symbol && algo.side === side && algo.positionSide === positionSide;
          if (matches && algo.timeInForce === 'GTE_GTC') {
            this.#apply({ kind: 'algoEnd', algoId: algo.id, status: 'EXPIRED', reason: '', time: this.time });
          }
        }
      }
    }
  }

  /** Looks at the index and the book, and moves the mark price. */
  #look(market: PairMarket): void {
    const index = Math.round(this.#venue.fairPrice(market) * 1e8);
    const { rate, at } = this.funding(market);
    const left = Math.min(1, Math.max(0, (at - this.time) / this.#fundingMs));
    this.#marks[market.index] = nextMark(market, this.#marks[market.index], index, rate, left);
  }

  /** Prices have moved or time has passed: mark prices, funding, orders that end, conditional orders, margin. */
  #step(): void {
    for (const market of this.markets) this.#look(market);
    this.#fund();
    for (const order of this.account.openOrders()) {
      const market = this.#market(order.symbol);
      const over = order.goodTill !== 0 && order.goodTill <= this.time;
      if (!over && market.status !== 'delisted') continue;
      market.book.cancel(order.id);
      this.#end(order, 'EXPIRED');
    }
    if (this.account.pendingAlgos.size > 0) this.#watchAlgos();
    for (const market of this.markets) {
      const range = this.#ranges[market.index] as { low: number; high: number };
      range.low = range.high = market.lastTick;
    }
    if (this.account.positions().length > 0) this.#watchMargin();
  }

  #fund(): void {
    while (this.#fundingAt <= this.time) {
      const time = this.#fundingAt;
      for (const market of this.markets) {
        this.#apply({ kind: 'fundingMark', symbol: market.pair.symbol, mark: this.mark(market).mark, time });
      }
      for (const { symbol, side, since } of this.account.positions()) {
        if (since > time) continue;
        const market = this.#market(symbol);
        const rate = fundingRate(this.seed, this.contract(market), time);
        this.#apply({ kind: 'funding', symbol, positionSide: side, rate, mark: this.mark(market).mark, time });
      }
      this.#fundingAt = nextFunding(time, this.#fundingMs);
    }
  }

  /** The price that a conditional order looks at, in units of 1e-8. */
  #working(market: PairMarket, { workingType }: { workingType: AlgoOrderRequest['workingType'] }): number {
    return workingType === 'MARK_PRICE' ? this.mark(market).mark : tickUnits(market, market.lastTick);
  }

  #watchAlgos(): void {
    for (const algo of [...this.account.pendingAlgos.values()]) {
      // an earlier one of this round may have ended it
      if (!this.account.pendingAlgos.has(algo.id)) continue;
      const market = this.#market(algo.symbol);
      if (market.status !== 'trading') continue;
      if (algo.goodTill !== 0 && algo.goodTill <= this.time) {
        this.#apply({ kind: 'algoEnd', algoId: algo.id, status: 'EXPIRED', reason: '', time: this.time });
        continue;
      }
      if (this.#isDue(market, algo)) this.#trigger(market, algo);
    }
  }

  /** Lowest and highest price that an order has to know of since the last look, in units of 1e-8. */
  #seen(market: PairMarket, algo: AlgoOrder): { low: number; high: number } {
    if (algo.workingType === 'MARK_PRICE') {
      const { mark } = this.mark(market);
      return { low: mark, high: mark };
    }
    const { low, high } = this.#ranges[market.index] as { low: number; high: number };
    // trades before it was placed are none of its business
    if (algo.time === this.time) {
      const last = tickUnits(market, market.lastTick);
      return { low: last, high: last };
    }
    return { low: tickUnits(market, low), high: tickUnits(market, high) };
  }

  #isDue(market: PairMarket, algo: AlgoOrder): boolean {
    const { low, high } = this.#seen(market, algo);
    if (algo.type !== 'TRAILING_STOP_MARKET') {
      return isRising(algo) ? high >= algo.triggerPrice : low <= algo.triggerPrice;
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

  /** Moves the best price of a trailing stop along. */
  #trail(market: PairMarket, algo: AlgoOrder): void {
    const { low, high } = this.#seen(market, algo);
    const better = algo.side === 'sell' ? high > algo.extreme : algo.extreme === 0 || low < algo.extreme;
    if (!better) return;
    const extreme = algo.side === 'sell' ? high : low;
    this.#apply({ kind: 'trail', algoId: algo.id, extreme, time: this.time });
  }

  /** A conditional order becomes an order, unless it cannot. */
  #trigger(market: PairMarket, algo: AlgoOrder): void {
    const held = Math.abs(this.account.position(algo.symbol, algo.positionSide).steps);
    const terms: FuturesOrderRequest = {
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
    let steps: number;
    try {
      steps = this.#prepare(market, terms);
    } catch (error) {
      if (!(error instanceof FuturesRejected)) throw error;
      this.#apply({ kind: 'algoEnd', algoId: algo.id, status: 'REJECTED', reason: error.reason, time: this.time });
      return;
    }
    const order = this.#enter(market, { ...terms, steps }, algo.id, false);
    this.#apply({ kind: 'trigger', algoId: algo.id, orderId: order.id, time: this.time });
    this.#execute(market, order);
  }

  #watchMargin(): void {
    const all = this.statement();
    const called: PositionFigures[] = [];
    for (const row of all.positions) {
      if (row.marginType !== 'ISOLATED' || row.position.steps === 0) continue;
      const balance = row.position.isolated + row.unrealised;
      if (balance <= row.maintenance) this.#liquidate([row]);
      else if (this.#warn(`${row.contract.symbol} ${row.position.side}`, row.maintenance, balance)) called.push(row);
    }
    const cross = all.positions.filter((row) => row.marginType === 'CROSSED' && row.position.steps !== 0);
    if (cross.length > 0) {
      const balance = all.crossWallet + all.crossUnrealised;
      if (balance <= all.crossMaintenance) this.#liquidate(cross);
      else if (this.#warn('cross', all.crossMaintenance, balance)) called.push(...cross);
    }
    if (called.length === 0) return;
    this.#venue.emit({ kind: 'margin-call', crossWallet: all.crossWallet, positions: called, time: this.time });
  }

  /** @returns true when this is the first look at which margin is nearly used up */
  #warn(key: string, maintenance: bigint, balance: bigint): boolean {
    const near = maintenance * 100n > balance * CALL_PERCENT;
    const isNew = near && !this.#warned.has(key);
    if (near) this.#warned.add(key);
    else this.#warned.delete(key);
    return isNew;
  }

  /**
   * Closes positions by force: cancels their orders, takes what the book has near the mark price, gives the rest to the
   * insurance fund, and settles with it: it takes its fee from what margin is left, and pays what is missing.
   *
   * @param rows one isolated position, or all cross positions
   */
  #liquidate(rows: readonly PositionFigures[]): void {
    const walletBefore = this.account.wallet;
    const first = rows[0] as PositionFigures;
    const isolated = first.marginType === 'ISOLATED';
    const backing = isolated ? first.position.isolated : this.account.crossWallet;
    for (const order of this.account.openOrders(isolated ? first.contract.symbol : undefined)) {
      const own = isolated
        ? order.positionSide === first.position.side
        : this.account.settings(order.symbol).marginType === 'CROSSED';
      if (!own) continue;
      this.#market(order.symbol).book.cancel(order.id);
      this.#end(order, 'CANCELED');
    }
    let fee = 0n;
    for (const { contract, position } of rows) {
      const closed = this.#force(this.#market(contract.symbol), position);
      fee += (closed * BigInt(contract.clearanceFee)) / PER_MILLION;
    }
    const left = backing + this.account.wallet - walletBefore;
    const units = left < 0n ? -left : -(fee < left ? fee : left);
    const { symbol } = first.contract;
    if (units !== 0n) {
      const positionSide = first.position.side;
      this.#apply({ kind: 'insurance', symbol, positionSide, units: String(units), time: this.time });
    }
  }

  /** @returns value closed, in units */
  #force(market: PairMarket, position: Readonly<Position>): bigint {
    const { side: positionSide } = position;
    const side = position.steps > 0 ? 'sell' : 'buy';
    const steps = Math.abs(position.steps);
    const near = this.mark(market).mark / 10 ** (8 - market.pair.priceDecimals);
    const away = (near * FORCED_BAND_PERCENT) / 100;
    const tick =
      side === 'sell' ? Math.max(1, Math.floor(near - away)) : Math.min(market.pair.maxTick, Math.ceil(near + away));
    const terms: FuturesOrderRequest = {
      clientId: `autoclose-${this.time}-${market.nextOrderId}`,
      side,
      positionSide,
      type: 'LIMIT',
      timeInForce: 'IOC',
      tick,
      steps,
      reduceOnly: positionSide === 'BOTH',
      selfTrade: 'NONE',
      goodTill: 0,
    };
    const order = this.#enter(market, terms, 0, true);
    market.take(toTaker(order.id, order), this.time);
    this.#venue.settle(market);
    const rest = order.steps - order.filled;
    if (rest > 0) {
      // all that stood nearer is gone, so that the fund's order is the best of its side
      market.book.addOrder(market.nextOrderId++, INSURANCE, side === 'sell' ? 'buy' : 'sell', tick, rest);
      market.take(toTaker(order.id, order), this.time);
      this.#venue.settle(market);
    }
    this.#trim(market);
    this.#venue.ensureTwoSided(market);
    return order.turnover * notionalUnit(market.pair);
  }
}

/** True for conditional orders that wait for a higher price. */
function isRising({ type, side }: { type: AlgoOrderRequest['type']; side: Side }): boolean {
  const stop = type === 'STOP' || type === 'STOP_MARKET';
  return stop === (side === 'buy');
}

function marketTaker(side: Side, steps: number): Taker {
  const limit = side === 'buy' ? Number.POSITIVE_INFINITY : 0;
  return {
    id: 0,
    owner: DEMO_OWNER,
    side,
    limit,
    quantity: steps,
    budget: Number.POSITIVE_INFINITY,
    selfTrade: 'EXPIRE_MAKER',
  };
}

function toTaker(
  id: number,
  order: Pick<FuturesOrder, 'side' | 'type' | 'tick' | 'steps' | 'selfTrade'> & { filled?: number },
): Taker {
  return {
    ...marketTaker(order.side, order.steps - (order.filled ?? 0)),
    id,
    ...(order.type === 'LIMIT' && { limit: order.tick }),
    selfTrade: order.selfTrade,
  };
}
