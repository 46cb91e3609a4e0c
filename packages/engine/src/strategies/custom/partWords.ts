import type { Text } from '../../options/item.ts';
import type { FIELDS, OPERATORS } from './part.ts';

type Words<Name extends string = string> = Readonly<Record<Name, Text>>;

/** What the indicators of a rule are called, by the name that a part gives. */
export const INDICATOR_WORDS: Words = {
  sma: { zh: '简单均线 SMA', en: 'SMA' },
  ema: { zh: '指数均线 EMA', en: 'EMA' },
  rma: { zh: '平滑均线 RMA', en: 'RMA' },
  wma: { zh: '加权均线 WMA', en: 'WMA' },
  hma: { zh: '赫尔均线 HMA', en: 'HMA' },
  sd: { zh: '标准差', en: 'Standard deviation' },
  rsi: { zh: 'RSI', en: 'RSI' },
  trix: { zh: 'TRIX', en: 'TRIX' },
  linreg: { zh: '线性回归', en: 'Linear regression' },
  roc: { zh: '变动率 ROC', en: 'ROC' },
  atr: { zh: 'ATR', en: 'ATR' },
  macd: { zh: 'MACD', en: 'MACD' },
  bollinger: { zh: '布林带', en: 'Bollinger bands' },
  keltner: { zh: '肯特纳通道', en: 'Keltner channel' },
  donchian: { zh: '唐奇安通道', en: 'Donchian channel' },
  supertrend: { zh: '超级趋势', en: 'SuperTrend' },
  psar: { zh: '抛物线SAR', en: 'Parabolic SAR' },
  ichimoku: { zh: '一目均衡表', en: 'Ichimoku' },
  dmi: { zh: '趋向指标 DMI', en: 'DMI' },
  cci: { zh: 'CCI', en: 'CCI' },
  stochrsi: { zh: '随机RSI', en: 'Stochastic RSI' },
  wavetrend: { zh: '波浪趋势', en: 'WaveTrend' },
  vwap: { zh: 'VWAP', en: 'VWAP' },
  fisher: { zh: '费舍尔变换', en: 'Fisher transform' },
  heikin_ashi: { zh: '平均K线', en: 'Heikin-Ashi' },
};

/** What their inputs are called. */
export const INPUT_WORDS: Words = {
  length: { zh: '周期', en: 'Length' },
  fast: { zh: '快线周期', en: 'Fast length' },
  slow: { zh: '慢线周期', en: 'Slow length' },
  signal: { zh: '信号周期', en: 'Signal length' },
  mult: { zh: '倍数', en: 'Multiplier' },
  atr: { zh: 'ATR周期', en: 'ATR length' },
  step: { zh: '步长', en: 'Step' },
  max: { zh: '最大步长', en: 'Maximum step' },
  tenkan: { zh: '转换线周期', en: 'Conversion length' },
  kijun: { zh: '基准线周期', en: 'Base length' },
  span_b: { zh: '先行带B周期', en: 'Span B length' },
  displacement: { zh: '位移', en: 'Displacement' },
  rsi: { zh: 'RSI周期', en: 'RSI length' },
  stoch: { zh: '随机周期', en: 'Stochastic length' },
  k: { zh: 'K平滑', en: 'K smoothing' },
  d: { zh: 'D平滑', en: 'D smoothing' },
  channel: { zh: '通道周期', en: 'Channel length' },
  average: { zh: '均线周期', en: 'Average length' },
};

/** What their values are called where there are several; the only one of an indicator is called as that. */
export const OUTPUT_WORDS: Words = {
  line: { zh: '线', en: 'line' },
  signal: { zh: '信号线', en: 'signal line' },
  histogram: { zh: '柱', en: 'histogram' },
  upper: { zh: '上轨', en: 'upper band' },
  middle: { zh: '中轨', en: 'middle band' },
  basis: { zh: '中轨', en: 'basis' },
  lower: { zh: '下轨', en: 'lower band' },
  direction: { zh: '方向（1 涨，-1 跌）', en: 'direction (1 up, -1 down)' },
  sar: { zh: '转向点', en: 'stop' },
  tenkan: { zh: '转换线', en: 'conversion line' },
  kijun: { zh: '基准线', en: 'base line' },
  span_a: { zh: '先行带A', en: 'span A' },
  span_b: { zh: '先行带B', en: 'span B' },
  plus: { zh: '+DI', en: '+DI' },
  minus: { zh: '-DI', en: '-DI' },
  adx: { zh: 'ADX', en: 'ADX' },
  k: { zh: 'K线值', en: 'K' },
  d: { zh: 'D线值', en: 'D' },
  w1: { zh: '快线', en: 'fast line' },
  w2: { zh: '慢线', en: 'slow line' },
  ha_open: { zh: '开盘价', en: 'open' },
  ha_close: { zh: '收盘价', en: 'close' },
};

/** What is known of a candle. */
export const FIELD_WORDS: Words<(typeof FIELDS)[number]> = {
  open: { zh: '开盘价', en: 'the open' },
  high: { zh: '最高价', en: 'the high' },
  low: { zh: '最低价', en: 'the low' },
  close: { zh: '收盘价', en: 'the close' },
  volume: { zh: '成交量', en: 'the volume' },
};

/** How two values are compared. */
export const OPERATOR_WORDS: Words<(typeof OPERATORS)[number]> = {
  crossUp: { zh: '上穿', en: 'crosses above' },
  crossDown: { zh: '下穿', en: 'crosses below' },
  gt: { zh: '高于', en: 'is above' },
  lt: { zh: '低于', en: 'is below' },
  equal: { zh: '等于', en: 'equals' },
};
