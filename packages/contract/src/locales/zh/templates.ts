import type { TemplateTextTable } from '../textTables.ts';

/** Chinese texts of the templates. */
export const templates: TemplateTextTable = {
  cautious: {
    title: '稳健',
    help: '小仓位、最多三个交易对、止损较近，亏损后该交易对停一天。',
    risk: '止损近，行情来回时会连续小亏；大跌跳空时亏损可能超过止损幅度。',
  },
  balanced: {
    title: '均衡',
    help: '跟随 MACD 进出，每次用五分之一资金，最多五个交易对。',
    risk: '横盘时信号反复，手续费和小额亏损会累积；几个交易对常常一起下跌。',
  },
  trend: {
    title: '趋势',
    help: '用超级趋势顺势买入，不设目标，让利润奔跑，靠移动止盈和止损离场。',
    risk: '多数交易是小亏，靠少数大赚弥补；连续亏损可能很久，止损也更宽。',
  },
  grid: {
    title: '网格',
    help: '在启动价上下 10% 内分十格低买高卖，适合震荡行情。',
    risk: '价格跌出区间后一直持有亏损的仓位，直到 30% 止损；涨出区间后不再获利。',
  },
  dca: {
    title: '补仓',
    help: '下跌时分批加仓摊低均价，略高于均价时整体卖出。',
    risk: '许多次小赚可能被一次大跌抹去：越跌买得越多，30% 止损时整个仓位一起亏损。',
  },
  manual: {
    title: '手动',
    help: '自己买卖，机器人只负责止损和止盈。',
    risk: '买什么、何时买由您决定，策略不会拦您；止损仍可能在最低点卖出。',
  },
};
