import { ENVIRONMENT_ORDER } from '@heron/engine/options/venues.ts';
import { REASONS } from '@heron/engine/state/parentOrder.ts';
import { z } from 'zod';
import { botId, decimal, pair, time, venueId } from './entities.ts';

const count = z.number().int().min(0);

/** Lists of a paired host, which nobody trusts, are added up by the platform. An owner has at most 50 bots on a host. */
const MAX_ROWS = 2_000;
const MAX_DAYS = 4_000;
const MAX_RETURNS = 300;
const MAX_RETURN_DAYS = 100;
const MAX_CORRELATIONS = 100_000;

/** Sums of closed positions. @see docs/accounting.md#closed-positions */
const closedSums = z.object({
  positions: count,
  wins: count,
  losses: count,
  /** Realised result after fees and funding. */
  net: decimal,
  /** All fees in quote. */
  fees: decimal,
  /** Funding received less paid. */
  funding: decimal,
});

/** Money of bots. `cash` and `invested` add up to `equity`. @see docs/accounting.md#figures-of-a-portfolio */
const money = z.object({
  equity: decimal,
  cash: decimal,
  /** Spot: value of what is held. Futures: margin of the positions. */
  invested: decimal,
  /** Equity less start capital. */
  profit: decimal,
  realised: decimal,
  unrealised: decimal,
});

/** Value of positions at the mark, by direction. */
const exposure = z.object({
  asset: z.string(),
  long: decimal,
  short: decimal,
  /** Long less short. */
  net: decimal,
  /** Long plus short. */
  gross: decimal,
});

/** An open position and its loss when its stops are reached. @see docs/accounting.md#risk */
const positionRisk = z.object({
  bot: botId,
  name: z.string(),
  venue: venueId,
  pair,
  direction: z.enum(['long', 'short']),
  leverage: z.number(),
  quantity: decimal,
  /** Value at the mark. */
  value: decimal,
  /** Value at the mark divided by the quantity. */
  mark: decimal,
  /** Time of the newest quote; null when there was none. */
  quotedAt: time.nullable(),
  unrealised: decimal,
  /** The stop that is reached first; null without one. */
  stopPrice: decimal.nullable(),
  /** Equity that is lost from now on when all its stops are reached, without fees and slippage; 0 without a stop. */
  lossAtStop: decimal,
  /** Value at the mark of the part that no stop closes. */
  withoutStop: decimal,
  liquidationPrice: decimal.nullable(),
  /** Distance of the mark from the liquidation price, in percent of the mark; null without one. */
  liquidationPercent: z.number().nullable(),
});

/** Sums over the open positions of a group. */
const risk = z.object({
  positions: count,
  /** Sum of `lossAtStop`. */
  lossAtStops: decimal,
  /** Number of positions of which a part or all has no stop. */
  unprotected: count,
  /** Value of these parts at the mark. */
  withoutStop: decimal,
});

/** Figures of all bots with the same mode, environment and quote currency. Amounts of two groups are never added. */
const portfolioGroup = z.object({
  mode: z.enum(['paper', 'live']),
  environment: z.enum(ENVIRONMENT_ORDER),
  currency: z.string(),
  money,
  bots: z.array(money.extend({ bot: botId, name: z.string(), venue: venueId, strategy: z.string() })).max(MAX_ROWS),
  venues: z.array(money.extend({ venue: venueId, bots: count })).max(MAX_ROWS),
  /** Live bots by the exchange key of their account; none on paper. */
  accounts: z.array(money.extend({ key: z.uuid(), label: z.string(), bots: count })).max(MAX_ROWS),
  /** Parts of the equity, by the asset that holds them. Null: remainders that are too small to trade. */
  assets: z.array(z.object({ asset: z.string().nullable(), value: decimal })).max(MAX_ROWS),
  exposures: z.array(exposure).max(MAX_ROWS),
  exposure: exposure.omit({ asset: true }),
  risk,
  positions: z.array(positionRisk).max(MAX_ROWS),
  closed: closedSums,
  /** By the present strategy of the bot. */
  strategies: z.array(closedSums.extend({ strategy: z.string() })).max(MAX_ROWS),
  pairs: z.array(closedSums.extend({ pair })).max(MAX_ROWS),
  /** By the reason of the last exit; null without one. */
  reasons: z.array(closedSums.extend({ reason: z.enum(REASONS).nullable() })).max(MAX_ROWS),
  /** By the calendar day of the closing in the requested time zone, `2026-11-27`, oldest first. */
  days: z.array(closedSums.extend({ day: z.iso.date() })).max(MAX_DAYS),
  /** Sums of the days by calendar month, `2026-11`, oldest first. */
  months: z.array(closedSums.extend({ month: z.string().regex(/^\d{4}-\d{2}$/) })).max(MAX_ROWS),
  /** Daily returns of each bot as columns of equal length, as fractions; at most the last 90 complete days. */
  returns: z
    .array(
      z.object({
        bot: botId,
        day: z.array(z.iso.date()).max(MAX_RETURN_DAYS),
        value: z.array(z.number()).max(MAX_RETURN_DAYS),
      }),
    )
    .max(MAX_RETURNS),
  /** Each two bots with at least 20 common days, from 1 (same returns) to −1. @see docs/accounting.md#correlation */
  correlations: z
    .array(z.object({ bots: z.tuple([botId, botId]), days: count, value: z.number().min(-1).max(1) }))
    .max(MAX_CORRELATIONS),
});

/** @see docs/accounting.md#figures-of-a-portfolio */
export const portfolio = z.object({
  groups: z.array(portfolioGroup).max(100),
  /** Bots whose saved state cannot be read, so that their money is unknown and not counted. */
  uncounted: z.array(z.object({ bot: botId, name: z.string() })).max(MAX_ROWS),
});

export type Portfolio = z.infer<typeof portfolio>;
export type PortfolioGroup = z.infer<typeof portfolioGroup>;
export type PortfolioMoney = z.infer<typeof money>;
export type PositionRisk = z.infer<typeof positionRisk>;
export type ClosedSums = z.infer<typeof closedSums>;
