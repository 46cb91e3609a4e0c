import { percentRatio } from '../money/units.ts';
import { STRATEGIES } from '../strategies/catalogue.ts';
import { effectiveOptions } from './effective.ts';
import type { ExitLevel, Text } from './item.ts';
import type { BotOptions, OptionName } from './table.ts';
import { exchangeOf } from './validate.ts';

/** What is allowed and probably not meant; `option` names the item to look at. */
export interface OptionWarning {
  readonly option: OptionName;
  readonly message: Text;
}

/** What the warnings know of the market. */
export interface WarningContext {
  /** Maintenance margin rate of the smallest position, percent. @see docs/margin.md#leverage-brackets */
  readonly maintenancePercent: number;
}

/** First bracket of the fall-back table. @see docs/margin.md#leverage-brackets */
const FALL_BACK: WarningContext = { maintenancePercent: 0.4 };

/**
 * What a person should know before a bot with these options starts. Nothing here keeps it from starting.
 *
 * @param options validated
 * @see docs/options.md#accepted-with-a-warning
 */
export function optionWarnings(options: BotOptions, context: WarningContext = FALL_BACK): OptionWarning[] {
  const used = effectiveOptions(options);
  const futures = exchangeOf(used)?.future === true;
  // A ladder has exits of its own: of the tables only stop_sell acts (docs/exits.md#common-rules).
  const ladder = STRATEGIES.get(used.strategy)?.group === 'ladder';
  return [
    ...(futures ? guardBeforeStop(used, context) : []),
    ...(ladder ? [] : [...callbackBelowFees(used), ...targetBelowFees(used)]),
    ...(futures ? allMarginInUse(used) : []),
    ...(futures ? crossWithoutStop(used) : []),
    ...stopsInHeronOnly(used),
  ];
}

/** The stop-loss that sells all lies beyond 80 % of the way to liquidation, where the liquidation guard closes. */
function guardBeforeStop(options: BotOptions, { maintenancePercent }: WarningContext): OptionWarning[] {
  const stop = nearestFullStop(options.stop_sell);
  if (stop === null) return [];
  // θ > 0.8 · (1/L − mmr), times L.
  const leverage = units(options.leverage);
  const way = ONE * ONE - ratio(maintenancePercent) * leverage;
  if (ratio(stop) * leverage * 10n <= way * 8n) return [];
  const guard = decimal(Number(way * 8n) / Number(leverage) / 1e7);
  return [
    {
      option: 'stop_sell',
      message: {
        zh: `强平保护会先触发：${options.leverage} 倍逐仓时价格不利变动约 ${guard}% 就会平仓，早于 ${stop}% 的止损`,
        en: `the liquidation guard acts first: at ${options.leverage}× isolated it closes after a move of about ${guard}% against the position, before the stop loss at ${stop}%`,
      },
    },
  ];
}

/** A callback exit right at its start may bring less than the fees. It is always taker. @see docs/orders.md#urgency */
function callbackBelowFees(options: BotOptions): OptionWarning[] {
  if (options.profit_callback.length === 0) return [];
  const fees = roundTrip(options, options.takerFee);
  const kept = Math.max(...options.profit_callback.map(({ profit }) => profit));
  const profit = ratio(options.profit_callback_start) * ratio(kept);
  if (fees < profit) return [];
  return [
    {
      option: 'profit_callback',
      message: {
        zh: `回调止盈可能不够付手续费：最早在收益 ${percent(profit)} 时卖出，开平仓手续费合计 ${percent(fees)}（均按投入资金计）`,
        en: `callback exits may not cover the fees: the earliest sells at a profit of ${percent(profit)}, both fees are ${percent(fees)} of the money put in`,
      },
    },
  ];
}

/** The stop-loss of a live bot rests at the exchange as well, where the exchange takes stop orders. */
function stopsInHeronOnly(options: BotOptions): OptionWarning[] {
  const exchange = exchangeOf(options);
  if (options.mode !== 'live' || exchange === undefined || exchange.stops || options.stop_sell.length === 0) return [];
  const { zh, en } = exchange.title;
  return [
    {
      option: 'stop_sell',
      message: {
        zh: `${zh}不支持止损单：止损只在 Heron 运行时有效，停机期间无人看守持仓`,
        en: `${en} has no stop orders: the stop loss works only while Heron runs, and nothing watches a position while it does not`,
      },
    },
  ];
}

/** The nearest target brings no more than the fees. */
function targetBelowFees(options: BotOptions): OptionWarning[] {
  if (options.profit_win.length === 0) return [];
  const fees = roundTrip(options, options.order_type === 'maker' ? options.makerFee : options.takerFee);
  const target = ratio(Math.min(...options.profit_win.map(({ profit }) => profit))) * ONE;
  if (target > fees) return [];
  return [
    {
      option: 'profit_win',
      message: {
        zh: `目标止盈不够付手续费：最近的目标是 ${percent(target)}，开平仓手续费合计 ${percent(fees)}（均按投入资金计）`,
        en: `target exits do not cover the fees: the nearest target is ${percent(target)}, both fees are ${percent(fees)} of the money put in`,
      },
    },
  ];
}

function allMarginInUse(options: BotOptions): OptionWarning[] {
  const endless = options.max_buy_pair_count === 0;
  if (!endless && options.buy_pct !== 100) return [];
  const why = endless
    ? { zh: '持仓交易对数不限', en: 'the number of pairs held is not limited' }
    : { zh: '每次开仓使用全部可用保证金', en: 'one entry takes all available margin' };
  return [
    {
      option: endless ? 'max_buy_pair_count' : 'buy_pct',
      message: { zh: `保证金可能同时全部占用：${why.zh}`, en: `all margin may be in use at once: ${why.en}` },
    },
  ];
}

function crossWithoutStop(options: BotOptions): OptionWarning[] {
  if (options.margin_mode !== 'cross' || nearestFullStop(options.stop_sell) !== null) return [];
  return [
    {
      option: 'stop_sell',
      message: {
        zh: '全仓模式下没有卖出 100% 的止损：一个仓位的亏损可能耗尽整个账户',
        en: 'no stop loss sells 100% of a position on cross margin: the loss of one position can take the whole account',
      },
    },
  ];
}

/** Percent of the nearest row that sells everything; null when there is none. */
function nearestFullStop(rows: readonly ExitLevel[]): number | null {
  const full = rows.filter(({ stop }) => stop === 100).map(({ profit }) => profit);
  return full.length === 0 ? null : Math.min(...full);
}

// Comparisons stand at round figures, so they are made on whole numbers: ratios and leverage times 1e8, products 1e16.
const ONE = 100_000_000n;
const units = (value: number) => BigInt(Math.round(value * 1e8));
const ratio = (percentValue: number) => BigInt(percentRatio(percentValue));

/** Fees of an entry by `order_type` and of an exit, on the margin, times 1e16. @param exitFee percent */
function roundTrip(options: BotOptions, exitFee: number): bigint {
  const entryFee = options.order_type === 'maker' ? options.makerFee : options.takerFee;
  return units(options.leverage) * (ratio(entryFee) + ratio(exitFee));
}

/** A ratio times 1e16 as a percent for people. */
function percent(product: bigint): string {
  return `${decimal(Number(product) / 1e14)}%`;
}

function decimal(value: number): string {
  return String(Number(value.toFixed(4)));
}
