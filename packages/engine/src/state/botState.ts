import type { TriggeredSets } from '../exitRules/exitTables.ts';
import type { Bracket } from '../ledger/brackets.ts';
import { emptyHolding, type Holding } from '../ledger/holding.ts';
import { openWallet, type Wallet } from '../ledger/wallet.ts';
import type { Direction } from '../market/direction.ts';
import type { Market } from '../market/market.ts';
import { type Price, type Quantity, type Quote, type Ratio, toUnits } from '../money/units.ts';
import { parsePairs } from '../options/pairs.ts';
import type { BotOptions } from '../options/table.ts';
import { strategyOf } from '../strategies/catalogue.ts';
import type { Params, Strategy } from '../strategies/strategy.ts';
import type { BenchmarkPair } from './benchmarkPair.ts';
import type { ClosedPosition } from './closedPosition.ts';
import type { ExitSignal } from './exitSignal.ts';
import type { OrderPlan } from './orderPlan.ts';
import type { PairQuote } from './pairQuote.ts';
import type { ParentOrder, ParentOrderEnd, Reason } from './parentOrder.ts';
import { noPastGrids, type PastGrids } from './pastGrids.ts';
import type { PositionTotals } from './positionTotals.ts';
import type { PriceExit } from './priceExit.ts';
import type { Refusal } from './refusal.ts';
import type { BOT_STATUSES, PAIR_PHASES } from './statuses.ts';
import type { Suspension } from './suspension.ts';
import type { TradedVolume } from './tradedVolume.ts';

/** @see docs/bot-lifecycle.md#bot-status */
export type BotStatus = (typeof BOT_STATUSES)[number];

/** @see docs/bot-lifecycle.md#pair-phases */
export type PairPhase = (typeof PAIR_PHASES)[number];

/** A holding that counts as a position, from its first fill until flat. */
export interface Position {
  id: number;
  direction: Direction;
  openedAt: number;
  /** Best reference price since entry: the highest of a long, the lowest of a short; 0 before the first tick. */
  peak: Price;
  /** Exit levels that have triggered; the name is that of saved positions. */
  fired: TriggeredSets;
  /** Its exits at prices that its owner has set, oldest first; omitted without any. */
  priceExits?: readonly PriceExit[];
  /** Number of the newest price exit that it has had; omitted before the first. */
  lastPriceExit?: number;
  /** Net result so far: of part exits on spot; on futures with every fee and funding payment. */
  realised: Quote;
  feeQuote: Quote;
  /** A part of it was sold (of a short: bought back). */
  sold: boolean;
  /** Sums for the table of closed positions; null in a position of an older version, whose past must be read first. */
  totals: PositionTotals | null;
}

/**
 * Exit prices since the last entry of a pair, for `max_buy_loss_pct`.
 *
 * @see docs/fills.md#re-entry-above-the-last-exit
 */
export interface ExitReference {
  lowest: Price;
  highest: Price;
  /** Closed candles of the pair at which it expires. */
  until: number;
}

/**
 * Options that act on the next entry and stay in force until its exit, even when they are changed meanwhile.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export interface EntryOptions {
  /** `order_type` of its exits. */
  maker: boolean;
  markup: Ratio;
  minBuy: Quote;
  markdown: Ratio;
  /** Id of the entry that uses `markdown`; 0 for none. */
  entry: number;
}

export interface LastRefusal {
  at: number;
  gate: Refusal;
  inputs: Record<string, string | number>;
}

/** The newest entry or exit of a pair; an order of its plan counts once it has ended with a fill. */
export interface LastOrder {
  /** Id of the parent order; 0 for a liquidation on paper, which has none. */
  id: number;
  at: number;
  kind: 'entry' | 'exit';
  direction: Direction;
  reason: Reason;
  /** Reference price of the decision; 0 while none was known. */
  price: Price;
  /** Wanted and filled quantity. A working parent order counts its own fills. */
  quantity: Quantity;
  filled: Quantity;
  /** How the parent order ended; null while it works. */
  end: ParentOrderEnd | null;
}

/** @see docs/entries.md#leverage-and-margin-mode */
export interface LoweredLeverage {
  readonly asked: number;
  readonly leverage: number;
}

