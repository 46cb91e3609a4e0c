import { DCA_PHASES } from '@heron/engine/dca/dca.ts';
import { CELL_STATES } from '@heron/engine/grid/cell.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { VENUES, type VenueId } from '@heron/engine/options/venues.ts';
import { NOTE_KINDS } from '@heron/engine/session/journal.ts';
import { LEVEL_KINDS } from '@heron/engine/session/positionLevels.ts';
import { PARENT_ORDER_ENDS, REASONS } from '@heron/engine/state/parentOrder.ts';
import { STOP_GAPS } from '@heron/engine/state/protectiveStopState.ts';
import { REFUSALS } from '@heron/engine/state/refusal.ts';
import { BOT_STATUSES, PAIR_PHASES } from '@heron/engine/state/statuses.ts';
import { z } from 'zod';

/** Exact decimal as text, such as "-0.0333", for money, prices and quantities. */
export const decimal = z
  .string()
  .max(100)
  .regex(/^-?\d+(\.\d+)?$/);
/** Milliseconds since 1970, UTC. */
export const time = z.number().int();
export const pair = z.string().regex(/^[A-Z0-9]{1,20}-[A-Z0-9]{2,12}$/);
/** Id of a bot. A bot of a paired bot host has the id of that host as prefix: `k3x9~abc123`. */
export const botId = z.string().regex(/^([a-z0-9]{4}~)?[a-z0-9]{6}$/);
/** An exchange in one environment. */
// TypeScript types a mapped tuple as an array; it is never empty.
export const venueId = z.enum(VENUES.map(({ id }) => id) as [VenueId, ...VenueId[]]);
export const side = z.enum(['buy', 'sell']);
/** Length of a candle. */
// TypeScript does not type the keys of an object as a tuple; there is always one.
export const period = z.enum(Object.keys(PERIODS) as [Period, ...Period[]]);

/**
 * `venue_disabled`: the bot should run, but no worker runs it, because its venue is not enabled.
 *
 * @see docs/bot-lifecycle.md#bot-status
 */
export const botStatus = z.enum([...BOT_STATUSES, 'error', 'venue_disabled']);
/** @see docs/bot-lifecycle.md#pair-phases */
const pairPhase = z.enum(PAIR_PHASES);

/** Reason for a parent order. @see docs/orders.md#parent-and-child-orders */
const intentReason = z.enum(REASONS);

/** Gate that blocked an entry or exit. @see docs/entries.md#gates, docs/exits.md#exits-by-signal */
export const refusal = z.enum(REFUSALS);

export const market = z.object({
  pair,
  tickSize: decimal,
  stepSize: decimal,
  minNotional: decimal,
  last: decimal.nullable(),
  /** Price change of the last 24 hours, in percent. */
  change24h: z.number().nullable(),
  /** Value traded in 24 hours, in the quote currency. */
  volume24h: z.number().nullable(),
});

export const fill = z.object({
  id: z.string(),
  at: time,
  pair,
  side,
  quantity: decimal,
  price: decimal,
  fee: decimal,
  feeAsset: z.string(),
  liquidity: z.enum(['maker', 'taker']),
  reason: intentReason,
});

export const order = z.object({
  clientOrderId: z.string(),
  pair,
  side,
  type: z.enum(['limit_maker', 'limit_ioc', 'market', 'stop_market', 'stop_limit']),
  price: decimal.nullable(),
  /** Price that a stop entry waits for; null for other orders. */
  trigger: decimal.nullable().default(null),
  quantity: decimal,
  filled: decimal,
  /** `waiting`: a stop entry that is not at the exchange yet. */
  status: z.enum(['placing', 'open', 'cancelling', 'waiting']),
  placedAt: time,
  reason: intentReason,
  /** Whether the user can cancel it. */
  revocable: z.boolean(),
});

