import { percentRatio } from '../money/units.ts';
import { STRATEGIES } from '../strategies/catalogue.ts';
import { effectiveOptions } from './effective.ts';
import type { ExchangeName } from './exchanges.ts';
import type { ExitRow } from './item.ts';
import type { BotOptions, OptionName } from './table.ts';
import { exchangeOf } from './validate.ts';

/**
 * Codes of the warnings, each with the values that a text about it names. The texts are in the locale tables of the contract
 * package. Percents are decimal texts.
 */
export interface WarningValues {
  guard_before_stop: { readonly leverage: number; readonly guard: string; readonly stop: number };
  callback_below_fees: { readonly profit: string; readonly fees: string };
  target_below_fees: { readonly target: string; readonly fees: string };
  stops_in_heron_only: { readonly exchange: ExchangeName };
  all_margin_unlimited_pairs: Readonly<Record<never, never>>;
  all_margin_one_entry: Readonly<Record<never, never>>;
  cross_without_stop: Readonly<Record<never, never>>;
  stop_ends_plan: {
    readonly strategy: 'grid' | 'dca';
    readonly stop: number;
    readonly used: number;
    readonly entries: number;
  };
}

export type WarningCode = keyof WarningValues;

/** A warning code with its values. */
export type WarningDetail = { [Code in WarningCode]: { readonly code: Code } & WarningValues[Code] }[WarningCode];

/** Options that are allowed but probably not intended; `option` names the one to check. */
export type OptionWarning = WarningDetail & { readonly option: OptionName };

/** Properties of the market that the warnings depend on. */
export interface WarningContext {
  /** Maintenance margin rate of the smallest position, percent. @see docs/margin.md#leverage-brackets */
  readonly maintenancePercent: number;
}

/** First bracket of the fall-back table. @see docs/margin.md#leverage-brackets */
const FALL_BACK: WarningContext = { maintenancePercent: 0.4 };

/**
 * Returns the warnings about options. None of them prevents a start.
 *
 * @param options validated
 * @see docs/options.md#accepted-with-a-warning
 */
export function optionWarnings(options: BotOptions, context: WarningContext = FALL_BACK): OptionWarning[] {
  const used = effectiveOptions(options);
  const futures = exchangeOf(used)?.future === true;
  // Grid and DCA have exits of their own: of the exit tables only stop_sell acts (docs/exits.md#common-rules).
  const hasOrderPlan = STRATEGIES.get(used.strategy)?.group === 'orderPlan';
  return [
    ...(futures ? guardBeforeStop(used, context) : []),
    ...(hasOrderPlan ? [] : [...callbackBelowFees(used), ...targetBelowFees(used)]),
    ...(futures ? allMarginInUse(used) : []),
    ...(futures ? crossWithoutStop(used, hasOrderPlan) : []),
    ...stopsInHeronOnly(used),
  ];
}

/** Warns when the stop-loss that sells all lies beyond 80 % of the way to liquidation, where the liquidation guard closes. */
function guardBeforeStop(options: BotOptions, { maintenancePercent }: WarningContext): OptionWarning[] {
  const stop = nearestFullStop(options.stop_sell);
  if (stop === null) return [];
  // θ > 0.8 · (1/L − mmr), times L.
  const leverage = units(options.leverage);
  const way = ONE * ONE - ratio(maintenancePercent) * leverage;
  if (ratio(stop) * leverage * 10n <= way * 8n) return [];
  const guard = decimal(Number(way * 8n) / Number(leverage) / 1e7);
  return [{ option: 'stop_sell', code: 'guard_before_stop', leverage: options.leverage, guard, stop }];
}

/** Warns when a trailing take-profit at its activation may gain less than the fees. Its exit is always taker. @see docs/orders.md#urgency */
function callbackBelowFees(options: BotOptions): OptionWarning[] {
  if (options.profit_callback.length === 0) return [];
  const fees = roundTrip(options, options.takerFee);
  const highestShare = Math.max(...options.profit_callback.map(({ profit }) => profit));
  const profit = ratio(options.profit_callback_start) * ratio(highestShare);
  if (fees < profit) return [];
  return [{ option: 'profit_callback', code: 'callback_below_fees', profit: percent(profit), fees: percent(fees) }];
}

/** Warns about a live bot whose exchange has no stop orders, so that its stop-loss works only while Heron runs. */
function stopsInHeronOnly(options: BotOptions): OptionWarning[] {
  const exchange = exchangeOf(options);
  if (options.mode !== 'live' || exchange === undefined || exchange.stops) return [];
  const option = (['stop_sell', 'trailing_stop'] as const).find((name) => options[name].length > 0);
  return option === undefined ? [] : [{ option, code: 'stops_in_heron_only', exchange: exchange.name }];
}

/** Warns when the nearest target gains no more than the fees. */
function targetBelowFees(options: BotOptions): OptionWarning[] {
  if (options.profit_win.length === 0) return [];
  const fees = roundTrip(options, options.order_type === 'maker' ? options.makerFee : options.takerFee);
  const target = ratio(Math.min(...options.profit_win.map(({ profit }) => profit))) * ONE;
  if (target > fees) return [];
  return [{ option: 'profit_win', code: 'target_below_fees', target: percent(target), fees: percent(fees) }];
}

function allMarginInUse(options: BotOptions): OptionWarning[] {
  if (options.max_buy_pair_count === 0) return [{ option: 'max_buy_pair_count', code: 'all_margin_unlimited_pairs' }];
  return options.buy_pct === 100 ? [{ option: 'buy_pct', code: 'all_margin_one_entry' }] : [];
}

function crossWithoutStop(options: BotOptions, hasOrderPlan: boolean): OptionWarning[] {
  const stops = hasOrderPlan ? options.stop_sell : [...options.stop_sell, ...options.trailing_stop];
  if (options.margin_mode !== 'cross' || nearestFullStop(stops) !== null) return [];
  return [{ option: 'stop_sell', code: 'cross_without_stop' }];
}

/** Returns the percent of the nearest row that sells everything; null when there is none. */
function nearestFullStop(rows: readonly ExitRow[]): number | null {
  const full = rows.filter(({ stop }) => stop === 100).map(({ profit }) => profit);
  return full.length === 0 ? null : Math.min(...full);
}

// Limits are often met exactly, so comparisons use integers: ratios and leverage times 1e8, products times 1e16.
const ONE = 100_000_000n;
const units = (value: number) => BigInt(Math.round(value * 1e8));
const ratio = (percentValue: number) => BigInt(percentRatio(percentValue));

/** Returns the fees of an entry by `order_type` and of an exit, on the margin, times 1e16. @param exitFee percent */
function roundTrip(options: BotOptions, exitFee: number): bigint {
  const entryFee = options.order_type === 'maker' ? options.makerFee : options.takerFee;
  return units(options.leverage) * (ratio(entryFee) + ratio(exitFee));
}

/** Formats a ratio times 1e16 as a percent. */
function percent(product: bigint): string {
  return decimal(Number(product) / 1e14);
}

function decimal(value: number): string {
  return String(Number(value.toFixed(4)));
}
