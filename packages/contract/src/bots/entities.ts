import { DCA_PHASES } from '@heron/engine/dca/dca.ts';
import { CELL_STATES } from '@heron/engine/grid/cell.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { VENUES, type VenueId } from '@heron/engine/options/venues.ts';
import { NOTE_KINDS } from '@heron/engine/session/journal.ts';
import { LEVEL_KINDS } from '@heron/engine/session/positionLevels.ts';
import { BOT_STATUSES, PAIR_PHASES } from '@heron/engine/state/botState.ts';
import { REASONS } from '@heron/engine/state/parentOrder.ts';
import { STOP_GAPS } from '@heron/engine/state/protectiveStopState.ts';
import { REFUSALS } from '@heron/engine/state/refusal.ts';
import { z } from 'zod';

/** Exact decimal as text, such as "-0.0333". Money, prices and quantities travel like this. */
export const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
/** Milliseconds since 1970, UTC. */
export const time = z.number().int();
export const pair = z.string().regex(/^[A-Z0-9]{1,20}-[A-Z0-9]{2,12}$/);
/** A bot; of a paired bot host with the id of that host before it: `k3x9~abc123`. */
export const botId = z.string().regex(/^([a-z0-9]{4}~)?[a-z0-9]{6}$/);
/** An exchange in one environment. */
// A mapped tuple is an array to TypeScript; there are always some.
export const venueId = z.enum(VENUES.map(({ id }) => id) as [VenueId, ...VenueId[]]);
export const side = z.enum(['buy', 'sell']);
/** Length of a candle. */
// The keys of a table are no tuple to TypeScript; there are always some.
export const period = z.enum(Object.keys(PERIODS) as [Period, ...Period[]]);

/**
 * `venue_disabled`: it should run, and nobody runs it, because its venue is not enabled.
 *
 * @see docs/bot-lifecycle.md#bot-status
 */
export const botStatus = z.enum([...BOT_STATUSES, 'error', 'venue_disabled']);
/** @see docs/bot-lifecycle.md#pair-phases */
const pairPhase = z.enum(PAIR_PHASES);

/** Why an intent exists. @see docs/orders.md#parent-and-child-orders */
const intentReason = z.enum(REASONS);

/** Why an entry or exit was not made. @see docs/entries.md#gates, docs/exits.md#exits-by-signal */
export const refusal = z.enum(REFUSALS);

export const market = z.object({
  pair,
  tickSize: decimal,
  stepSize: decimal,
  minNotional: decimal,
  last: decimal.nullable(),
  /** Percent of the last 24 hours. */
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
  quantity: decimal,
  filled: decimal,
  status: z.enum(['placing', 'open', 'cancelling']),
  placedAt: time,
  reason: intentReason,
  /** It can be taken back by hand. */
  revocable: z.boolean(),
});

/** One intent with fills. @see docs/accounting.md#trade-record */
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
  /** Adverse is positive, percent of the first price. */
  slippagePercent: z.number(),
  fees: z.array(z.object({ asset: z.string(), amount: decimal })),
  /** All fees in the quote currency. */
  feeQuote: decimal,
  /** Net result of an exit; null for an entry. */
  realised: decimal.nullable(),
  /** Leverage of an entry on margin; null for all others. */
  leverage: z.number().int().nullable(),
  /** Leverage in the options of the bot: higher than `leverage` where the leverage bracket allows less. */
  askedLeverage: z.number().int().nullable(),
  fills: z.array(fill),
});