/** A parent order with fills. @see docs/accounting.md#trade-record */
export const trade = z.object({
  id: z.string(),
  pair,
  kind: z.enum(['entry', 'exit']),
  side,
  reason: intentReason,
  openedAt: time,
  closedAt: time.nullable(),
  quantity: decimal,
  averagePrice: decimal,
  firstPrice: decimal,
  /** Slippage in percent of the first price; positive when adverse. */
  slippagePercent: z.number(),
  fees: z.array(z.object({ asset: z.string(), amount: decimal })),
  /** All fees in the quote currency. */
  feeQuote: decimal,
  /** Net result of an exit; null for an entry. */
  realised: decimal.nullable(),
  /** Leverage of an entry on margin; null for all others. */
  leverage: z.number().int().nullable(),
  /** Leverage in the options of the bot, which the leverage bracket may lower to `leverage`. */
  askedLeverage: z.number().int().nullable(),
  fills: z.array(fill),
});

/**
 * Closed positions as columns of equal length, because a hundred thousand of them are read at once. Each number in them belongs to
 * the position with the same index.
 *
 * @see docs/accounting.md#closed-positions
 */
export const closedPositions = z.object({
  /** Number of the position in its bot. */
  id: z.array(z.number().int()),
  pair: z.array(pair),
  direction: z.array(z.enum(['long', 'short'])),
  openedAt: z.array(time),
  closedAt: z.array(time),
  /** Average price of the entries. */
  entryPrice: z.array(decimal),
  /** Average price of the exits; null without an exit. */
  exitPrice: z.array(decimal.nullable()),
  /** Largest size. */
  quantity: z.array(decimal),
  /** Realised result after fees and funding, in the quote currency. */
  net: z.array(decimal),
  /** All fees in the quote currency. */
  fees: z.array(decimal),
  /** Funding received less paid. */
  funding: z.array(decimal),
  /** Reason of the last exit; null without one. */
  reason: z.array(intentReason.nullable()),
});

const position = z.object({
  quantity: decimal,
  entryPrice: decimal,
  cost: decimal,
  openedAt: time,
  /** Unrealised PnL at the last price, after entry fees, so that it is consistent with cash and equity. */
  unrealised: decimal,
  direction: z.enum(['long', 'short']),
  leverage: z.number(),
  margin: decimal,
  liquidationPrice: decimal.nullable(),
  /** Return on margin in percent at the reference price; on spot the change of the price. */
  returnPercent: z.number(),
  /** Price exits that its owner has set, oldest first, also while the bot does not run. Older hosts omit them. */
  priceExits: z
    .array(
      z.object({
        id: z.number().int(),
        stopLoss: decimal.nullable(),
        takeProfit: decimal.nullable(),
        /** Percent of the position that it exits, of what is held then. */
        percent: z.number(),
      }),
    )
    .default([]),
  /** Current trigger prices of its exits; none while the bot does not check them. */
  levels: z.array(
    z.object({
      kind: z.enum(LEVEL_KINDS),
      /** First multiple of the tick size at which the exit triggers. The liquidation guard uses the mark price. */
      price: decimal,
      /** Row of the exit's table as the user entered it; null for exits without a table. */
      row: z.number().int().nullable(),
      /** Number of the price exit that it belongs to; absent for other exits. */
      exit: z.number().int().optional(),
      /** Percent of the quantity held at that time. */
      sells: z.number(),
    }),
  ),
  /** Protective stop at the exchange, which also works while Heron is down; null in paper trading. */
  stop: z
    .object({
      /** Whether the exchange has confirmed it. False while it is being placed or moved, and when there is none. */
      resting: z.boolean(),
      /** Price at which the exchange sells (of a short: buys back). */
      price: decimal.nullable(),
      quantity: decimal.nullable(),
      /** Intended quantity, when the exchange accepts no order of that size; otherwise null. The bot sells the rest itself. */
      of: decimal.nullable(),
      /** Reason why there is none; null while there is one. */
      gap: z.enum(STOP_GAPS).nullable(),
    })
    .nullable(),
});

