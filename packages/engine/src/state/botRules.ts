import { type ExitTable, exitTables } from '../exitRules/exitTables.ts';
import { PERIODS, type Period } from '../market/period.ts';
import { percentRatio, type Quote, type Ratio, toUnits } from '../money/units.ts';
import { effectiveOptions } from '../options/effective.ts';
import type { BotOptions } from '../options/table.ts';
import { exchangeOf } from '../options/validate.ts';

/** The options of a bot in the units of the engine, hidden items at the value that switches them off. */
export interface Rules {
  readonly periodMs: number;
  readonly minPeriods: number;
  readonly takerFee: Ratio;
  readonly makerFee: Ratio;
  readonly maker: boolean;
  /** A future: positions on margin, long and short. */
  readonly future: boolean;
  readonly longs: boolean;
  readonly shorts: boolean;
  /** 1 on spot. */
  readonly leverage: number;
  readonly isolated: boolean;
  readonly buyShare: Ratio;
  /** `short_buy_pct`, or `buy_pct` where that is 0. */
  readonly shortShare: Ratio;
  readonly minBuy: Quote;
  readonly maxBuy: Quote;
  readonly maxPairs: number;
  readonly maxSlippage: Ratio;
  readonly sellShare: Ratio;
  /** Exit tables with rows, in the order in which they are evaluated. */
  readonly exitTables: readonly ExitTable[];
  readonly scanMs: number;
  readonly adjustMs: number;
  readonly runMs: number;
  readonly maxBuyLoss: Ratio;
  readonly maxSellLoss: Ratio;
  readonly markdown: Ratio;
  readonly markup: Ratio;
  readonly slippage: Ratio;
  readonly quarantineMs: number;
}

/** Converts validated options. @see docs/options.md#english */
export function rulesOf(stored: BotOptions): Rules {
  const options = effectiveOptions(stored);
  const exchange = exchangeOf(options);
  const future = exchange?.future === true;
  const buyShare = percentRatio(options.buy_pct);
  return {
    periodMs: PERIODS[options.period as Period],
    minPeriods: options.min_periods,
    takerFee: percentRatio(options.takerFee),
    makerFee: percentRatio(exchange?.defi === true ? options.takerFee : options.makerFee),
    maker: options.order_type === 'maker',
    future,
    longs: options.market !== 'only_short',
    shorts: options.market !== 'only_long',
    leverage: options.leverage,
    isolated: future && options.margin_mode === 'isolated',
    buyShare,
    shortShare: options.short_buy_pct > 0 ? percentRatio(options.short_buy_pct) : buyShare,
    minBuy: toUnits(options.min_buy_size),
    maxBuy: toUnits(options.max_buy_size),
    maxPairs: options.max_buy_pair_count,
    maxSlippage: percentRatio(options.max_slippage_pct),
    sellShare: percentRatio(options.sell_pct),
    exitTables: exitTables(options),
    scanMs: options.poll_scan_time,
    adjustMs: options.order_adjust_time,
    runMs: options.run_for * 3_600_000,
    maxBuyLoss: percentRatio(options.max_buy_loss_pct),
    maxSellLoss: percentRatio(options.max_sell_loss_pct),
    markdown: percentRatio(options.markdown_buy_pct),
    markup: percentRatio(options.markup_sell_pct),
    slippage: percentRatio(options.avg_slippage_pct),
    quarantineMs: options.quarentine_time * 60_000,
  };
}
