import { type BacktestResult, runBacktest } from '@heron/engine/backtest/backtest.ts';
import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { MARKET } from './candles.ts';

/**
 * Entries use 1 % of the money. Following every cross of a random walk loses the fees each time, and a run without
 * money does nothing.
 */
export const AS_USED = { order_type: 'taker', buy_pct: 1 } as const;

/** With everything off that makes fewer or other trades than "buy when it crosses up, sell when it crosses down". */
export const BARE_RULE = {
  ...AS_USED,
  stop_sell: [],
  profit_win: [],
  profit_callback: [],
  max_buy_loss_pct: 0,
  max_sell_loss_pct: 0,
} as const;

/** Options as the command line would take them. @throws Error with what is wrong with them */
export function checkedOptions(options: Partial<BotOptions>): BotOptions {
  const checked = validateOptions({ watch_pairs: MARKET.pair, product_currency: MARKET.quote, ...options });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.options;
}

/** Runs the engine over one-minute candles as `heron backtest` does; longer candles of the period are walked whole. */
export function runHeron(
  candles: CandleColumns,
  options: Partial<BotOptions>,
  params: Readonly<Record<string, number>>,
): BacktestResult {
  return runBacktest({
    pairs: [{ market: MARKET, candles, candleMs: PERIODS['1m'] }],
    options: checkedOptions(options),
    params,
    detail: false,
  });
}
