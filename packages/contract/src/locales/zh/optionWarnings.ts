import type { WarningTextTable } from '../textTables.ts';
import { exchanges } from './venues.ts';

/** Chinese texts of the warnings. */
export const warnings: WarningTextTable = {
  guard_before_stop: ({ leverage, guard, stop }) =>
    `强平保护会先触发：${leverage} 倍逐仓时价格不利变动约 ${guard}% 就会平仓，早于 ${stop}% 的止损`,
  callback_below_fees: ({ profit, fees }) =>
    `移动止盈可能不够付手续费：最早在收益率 ${profit}% 时卖出，开平仓手续费合计 ${fees}%`,
  target_below_fees: ({ target, fees }) => `止盈不够付手续费：最近的目标是 ${target}%，开平仓手续费合计 ${fees}%`,
  stops_in_heron_only: ({ exchange }) => `${exchanges[exchange].title}不支持止损单：止损仅在苍鹭运行时有效`,
  all_margin_unlimited_pairs: () => '保证金可能同时全部占用：持仓数不限',
  all_margin_one_entry: () => '保证金可能同时全部占用：每次开仓使用全部可用保证金',
  cross_without_stop: () => '全仓模式下没有卖出 100% 的止损：一个仓位可能亏光整个账户',
  stop_ends_plan: ({ strategy, stop, used, entries }) =>
    `${stop}% 的止损会提前结束${strategy === 'grid' ? '网格' : '补仓'}：共 ${entries} 次买入，只用到 ${used} 次`,
};