const position = z.object({
  quantity: decimal,
  entryPrice: decimal,
  cost: decimal,
  openedAt: time,
  /** At the last price, entry fees inside: adds up with cash and equity. */
  unrealised: decimal,
  /** Return on margin in percent by the reference price: on spot that of the price. */
  direction: z.enum(['long', 'short']),
  leverage: z.number(),
  margin: decimal,
  liquidationPrice: decimal.nullable(),
  returnPercent: z.number(),
  /** Where its exits act as things are now: none while the bot does not look at them. */
  levels: z.array(
    z.object({
      kind: z.enum(LEVEL_KINDS),
      /** First price of the pair's grid at which it acts: the liquidation guard by the mark price. */
      price: decimal,
      /** Row of its table as the user wrote it; null where there is no table. */
      row: z.number().int().nullable(),
      /** Percent of what is then held. */
      sells: z.number(),
    }),
  ),
  /** Order that protects the position at the exchange, also while Heron is down; null on paper. */
  stop: z
    .object({
      /** The exchange has confirmed it. False: it is on its way, being moved, or there is none. */
      resting: z.boolean(),
      /** Price at which the exchange sells (of a short: buys back). */
      price: decimal.nullable(),
      quantity: decimal.nullable(),
      /** Of how much that is a part, where the exchange takes no larger order: the bot sells the rest itself. */
      of: decimal.nullable(),
      /** Why there is none; null while there is one. */
      gap: z.enum(STOP_GAPS).nullable(),
    })
    .nullable(),
});