/** A running grid. @see docs/strategies.md#grid */
const grid = z.object({
  kind: z.literal('grid'),
  budget: decimal,
  lower: decimal,
  upper: decimal,
  /** Number of finished cycles of all grid levels. `realised` is their net result by the average cost of each level. */
  cycles: z.number().int(),
  realised: decimal,
  cells: z.array(
    z.object({
      low: decimal,
      high: decimal,
      direction: z.enum(['long', 'short']),
      state: z.enum(CELL_STATES),
      held: decimal,
      cycles: z.number().int(),
      realised: decimal,
    }),
  ),
});

/**
 * Result of the grids of a pair since the start of its account, past ones included. Grid profit, floating PnL and the remainder
 * add up to the total.
 *
 * @see docs/accounting.md#grid-figures
 */
const gridResult = z.object({
  profit: decimal,
  floating: decimal,
  other: decimal,
  total: decimal,
  cycles: z.number().int(),
  /** Running time in days; null when an older version started a grid. */
  days: z.number().nullable(),
  /** Grid profit over own money in use, for 365 days, in percent; null in the first 24 hours. */
  yearlyPercent: z.number().nullable(),
});

/**
 * When a grid, a DCA deal or a periodic entry may start next. `candle`: it starts then. `signal`: its condition is tested then.
 * `schedule`: the next periodic entry is due then.
 */
const nextPlan = z.object({ by: z.enum(['candle', 'signal', 'schedule']), at: time });

/** A running DCA deal. @see docs/strategies.md#dca-averaging */
const averaging = z.object({
  kind: z.literal('dca'),
  phase: z.enum(DCA_PHASES),
  budget: decimal,
  entries: z.number().int(),
  /** Maximum number of entries of the deal. */
  orders: z.number().int(),
  /** Average price of the first entry; null until it has filled. */
  first: decimal.nullable(),
  takeProfit: decimal.nullable(),
  /** Whether the trailing take-profit is activated. */
  trailing: z.boolean(),
});

export const pairView = z.object({
  pair,
  phase: pairPhase,
  /** Flag that prevents entries of the pair; null for none. */
  flag: z
    .enum([
      'loading',
      'unknown',
      'currency',
      'watch_limit',
      'volume',
      'stale',
      'paused',
      'removed',
      'cancel_only',
      'halted',
    ])
    .nullable(),
  /** Reason for the pause, which blocks entries until the pair is resumed; null while not paused. */
  pausedBy: intentReason.nullable(),
  /**
   * 24-hour volume in whole units of the quote currency, its time, and the minimum for entries; null while the volume is
   * unknown.
   */
  volume: z.object({ at: time, value: z.number(), needed: z.number() }).nullable(),
  /** Null while the market is unknown. */
  tickSize: decimal.nullable(),
  bid: decimal.nullable(),
  ask: decimal.nullable(),
  last: decimal.nullable(),
  /** Time of the newest quote. */
  quotedAt: time.nullable(),
  candlesHeld: z.number().int(),
  candlesNeeded: z.number().int(),
  /** Side of the last signal and the time at which its candle closed. */
  lastSignal: z.object({ at: time, side }).nullable(),
  /** The gate that blocked the newest entry or exit, with its inputs; null once an entry or exit came after it. */
  lastRefusal: z
    .object({ at: time, gate: refusal, inputs: z.record(z.string(), z.union([z.string(), z.number()])) })
    .nullable(),
  /** The newest entry or exit; null before the first. A refusal that came later is in `lastRefusal`, which is else null. */
  lastOrder: z
    .object({
      at: time,
      kind: z.enum(['entry', 'exit']),
      direction: z.enum(['long', 'short']),
      reason: intentReason,
      /** Reference price of the decision; null while unknown. */
      price: decimal.nullable(),
      /** Wanted quantity; null for a liquidation on paper. */
      quantity: decimal.nullable(),
      filled: decimal,
      /** How its parent order ended; null while it works. */
      end: z.enum(PARENT_ORDER_ENDS).nullable(),
    })
    .nullable()
    .default(null),
  refusals: z.record(z.string(), z.number().int()),
  position: position.nullable(),
  ladder: z.discriminatedUnion('kind', [grid, averaging]).nullable(),
  /** Result of its grids; null when it had none. Older hosts omit it. */
  grid: gridResult.nullable().default(null),
  /** When its plan may start next; null while one runs or none can start. Older hosts omit it. */
  nextPlan: nextPlan.nullable().default(null),
  orders: z.array(order),
});