export interface PairState {
  pair: string;
  market: Market | null;
  /**
   * Why the pair may not enter; null when it may. `removed` pairs are managed until they are flat.
   *
   * @see docs/bot-lifecycle.md#watched-pairs
   */
  flag: 'loading' | 'unknown' | 'currency' | 'watch_limit' | 'removed' | null;
  /** Its strategy restarts with the history that is requested; candles before it are ignored. */
  reloading: boolean;
  /** Options of its entry; null until an option changes while the pair holds or enters. */
  entryOptions: EntryOptions | null;
  /**
   * Why the pair is paused until the user resumes it: a liquidation, or the reason that ended its plan.
   *
   * @see docs/margin.md#liquidation
   */
  paused: Reason | null;
  phase: PairPhase;
  strategyState: unknown;
  /** Closed candles seen. */
  candles: number;
  /** Open time of the newest closed candle; 0 before the first. */
  candleTime: number;
  quote: PairQuote | null;
  /** Last known mark price, without one the last price; 0 before the first. */
  mark: Price;
  scannedAt: number;
  /** Time at which the newest quote is evaluated; 0 for none. */
  scanDueAt: number;
  holding: Holding;
  position: Position | null;
  /** The position that closed last; null before the first one of the account. */
  lastClosed: ClosedPosition | null;
  entry: ParentOrder | null;
  exit: ParentOrder | null;
  /** Price exits of an entry that ended without a fill, for a fill that arrives late; omitted without any. */
  lateExits?: { readonly exits: readonly PriceExit[]; readonly direction: Direction };
  /** The protective stop at the exchange; live only. */
  stop: ParentOrder | null;
  /** Exit signal of the strategy that has not acted completely; null for none. */
  exitSignal: ExitSignal | null;
  exitReference: ExitReference | null;
  quarantineUntil: number;
  lastSignal: { at: number; side: 'buy' | 'sell' } | null;
  /** The newest refusal, unless an entry or exit came after it; without those of manual orders. */
  lastRefusal: LastRefusal | null;
  lastOrder: LastOrder | null;
  refusals: Record<string, number>;
  /** Active grid or DCA deal; null for none. @see docs/strategies.md#grid, docs/strategies.md#dca-averaging */
  orderPlan: OrderPlan | null;
  /** Grids that have ended or moved, for the figures of the pair. */
  pastGrids: PastGrids;
  /** Orders of the plan, a parent order each. */
  planOrders: ParentOrder[];
  /** Orders to compare with the plan: the key of one order, `*` for all, empty for none. */
  dirtyOrders: string;
  /** Number of closed candles before which no DCA deal starts. */
  nextDealFrom: number;
  /** Whether the exchange suspends the pair is not known yet; omitted once it is. */
  isSuspensionUnknown?: true;
  /** Open time of the newest candle when the start of a plan was last tried; 0 to try it at the next quote. */
  planTriedAt: number;
  /** Id of the newest funding payment; a repeated one is booked once. */
  fundingId: string;
  /** Leverage of its entries where the bracket allows less than the option; else null. */
  lowered: LoweredLeverage | null;
  /**
   * Its 24-hour volume; null while unknown, which blocks nothing.
   *
   * @see docs/paper.md#volume
   */
  volume: TradedVolume | null;
  /** The exchange accepts no new order in it; omitted while it trades. */
  suspended?: Suspension;
  /** Its position is closed at market, by a drain or after the kill switch; omitted while its exits decide. */
  closing?: true;
  /** Leverage brackets of the exchange; empty while unknown. @see docs/margin.md#leverage-brackets */
  brackets: readonly Bracket[];
}

/** State of a bot; plain data that can be saved and restored at any event. */
export interface BotState {
  /** Six characters; client order ids begin with it. */
  id: string;
  options: BotOptions;
  params: Params;
  status: BotStatus;
  startedAt: number;
  /** End of `run_for`; 0 for endless. */
  endsAt: number;
  wallet: Wallet;
  /** Live: amount that the exchange lets the bot spend, own orders included; omitted on paper, where the wallet decides. */
  spendable?: Quote;
  /** Why entries are blocked on all pairs; omitted while they are allowed. */
  entriesBlockedBy?: 'key_may_withdraw' | 'key_refused';
  /** Live: the exchange accepts no request before `until`, ms; omitted while it does. */
  pause?: { until: number; banned: boolean };
  /** Live: since when payments or orders of the bot may be unknown, ms; omitted when all are known. */
  unsettledSince?: number;
  pairs: PairState[];
  nextIntent: number;
  nextPosition: number;
  /** Number of parent orders with fills. */
  trades: number;
  wins: number;
  losses: number;
  /** Benchmark of buying and holding; null before the first start of the account, or where it is unknown. */
  benchmark: BenchmarkPair[] | null;
}

/** Creates the state of a bot that has not started. Options and parameters must be validated. */
export function createBotState(id: string, options: BotOptions, params: Params): BotState {
  const chosen = strategyOf(options.strategy, params);
  const capital = toUnits(options.currency_capital);
  const names = parsePairs(options.watch_pairs).pairs;
  const pairs = names.map((pair, index) => newPair(pair, watchFlag(pair, index, options), chosen));
  return {
    id,
    options,
    params: chosen.params,
    status: 'created',
    startedAt: 0,
    endsAt: 0,
    wallet: openWallet(capital),
    pairs,
    nextIntent: 1,
    nextPosition: 1,
    trades: 0,
    wins: 0,
    losses: 0,
    benchmark: null,
  };
}

/** Creates the state of a pair without market data. */
export function newPair(
  pair: string,
  flag: PairState['flag'],
  { strategy, params }: { strategy: Strategy; params: Params },
): PairState {
  return {
    pair,
    market: null,
    flag,
    reloading: false,
    entryOptions: null,
    paused: null,
    phase: 'idle',
    strategyState: strategy.init(params),
    candles: 0,
    candleTime: 0,
    quote: null,
    mark: 0,
    scannedAt: 0,
    scanDueAt: 0,
    holding: emptyHolding(),
    position: null,
    lastClosed: null,
    entry: null,
    exit: null,
    stop: null,
    exitSignal: null,
    exitReference: null,
    quarantineUntil: 0,
    lastSignal: null,
    lastRefusal: null,
    lastOrder: null,
    refusals: {},
    orderPlan: null,
    pastGrids: noPastGrids(),
    planOrders: [],
    dirtyOrders: '',
    nextDealFrom: 0,
    planTriedAt: 0,
    fundingId: '',
    lowered: null,
    volume: null,
    brackets: [],
  };
}

/** Maximum number of pairs that are followed at once when `max_watch_size` is 0. @see docs/bot-lifecycle.md#watched-pairs */
const MAX_PAIRS = 100;

/**
 * Returns the flag of a watched pair before its market is known.
 *
 * @param followed number of pairs followed before it
 * @see docs/bot-lifecycle.md#watched-pairs
 */
export function watchFlag(
  pair: string,
  followed: number,
  { product_currency, max_watch_size }: BotOptions,
): 'currency' | 'watch_limit' | 'loading' {
  if (!pair.endsWith(`-${product_currency.toUpperCase()}`)) return 'currency';
  return followed >= (max_watch_size === 0 ? MAX_PAIRS : max_watch_size) ? 'watch_limit' : 'loading';
}
