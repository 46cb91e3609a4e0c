import type { Text } from './item.ts';
import type { GivenSetup } from './setup.ts';
import type { BotOptions } from './table.ts';

/** A set-up to begin with: what it leaves out is at its default. */
export interface Template extends GivenSetup {
  readonly id: string;
  readonly title: Text;
  /** What it does, in a sentence. */
  readonly help: Text;
  /** How money is lost with it, in a sentence. */
  readonly risk: Text;
  readonly options: Partial<BotOptions>;
}

/**
 * Set-ups to begin with, from the calmest to the one that does nothing by itself. Each is valid on spot and on futures and is
 * warned of nothing. None says which venue, mode, money or pairs: those are the person's.
 */
export const TEMPLATES: readonly Template[] = [
  {
    id: 'cautious',
    title: { zh: '稳健', en: 'Cautious' },
    help: {
      zh: '小仓位、最多三个交易对、止损较近，亏损后该交易对停一天。',
      en: 'Small entries in three pairs at most, a near stop, and a day of rest for a pair after a loss.',
    },
    risk: {
      zh: '止损近，行情来回时会连续小亏；大跌跳空时亏损可能超过止损幅度。',
      en: 'A near stop loses a little again and again in a market that swings, and a price that jumps can lose more than the stop.',
    },
    options: {
      strategy: 'trend_ema',
      period: '4h',
      buy_pct: 10,
      max_buy_pair_count: 3,
      leverage: 2,
      stop_sell: [{ profit: 3, stop: 100 }],
      profit_callback_start: 4,
      profit_win: [{ profit: 8, stop: 50 }],
      quarentine_time: 1_440,
    },
    params: {},
  },
  {
    id: 'balanced',
    title: { zh: '均衡', en: 'Balanced' },
    help: {
      zh: '跟随 MACD 进出，每次用五分之一资金，最多五个交易对。',
      en: 'Follows the MACD in and out, with a fifth of the cash at a time in five pairs at most.',
    },
    risk: {
      zh: '横盘时信号反复，手续费和小额亏损会累积；几个交易对常常一起下跌。',
      en: 'Without a trend its signals change often and fees and small losses add up; several pairs often fall together.',
    },
    options: {
      strategy: 'macd',
      period: '1h',
      buy_pct: 20,
      max_buy_pair_count: 5,
      leverage: 3,
      stop_sell: [{ profit: 5, stop: 100 }],
      profit_callback_start: 6,
      profit_win: [{ profit: 15, stop: 50 }],
    },
    params: {},
  },
  {
    id: 'trend',
    title: { zh: '趋势', en: 'Trend' },
    help: {
      zh: '用超级趋势顺势买入，不设目标，让利润奔跑，靠回调止盈和止损离场。',
      en: 'Buys with the SuperTrend and lets profits run: no targets, it leaves by the callback and the stop.',
    },
    risk: {
      zh: '多数交易是小亏，靠少数大赚弥补；连续亏损可能很久，止损也更宽。',
      en: 'Most trades lose a little and few win much, so a row of losses can last long; its stop is wide.',
    },
    options: {
      strategy: 'supertrend',
      period: '4h',
      buy_pct: 20,
      max_buy_pair_count: 5,
      leverage: 2,
      stop_sell: [{ profit: 8, stop: 100 }],
      profit_callback_start: 10,
      profit_callback: [{ profit: 60, stop: 100 }],
      profit_win: [],
    },
    params: {},
  },
  {
    id: 'grid',
    title: { zh: '网格', en: 'Grid' },
    help: {
      zh: '在启动价上下 10% 内分十格低买高卖，适合震荡行情。',
      en: 'Ten cells within 10% around the starting price, each buying low and selling high: for a market that swings.',
    },
    risk: {
      zh: '价格跌出区间后一直持有亏损的仓位，直到 30% 止损；涨出区间后不再获利。',
      en: 'Below its range it holds a losing position until the stop at 30%; above it, it earns nothing more.',
    },
    options: {
      strategy: 'grid',
      period: '15m',
      buy_pct: 50,
      max_buy_pair_count: 2,
      leverage: 2,
      stop_sell: [{ profit: 30, stop: 100 }],
    },
    params: { range_pct: 10, levels: 10 },
  },
  {
    id: 'dca',
    title: { zh: '补仓', en: 'Averaging' },
    help: {
      zh: '下跌时分批加仓摊低均价，略高于均价时整体卖出。',
      en: 'Buys more at each step down and sells all a little above the average price.',
    },
    risk: {
      zh: '许多次小赚可能被一次大跌抹去：越跌买得越多，30% 止损时亏损的是满仓。',
      en: 'One long fall can take many small wins: it buys more the lower the price, and the stop at 30% then loses on all of it.',
    },
    options: {
      strategy: 'dca',
      period: '15m',
      buy_pct: 40,
      max_buy_pair_count: 2,
      leverage: 2,
      stop_sell: [{ profit: 30, stop: 100 }],
    },
    params: {},
  },
  {
    id: 'manual',
    title: { zh: '手动', en: 'Manual' },
    help: {
      zh: '自己买卖，机器人只负责止损和止盈。',
      en: 'You buy and sell; the bot only watches the stop and takes the profit.',
    },
    risk: {
      zh: '买什么、何时买由您决定，策略不会拦您；止损仍可能在最低点卖出。',
      en: 'What and when to buy is your own judgement, no strategy objects; the stop can still sell at the worst moment.',
    },
    options: {
      strategy: 'manual',
      period: '15m',
      leverage: 2,
      stop_sell: [{ profit: 5, stop: 100 }],
      profit_callback_start: 5,
      profit_win: [{ profit: 20, stop: 50 }],
    },
    params: {},
  },
];