const strategyChoice = z.object({
  id: z.string(),
  params: z.record(z.string(), z.unknown()),
});

/** @see docs/accounting.md#figures-of-a-bot */
const performance = z.object({
  currency: z.string(),
  startCapital: decimal,
  totalCapital: decimal,
  cash: decimal,
  /** Amount available for an entry: free cash or free margin. @see docs/entries.md#size */
  available: decimal,
  realised: decimal,
  unrealised: decimal,
  /** Percent of the start capital. */
  unrealisedPercent: z.number(),
  /** Value of remainders that are too small to trade. They belong to no position, but to the total. */
  dust: decimal,
  /** Percent of the start capital. */
  profitPercent: z.number(),
  trades: z.number().int(),
  wins: z.number().int(),
  losses: z.number().int(),
  /** Share of closed positions with a profit; 0 while none is closed. */
  winRatePercent: z.number(),
  /**
   * Buy-and-hold result of the start capital without fees, from the first quotes of the pairs. The capital is split equally over
   * the pairs watched at the start. Null before those quotes, and for accounts of older versions without this figure.
   */
  benchmarkPercent: z.number().nullable(),
  maxDrawdownPercent: z.number(),
});

export const botSummary = z.object({
  id: botId,
  name: z.string(),
  /** Venue on which the bot trades; it never changes. */
  venue: venueId,
  mode: z.enum(['paper', 'live']),
  status: botStatus,
  /** Whether the bot will end as soon as all its positions are closed. */
  draining: z.boolean(),
  /** Its positions are being closed at the market price for that; omitted otherwise. */
  closing: z.literal(true).optional(),
  /** Reason for the status `error`, for display. */
  problem: z.object({ zh: z.string(), en: z.string() }).nullable(),
  strategy: strategyChoice,
  period: z.string(),
  pairs: z.array(pair),
  openPairs: z.number().int(),
  performance,
  /** When the first plan of the bot may start; null once one runs, and for other strategies. Older hosts omit it. */
  nextPlan: nextPlan.nullable().default(null),
  createdAt: time,
  startedAt: time.nullable(),
});

/** State of one process's market data connection to a venue. */
export const feedHealth = z.object({
  /** Kind of bots that the process runs. */
  of: z.enum(['paper', 'live']),
  /** Number of pairs that its bots watch. */
  pairs: z.number().int(),
  /** Number of those pairs without a push for three scan intervals, at least 10 s. They are polled instead. */
  quietPairs: z.number().int(),
  /** Null while the connection is down, or no pair is watched. */
  connectedSince: time.nullable(),
  heardAt: time.nullable(),
  /** Number of lost connections since the process started. `interruptedAt` is the time of the last one. */
  interruptions: z.number().int(),
  interruptedAt: time.nullable(),
});

/** An exchange key for display, without key and secret. */
export const exchangeKey = z.object({
  id: z.uuid(),
  /** The only venue on which the key is used. */
  venue: venueId,
  label: z.string(),
  lastFour: z.string(),
  permissions: z.object({
    trade: z.boolean(),
    /** Null where the venue does not report it. The owner has then confirmed that the key may not withdraw. */
    withdraw: z.boolean().nullable(),
    /** Whether the key is restricted to listed IP addresses; null where the venue does not report it. */
    ipRestricted: z.boolean().nullable(),
  }),
  /** Permissions that the owner should remove at the exchange. */
  warnings: z.array(z.object({ zh: z.string(), en: z.string() })),
  /** Time at which the exchange reported the permissions. */
  checkedAt: time,
  createdAt: time,
  /** Bots that trade with it. */
  bots: z.array(botId),
});