/** A grid at work. @see docs/strategies.md#grid */
const grid = z.object({
  kind: z.literal('grid'),
  budget: decimal,
  lower: decimal,
  upper: decimal,
  /** Finished cycles of all cells, and their net result by the average cost of each cell. */
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

/** A cycle of averaging at work. @see docs/strategies.md#dca-averaging */
const averaging = z.object({
  kind: z.literal('dca'),
  phase: z.enum(DCA_PHASES),
  budget: decimal,
  entries: z.number().int(),
  /** Most entries of the cycle. */
  orders: z.number().int(),
  /** Average price of the first entry; null until it has filled. */
  first: decimal.nullable(),
  takeProfit: decimal.nullable(),
  /** The trailing take-profit is armed. */
  trailing: z.boolean(),
});

export const pairView = z.object({
  pair,
  phase: pairPhase,
  /** Why the pair is not traded, or null. */
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
  /** What paused it: no entries until it is resumed. */
  pausedBy: intentReason.nullable(),
  /**
   * Volume of 24 hours in whole units of the quote currency, when it was read, and the minimum for entries; null while it is
   * not known.
   */
  volume: z.object({ at: time, value: z.number(), needed: z.number() }).nullable(),
  /** Prices are multiples of it; null while the market is not known. */
  tickSize: decimal.nullable(),
  bid: decimal.nullable(),
  ask: decimal.nullable(),
  last: decimal.nullable(),
  /** Time of the newest quote. */
  quotedAt: time.nullable(),
  candlesHeld: z.number().int(),
  candlesNeeded: z.number().int(),
  /** What the last signal was and when its candle closed. */
  lastSignal: z.object({ at: time, side }).nullable(),
  /** The last gate that refused, with its inputs. */
  lastRefusal: z
    .object({ at: time, gate: refusal, inputs: z.record(z.string(), z.union([z.string(), z.number()])) })
    .nullable(),
  refusals: z.record(z.string(), z.number().int()),
  position: position.nullable(),
  ladder: z.discriminatedUnion('kind', [grid, averaging]).nullable(),
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
  /** What an entry could use now: free cash, or free margin. @see docs/entries.md#size */
  available: decimal,
  realised: decimal,
  unrealised: decimal,
  /** Percent of the start capital. */
  unrealisedPercent: z.number(),
  /** Value of what is held without a position: remainders too small to trade. Part of the total. */
  dust: decimal,
  /** Percent of the start capital. */
  profitPercent: z.number(),
  trades: z.number().int(),
  wins: z.number().int(),
  losses: z.number().int(),
  /** Share of closed positions that won; 0 while none is closed. */
  winRatePercent: z.number(),
  /**
   * Buy-and-hold result of the start capital, split equally over the pairs watched at the start, from their first quotes, without
   * fees. Null before those, and for an account that a version without this figure began.
   */
  benchmarkPercent: z.number().nullable(),
  maxDrawdownPercent: z.number(),
});

export const botSummary = z.object({
  id: botId,
  name: z.string(),
  /** The venue that it trades on; it never changes. */
  venue: venueId,
  mode: z.enum(['paper', 'live']),
  status: botStatus,
  /** It is to end as soon as it holds nothing any more. */
  draining: z.boolean(),
  /** What keeps a bot in `error`, for people. */
  problem: z.object({ zh: z.string(), en: z.string() }).nullable(),
  strategy: strategyChoice,
  period: z.string(),
  pairs: z.array(pair),
  openPairs: z.number().int(),
  performance,
  createdAt: time,
  startedAt: time.nullable(),
});

/** How the market data of a venue come in, as one process of the host hears them. */
export const feedHealth = z.object({
  /** Whose process it is. */
  of: z.enum(['paper', 'live']),
  /** Pairs that bots follow there. */
  pairs: z.number().int(),
  /** Pairs among them without a push for three scan intervals, at least 10 s: they are polled instead. */
  quietPairs: z.number().int(),
  /** Null while the connection is down, or nothing is followed. */
  connectedSince: time.nullable(),
  heardAt: time.nullable(),
  /** Times that the connection was lost since the process began, and the last of them. */
  interruptions: z.number().int(),
  interruptedAt: time.nullable(),
});

/** What may be known of an exchange key: neither key nor secret. */
export const exchangeKey = z.object({
  id: z.uuid(),
  /** The only venue that it is used on. */
  venue: venueId,
  label: z.string(),
  lastFour: z.string(),
  permissions: z.object({
    trade: z.boolean(),
    /** Null where the venue does not say, and its owner has confirmed that it may not. */
    withdraw: z.boolean().nullable(),
    /** Works from listed addresses only; null where the venue does not say. */
    ipRestricted: z.boolean().nullable(),
  }),
  /** What is allowed and should be changed at the exchange. */
  warnings: z.array(z.object({ zh: z.string(), en: z.string() })),
  /** When the exchange told the permissions. */
  checkedAt: time,
  createdAt: time,
  /** Bots that trade with it. */
  bots: z.array(botId),
});

/**
 * How a live bot hears of its account: `off` while it does not run; `connecting` until the account was read once;
 * `streaming`; `polling` while the stream is away and the account is read every few seconds; `unreachable` when the last
 * reading failed.
 */
const connection = z.enum(['off', 'connecting', 'streaming', 'polling', 'unreachable', 'key_refused']);

/** The account that a live bot trades on. */
const account = z.object({
  /** Id of its key. */
  key: z.uuid(),
  /** The bot's share of it in the product currency; null for all of it. */
  allotment: decimal.nullable(),
  connection,
  /** When it was last compared with the books. */
  comparedAt: time.nullable(),
});

/** An exchange accepts no request of this IP address until then. `banned`: it has banned the address, rather than asked to wait. */
export const exchangePause = z.object({ until: time, banned: z.boolean() });
export type ExchangePause = z.infer<typeof exchangePause>;

export const botDetail = botSummary.extend({
  /** Null while the exchange takes requests, and of a bot that no worker runs. */
  pause: exchangePause.nullable().default(null),
  /** Null for paper bots. */
  account: account.nullable(),
  options: z.record(z.string(), z.unknown()),
  /** What is allowed and probably not meant, by option. @see docs/options.md#accepted-with-a-warning */
  warnings: z.array(z.object({ option: z.string(), message: z.object({ zh: z.string(), en: z.string() }) })),
  pairViews: z.array(pairView),
});

/**
 * What a bot was worth, oldest first; columns of equal length, in its product currency. A curve without what was paid in or
 * taken out in between is that of `total − start`.
 */
export const equityHistory = z.object({
  at: z.array(time),
  /** Of the account, with what is held. */
  total: z.array(decimal),
  /** Start capital at that time. */
  start: z.array(decimal),
});

/** What a bot has won or lost lately. */
export const recentProfit = z.object({
  id: botId,
  /** From when on `before` counts: what was asked for, or when the bot was first seen if that is later. */
  since: time,
  /** Profit that it had then: its present one less this is that of the time since. */
  before: decimal,
  /** Profit at moments of the last 24 hours, the first when they begin; oldest first, columns of equal length. */
  at: z.array(time),
  profit: z.array(decimal),
});

const figures = z.object({
  /** Intents with fills. */
  trades: z.number().int(),
  /** Net result, booked: fees and funding are inside. */
  net: decimal,
  fees: decimal,
  /** What fills were worse than the price at which their order was decided; negative where they were better. */
  slippage: decimal,
});

/** Positions that were closed with a gain, and with a loss. */
const closed = { wins: z.number().int(), losses: z.number().int() };

/** From where a result comes: why an order was made, or what the exchange paid or took without one. */
export const RESULT_SOURCES = [...REASONS, 'funding'] as const;

/**
 * Where the realised result of a bot comes from. Each list adds up to it, to the last digit.
 *
 * @see docs/accounting.md#figures-of-a-bot
 */
export const botFigures = z.object({
  currency: z.string(),
  /** When the account began that is counted, after another one; null for the first. */
  since: time.nullable(),
  realised: decimal,
  pairs: z.array(figures.extend({ pair, ...closed })),
  reasons: z.array(figures.extend({ reason: z.enum(RESULT_SOURCES) })),
  /** Calendar months of the zone that was asked for, newest first: `2026-11`. */
  months: z.array(figures.extend({ month: z.string(), ...closed })),
});

export const noteKind = z.enum(NOTE_KINDS);

/**
 * One line of the bot's journal: what happened or did not, and the inputs that decided it.
 * `kind` says which: `command`, `status`, `signal`, `refusal`, `intent`, `order`, `fill`, `intent_end`, `position_closed`,
 * `funding`, `liquidation`, `ladder`, `leverage`, `volume`, `suspension`, `phase`, `alarm`, `external`.
 */
export const journalEntry = z.object({
  seq: z.number().int(),
  at: time,
  pair: pair.nullable(),
  kind: noteKind,
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** Closed candles of a stretch of time, oldest first; columns of equal length. */
export const pastCandles = z.object({
  time: z.array(time),
  open: z.array(z.number()),
  high: z.array(z.number()),
  low: z.array(z.number()),
  close: z.array(z.number()),
  volume: z.array(z.number()),
  /** All that the venue has until here is among them; what lies after it is to be asked for from here on. */
  until: time,
});

const units = z.number().int();

/** The rules of a market in whole units, as the engine counts them. @see packages/engine/src/market/market.ts */
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
  /** What a future has paid, oldest first; columns of equal length: rates as fractions, marks 0 where unknown. Null on spot. */
  funding: z.object({ time: z.array(time), rate: z.array(z.number()), mark: z.array(z.number()) }).nullable(),
});

/** Closed candles and the strategy's values on them, oldest first; columns of equal length. */
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

/** What came of the kill switch. */
export const halted = z.object({
  /** The exchange has confirmed that nothing rests, and that nothing is held if it was to be sold. */
  confirmed: z.boolean(),
  bot: botDetail,
});

export type BotStatus = z.infer<typeof botStatus>;
export type BotSummary = z.infer<typeof botSummary>;
export type BotDetail = z.infer<typeof botDetail>;
export type FeedHealth = z.infer<typeof feedHealth>;
export type ExchangeKey = z.infer<typeof exchangeKey>;
export type AccountView = z.infer<typeof account>;
export type PairView = z.infer<typeof pairView>;
export type Order = z.infer<typeof order>;
export type Trade = z.infer<typeof trade>;
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

/** Options and parameters that are to be different; which values they take is for the option table to say. */
export const setupChange = z.object({
  options: z.record(z.string(), z.unknown()).default({}),
  params: z.record(z.string(), z.unknown()).default({}),
});

/** One option or parameter that was changed, and when that acts. @see docs/bot-lifecycle.md#when-option-changes-act */
export const optionChange = z.object({
  option: z.string(),
  from: z.string(),
  to: z.string(),
  acts: z.enum(['now', 'next_entry', 'reload', 'flat_reload', 'paper_reset']),
});
