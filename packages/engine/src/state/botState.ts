import type { Bracket } from '../ledger/brackets.ts';
import { emptyHolding, type Holding } from '../ledger/holding.ts';
import { openWallet, type Wallet } from '../ledger/wallet.ts';
import type { Direction } from '../market/direction.ts';
import type { Market } from '../market/market.ts';
import { type Price, type Quote, type Ratio, toUnits } from '../money/units.ts';
import { parsePairs } from '../options/pairs.ts';
import type { BotOptions } from '../options/table.ts';
import { strategyOf } from '../strategies/catalogue.ts';
import type { Params, Strategy } from '../strategies/strategy.ts';
import type { BenchmarkPair } from './benchmark.ts';
import type { PairQuote } from './botEvents.ts';
import type { OrderPlan } from './orderPlan.ts';
import type { ParentOrder, Reason } from './parentOrder.ts';
import type { Refusal } from './refusal.ts';
import type { Suspension } from './suspension.ts';
import type { TradedVolume } from './tradedVolume.ts';

/** @see docs/bot-lifecycle.md#bot-status */
export const BOT_STATUSES = ['created', 'preparing', 'ready', 'working', 'stopping', 'finished'] as const;

export type BotStatus = (typeof BOT_STATUSES)[number];

/** @see docs/bot-lifecycle.md#pair-phases */
export const PAIR_PHASES = ['idle', 'buying', 'bought', 'partSell', 'selling', 'sold'] as const;

export type PairPhase = (typeof PAIR_PHASES)[number];

/** A holding that counts as a position, from its first fill until flat. */
export interface Position {
  id: number;
  direction: Direction;
  openedAt: number;
  /** Best reference price since entry: the highest of a long, the lowest of a short; 0 before the first tick. */
  peak: Price;
  /** Rows that fired, by table: bit i stands for row i as the user wrote it. */
  fired: { stopSell: number; profitWin: number; callback: number };
  /** Net result so far: of part exits on spot; on futures with every fee and funding payment. */
  realised: Quote;
  feeQuote: Quote;
  /** Something of it was sold (of a short: bought back). */
  sold: boolean;
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
 * Options that act on the next entry and matter after it: what was entered before a change keeps the old value.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export interface EntryOptions {
  /** `order_type` of its exits. */
  maker: boolean;
  markup: Ratio;
  minBuy: Quote;
  markdown: Ratio;
  /** The entry that `markdown` is kept for; 0 for none. */
  entry: number;
}

export interface LastRefusal {
  at: number;
  gate: Refusal;
  inputs: Record<string, string | number>;
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
  /** Its strategy begins anew with the history that is on its way; candles that come before that are not its own. */
  reloading: boolean;
  /** Options that what it holds or enters keeps, because they were changed since. */
  kept: EntryOptions | null;
  /**
   * Why there are no entries until the user resumes it: a liquidation, or what ended a ladder.
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
  /** A quote waits to be evaluated at this time; 0 for none. */
  scanDueAt: number;
  holding: Holding;
  position: Position | null;
  entry: ParentOrder | null;
  exit: ParentOrder | null;
  /** What protects the position at the exchange while nobody watches; live only. */
  stop: ParentOrder | null;
  /** A strategy exit that the loss guard holds back. @see docs/exits.md#exits-by-signal */
  pendingExit: boolean;
  /**
   * Direction to enter once the exit is completely filled, or the other side's entry cancelled; 0 for none.
   *
   * @see docs/entries.md#reversals
   */
  reverse: Direction | 0;
  /**
   * An exit signal that could not be obeyed yet: missed while the bot was away, or an entry was being cancelled.
   *
   * @see docs/exits.md#exits-by-signal
   */
  lateExit: boolean;
  /**
   * The exit that is pending or late is the first half of a reversal: it leaves the whole position.
   *
   * @see docs/entries.md#reversals
   */
  exitsAll: boolean;
  exitReference: ExitReference | null;
  quarantineUntil: number;
  lastSignal: { at: number; side: 'buy' | 'sell' } | null;
  lastRefusal: LastRefusal | null;
  refusals: Record<string, number>;
  /** Grid, or cycle of averaging, that is at work. @see docs/strategies.md#grid, docs/strategies.md#dca-averaging */
  ladder: OrderPlan | null;
  /** Its orders, an intent each. */
  rungs: ParentOrder[];
  /** What must be brought to what the ladder wants: the key of one order, `*` for all, empty for nothing. */
  ladderDue: string;
  /** Closed candles of the pair before which no cycle of averaging begins. */
  ladderFrom: number;
  /** Id of the newest funding payment: one told twice is booked once. */
  fundingId: string;
  /** What the leverage of its entries was lowered to, because their bracket allows no more; null while it is as asked. */
  lowered: LoweredLeverage | null;
  /**
   * What it trades in 24 hours; null while that is not known, which keeps it from nothing.
   *
   * @see docs/paper.md#volume
   */
  volume: TradedVolume | null;
  /** The exchange takes no new order in it; left out while it trades. */
  suspended?: Suspension;
  /** Margin rules as the exchange has told them; empty while it has not. @see docs/margin.md#leverage-brackets */
  brackets: readonly Bracket[];
}

/** Everything a bot knows; plain data, saved and restored at any event. */
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
  /** Live: what the exchange would let us spend, own orders inside; left out on paper, where the wallet says it all. */
  spendable?: Quote;
  /** Why nothing may be entered on any pair; left out when nothing keeps it from that. */
  barred?: 'key_may_withdraw' | 'key_refused';
  /** Live: the exchange wants no request before `until`, ms; left out while it answers. */
  pause?: { until: number; banned: boolean };
  pairs: PairState[];
  nextIntent: number;
  nextPosition: number;
  /** Intents with fills. */
  trades: number;
  wins: number;
  losses: number;
  /** What buying and holding would have bought; null before the first start of the account, or where that is not known. */
  benchmark: BenchmarkPair[] | null;
}

/** State of a bot that has not started. Options and parameters must have been validated. */
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

/** A pair of which nothing is known yet. */
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
    kept: null,
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
    entry: null,
    exit: null,
    stop: null,
    pendingExit: false,
    reverse: 0,
    lateExit: false,
    exitsAll: false,
    exitReference: null,
    quarantineUntil: 0,
    lastSignal: null,
    lastRefusal: null,
    refusals: {},
    ladder: null,
    rungs: [],
    ladderDue: '',
    ladderFrom: 0,
    fundingId: '',
    lowered: null,
    volume: null,
    brackets: [],
  };
}

/** Most pairs that are followed at once when `max_watch_size` is 0. @see docs/bot-lifecycle.md#watched-pairs */
const MAX_PAIRS = 100;

/**
 * Flag of a watched pair before its market is known.
 *
 * @param followed pairs that come before it
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