/** The cash on the account of a key, in one currency. */
export const keyBalance = z.object({
  /** The cash that no bot claims, which a new bot may use. */
  available: decimal,
  /** The total less what orders lock; on futures all of the wallet, the margin of positions and orders included. */
  free: decimal,
});

/**
 * State of a live bot's connection to its account.
 * - `off` while the bot does not run.
 * - `connecting` until the account was read once.
 * - `polling` while the stream is lost and the account is read every few seconds.
 * - `unreachable` when the last read failed.
 */
const connection = z.enum(['off', 'connecting', 'streaming', 'polling', 'unreachable', 'key_refused']);

/** The account of a live bot. */
const account = z.object({
  /** Id of the exchange key. */
  key: z.uuid(),
  /** The bot's share of the account in the product currency; null for all of it. */
  allotment: decimal.nullable(),
  connection,
  /** Time of the last reconciliation. */
  comparedAt: time.nullable(),
});

/** Time until which an exchange accepts no requests from this IP address. `banned`: the address is banned, not only paused. */
export const exchangePause = z.object({ until: time, banned: z.boolean() });
export type ExchangePause = z.infer<typeof exchangePause>;

export const botDetail = botSummary.extend({
  /** Null while the exchange accepts requests, and for a bot without a worker. */
  pause: exchangePause.nullable().default(null),
  /** Null for paper bots. */
  account: account.nullable(),
  options: z.record(z.string(), z.unknown()),
  /** Warnings about options that are valid but probably a mistake. @see docs/options.md#accepted-with-a-warning */
  warnings: z.array(z.object({ option: z.string(), message: z.object({ zh: z.string(), en: z.string() }) })),
  pairViews: z.array(pairView),
});

/**
 * Equity of a bot in its product currency, oldest first, in columns of equal length. `total − start` is the curve without
 * deposits and withdrawals.
 */
export const equityHistory = z.object({
  at: z.array(time),
  /** Equity of the account, with positions. */
  total: z.array(decimal),
  /** Start capital at that time. */
  start: z.array(decimal),
});

/** Recent profit of a bot. */
export const recentProfit = z.object({
  id: botId,
  /** Time to which `before` refers: the requested time, or the first stored equity of the account if that is later. */
  since: time,
  /** Profit at that time. The present profit minus `before` is the profit since then. */
  before: decimal,
  /** Times within the last 24 hours, oldest first. The first is their start, unless the account is younger. */
  at: z.array(time),
  profit: z.array(decimal),
});

const figures = z.object({
  /** Number of parent orders with fills. */
  trades: z.number().int(),
  /** Realised net result, after fees and funding. */
  net: decimal,
  fees: decimal,
  /** Cost of fills against the decision price of their order; negative where the fills were better. */
  slippage: decimal,
});

/** Numbers of positions closed with a profit and with a loss. */
const closed = { wins: z.number().int(), losses: z.number().int() };

/** Sources of a result: the reasons of parent orders, and funding. */
export const RESULT_SOURCES = [...REASONS, 'funding'] as const;

/**
 * Realised result of a bot by several criteria. Each list adds up to it exactly.
 *
 * @see docs/accounting.md#figures-of-a-bot
 */
export const botFigures = z.object({
  currency: z.string(),
  /** Start of the counted account after a reset; null for the first account. */
  since: time.nullable(),
  realised: decimal,
  pairs: z.array(figures.extend({ pair, ...closed })),
  reasons: z.array(figures.extend({ reason: z.enum(RESULT_SOURCES) })),
  /** Calendar months of the requested time zone, newest first: `2026-11`. */
  months: z.array(figures.extend({ month: z.string(), ...closed })),
});

export const noteKind = z.enum(NOTE_KINDS);

/**
 * A journal entry of the bot: an event or a blocked action, with the inputs of the decision.
 * `kind` is `command`, `status`, `signal`, `refusal`, `intent`, `order`, `fill`, `intent_end`, `position_closed`, `funding`,
 * `liquidation`, `ladder`, `leverage`, `volume`, `suspension`, `phase`, `alarm` or `external`.
 */
