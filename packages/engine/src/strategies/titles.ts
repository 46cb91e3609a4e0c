import type { Text } from '../options/item.ts';

/**
 * What each strategy is called, by its id. Apart from the strategies, so that a list of bots can name them without loading
 * what they compute.
 */
export const TITLES = {
  ema_cross: { zh: '均线交叉', en: 'EMA cross' },
  trend_ema: { zh: '均线趋势', en: 'EMA trend' },
  macd: { zh: 'MACD', en: 'MACD' },
  rsi: { zh: 'RSI', en: 'RSI' },
  stoch_rsi: { zh: '随机RSI', en: 'Stochastic RSI' },
  bollinger: { zh: '布林带', en: 'Bollinger bands' },
  keltner: { zh: '肯特纳通道', en: 'Keltner channel' },
  psar: { zh: '抛物线SAR', en: 'Parabolic SAR' },
  ichimoku: { zh: '一目均衡表', en: 'Ichimoku' },
  hull_ma: { zh: '赫尔均线', en: 'Hull average' },
  momentum: { zh: '动量', en: 'Momentum' },
  wavetrend: { zh: '波浪趋势', en: 'WaveTrend' },
  cci_srsi: { zh: 'CCI＋随机RSI', en: 'CCI and stochastic RSI' },
  vwap_cross: { zh: 'VWAP 交叉', en: 'VWAP cross' },
  trix: { zh: 'TRIX', en: 'TRIX' },
  fisher: { zh: '费舍尔变换', en: 'Fisher transform' },
  donchian: { zh: '唐奇安通道', en: 'Donchian channel' },
  supertrend: { zh: '超级趋势', en: 'SuperTrend' },
  adx_dmi: { zh: 'ADX 趋向', en: 'ADX and DMI' },
  squeeze: { zh: '挤压动量', en: 'Squeeze' },
  heikin_ashi: { zh: '平均K线', en: 'Heikin-Ashi' },
  candlestick: { zh: 'K线形态', en: 'Candle patterns' },
  custom: { zh: '自定义规则', en: 'Own rule' },
  vote: { zh: '组合投票', en: 'Vote' },
  manual: { zh: '手动', en: 'Manual' },
  grid: { zh: '网格', en: 'Grid' },
  dca: { zh: '定投与补仓', en: 'DCA' },
} as const satisfies Record<string, Text>;