export const journalEntry = z.object({
  seq: z.number().int(),
  at: time,
  pair: pair.nullable(),
  kind: noteKind,
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** Closed candles of a time range, oldest first, in columns of equal length. */
export const pastCandles = z.object({
  time: z.array(time),
  open: z.array(z.number()),
  high: z.array(z.number()),
  low: z.array(z.number()),
  close: z.array(z.number()),
  volume: z.array(z.number()),
  /** The candles are complete up to this time. The next request starts here. */
  until: time,
});

const units = z.number().int();

/** The rules of a market in the integer units of the engine. @see packages/engine/src/market/market.ts */
export const marketTerms = z.object({
  market: z.object({
    pair,
    base: z.string(),
    quote: z.string(),
    tick: units,
    step: units,
    minQuantity: units,
    maxQuantity: units,
    minNotional: units,
    maxOrders: units.exactOptional(),
    stop: z.enum(['market', 'limit']).exactOptional(),
    assetDecimals: z.number().int(),
  }),
  /** Funding of a future, oldest first: rates as fractions, mark prices 0 where unknown. Null on spot. */
  funding: z.object({ time: z.array(time), rate: z.array(z.number()), mark: z.array(z.number()) }).nullable(),
});

/** Closed candles and the strategy's values for them, oldest first, in columns of equal length. */
export const candleHistory = z.object({
  pair,
  period: z.string(),
  time: z.array(time),
  open: z.array(z.number()),
  high: z.array(z.number()),
  low: z.array(z.number()),
  close: z.array(z.number()),
  volume: z.array(z.number()),
  series: z.array(
    z.object({
      name: z.string(),
      pane: z.enum(['main', 'sub', 'bottom']),
      kind: z.enum(['line', 'dot', 'histogram', 'marker']),
      values: z.array(z.number().nullable()),
    }),
  ),
});

export const candle = z.object({
  time,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});

/** Result of the kill switch. */
export const halted = z.object({
  /** Whether the exchange has confirmed that no order is open and, if requested, that all positions are closed. */
  confirmed: z.boolean(),
  bot: botDetail,
});

export type BotStatus = z.infer<typeof botStatus>;
export type BotSummary = z.infer<typeof botSummary>;
export type BotDetail = z.infer<typeof botDetail>;
export type FeedHealth = z.infer<typeof feedHealth>;
export type ExchangeKey = z.infer<typeof exchangeKey>;
export type KeyBalance = z.infer<typeof keyBalance>;
export type AccountView = z.infer<typeof account>;
export type PairView = z.infer<typeof pairView>;
export type Order = z.infer<typeof order>;
export type Trade = z.infer<typeof trade>;
export type ClosedPositions = z.infer<typeof closedPositions>;
export type JournalEntry = z.infer<typeof journalEntry>;
export type CandleHistory = z.infer<typeof candleHistory>;
export type PastCandles = z.infer<typeof pastCandles>;
export type MarketTerms = z.infer<typeof marketTerms>;
export type CandleBar = z.infer<typeof candle>;
export type MarketView = z.infer<typeof market>;
export type EquityHistory = z.infer<typeof equityHistory>;
export type RecentProfit = z.infer<typeof recentProfit>;
export type BotFigures = z.infer<typeof botFigures>;
export type ResultSource = (typeof RESULT_SOURCES)[number];

/** Changed options and parameters, which the option table validates. */
export const setupChange = z.strictObject({
  options: z.record(z.string(), z.unknown()).default({}),
  params: z.record(z.string(), z.unknown()).default({}),
});

/** A changed option or parameter and when the change takes effect. @see docs/bot-lifecycle.md#when-option-changes-act */
export const optionChange = z.object({
  option: z.string(),
  /** Strategy whose parameter it is; omitted for an option. */
  strategy: z.string().exactOptional(),
  from: z.string(),
  to: z.string(),
  acts: z.enum(['now', 'next_entry', 'next_plan', 'reload', 'flat_reload', 'paper_reset']),
});
