import type { StrategyTextTable } from '../textTables.ts';

/** Chinese texts of the strategies and their parameters. */
export const strategies: StrategyTextTable = {
  ema_cross: {
    help: '快线上穿慢线买入，下穿卖出。震荡行情中会反复亏损。',
    params: {
      fast: { title: '快线' },
      slow: { title: '慢线' },
      band: { title: '缓冲带 %' },
    },
  },
  trend_ema: {
    help: '均线斜率向上超出中性区买入，向下超出卖出。趋势行情有利，震荡行情易亏损。',
    params: {
      length: { title: '均线长度' },
      neutral: {
        title: '中性区',
        values: { auto: '自动', fixed: '固定' },
      },
      rate: { title: '固定中性区 %' },
    },
  },
  macd: {
    help: '柱线由负转正买入，由正转负卖出；可设 RSI 超买提前离场。',
    params: {
      fast: { title: '快线' },
      slow: { title: '慢线' },
      signal: { title: '信号线' },
      rsi_exit: { title: 'RSI 离场（0 关闭）' },
      rsi_length: { title: 'RSI 长度' },
    },
  },
  rsi: {
    help: 'RSI 从超卖区回升时买入，从超买区回落时卖出。单边行情中会逆势亏损。',
    params: {
      length: { title: '长度' },
      low: { title: '超卖线' },
      high: { title: '超买线' },
    },
  },
  stoch_rsi: {
    help: 'K 线在低位上穿 D 线且价格在趋势均线之上买入；高位下穿卖出。信号较少，也会出错。',
    params: {
      rsi: { title: 'RSI 长度' },
      stoch: { title: '随机长度' },
      k: { title: 'K' },
      d: { title: 'D' },
      low: { title: '超卖线' },
      high: { title: '超买线' },
      trend: { title: '趋势均线（0 关闭）' },
    },
  },
  bollinger: {
    help: '价格跌破下轨后收回时买入，突破上轨后收回时卖出。单边行情中会逆势亏损。',
    params: {
      size: { title: '长度' },
      mult: { title: '标准差倍数' },
      exit_at: {
        title: '离场位置',
        values: { opposite: '对侧轨道', middle: '中轨' },
      },
    },
  },
  keltner: {
    help: '突破模式：突破通道时顺势开仓，回到中线离场；回归模式：收回通道内时逆势开仓。假突破会造成亏损。',
    params: {
      length: { title: '均线长度' },
      atr: { title: 'ATR 长度' },
      mult: { title: 'ATR 倍数' },
      mode: {
        title: '模式',
        values: { breakout: '突破', reversion: '回归' },
      },
    },
  },
  psar: {
    help: 'SAR 由上翻到价格下方买入，由下翻到上方卖出。震荡行情中信号频繁，易亏损。',
    params: {
      step: { title: '步长' },
      max: { title: '最大步长' },
    },
  },
  ichimoku: {
    help: '价格站上云层且转换线高于基准线买入；跌回云层（或基准线）离场，反向做空同理。震荡行情表现差。',
    params: {
      tenkan: { title: '转换线' },
      kijun: { title: '基准线' },
      span_b: { title: '先行带 B' },
      displacement: { title: '位移' },
      exit_on: {
        title: '离场依据',
        values: { cloud: '云层', kijun: '基准线' },
      },
    },
  },
  hull_ma: {
    help: '赫尔均线由降转升买入，由升转降卖出。反应快，震荡行情中易反复亏损。',
    params: {
      length: { title: '长度' },
    },
  },
  momentum: {
    help: '涨幅超过阈值且仍在加速时买入，跌幅同理卖出。追涨杀跌，行情反转时会亏损。',
    params: {
      length: { title: '长度' },
      threshold: { title: '阈值 %' },
    },
  },
  wavetrend: {
    help: '快线在超卖区上穿信号线买入，在超买区下穿卖出。强趋势中会过早逆势。',
    params: {
      channel: { title: '通道长度' },
      average: { title: '平均长度' },
      signal: { title: '信号线' },
      high: { title: '超买线' },
      low: { title: '超卖线' },
    },
  },
  cci_srsi: {
    help: 'CCI 与随机RSI 同时处于超卖并回升买入，同时超买并回落卖出。单边行情中会逆势亏损。',
    params: {
      cci: { title: 'CCI 长度' },
      cci_low: { title: 'CCI 超卖' },
      cci_high: { title: 'CCI 超买' },
      rsi: { title: 'RSI 长度' },
      stoch: { title: '随机长度' },
      k: { title: 'K' },
      d: { title: 'D' },
      k_low: { title: 'K 超卖' },
      k_high: { title: 'K 超买' },
    },
  },
  vwap_cross: {
    help: '均线上穿成交量加权均价买入，下穿卖出。没有成交量时不发信号；震荡行情会反复亏损。',
    params: {
      fast: { title: '均线长度' },
      length: { title: 'VWAP 长度' },
    },
  },
  trix: {
    help: '三重平滑均线的变化率上穿零轴买入，下穿卖出。平滑但滞后，反转时入场较晚。',
    params: {
      length: { title: '长度' },
    },
  },
  fisher: {
    help: '费舍尔值在低位拐头向上买入，高位拐头向下卖出。单边行情中会过早逆势。',
    params: {
      length: { title: '长度' },
      extreme: { title: '极值' },
    },
  },
  donchian: {
    help: '收盘价突破前 N 根K线最高价买入，跌破较短区间最低价离场（海龟法则）。假突破多，胜率低。',
    params: {
      entry: { title: '入场区间' },
      exit: { title: '离场区间' },
    },
  },
  supertrend: {
    help: '收盘价突破超级趋势线转多买入，跌破转空卖出。震荡行情中会反复亏损。',
    params: {
      length: { title: 'ATR 长度' },
      mult: { title: 'ATR 倍数' },
    },
  },
  adx_dmi: {
    help: 'ADX 达到阈值且 +DI 高于 −DI 时买入，两线反向交叉离场，做空同理。趋势确认较晚。',
    params: {
      length: { title: '长度' },
      threshold: { title: 'ADX 阈值' },
    },
  },
  squeeze: {
    help: '布林带收进肯特纳通道后重新张开时，按动量方向开仓；动量反向穿越零轴离场。方向可能判断错误。',
    params: {
      length: { title: '长度' },
      bb: { title: '布林带倍数' },
      kc: { title: '通道倍数' },
    },
  },
  heikin_ashi: {
    help: '平均K线转为阳线并达到确认根数时买入，转为阴线并达到时卖出。震荡行情中会反复亏损。',
    params: {
      confirm: { title: '确认根数' },
    },
  },
  candlestick: {
    help: '出现所选看涨形态买入，看跌形态卖出；多空形态同时出现则不操作。单凭形态并不可靠。',
    params: {
      buy_patterns: {
        title: '买入形态',
        values: {
          BullishEngulfing: '看涨吞没',
          BullishHarami: '看涨孕线',
          PiercingLine: '刺透形态',
          MorningStar: '启明星',
          ThreeWhiteSoldiers: '红三兵',
          Hammer: '锤子线',
          InvertedHammer: '倒锤子线',
          TweezerBottom: '镊子底',
          BullishMarubozu: '光头光脚阳线',
        },
      },
      sell_patterns: {
        title: '卖出形态',
        values: {
          BearishEngulfing: '看跌吞没',
          BearishHarami: '看跌孕线',
          DarkCloudCover: '乌云盖顶',
          EveningStar: '黄昏星',
          ThreeBlackCrows: '三只乌鸦',
          HangingMan: '上吊线',
          ShootingStar: '流星线',
          TweezerTop: '镊子顶',
          BearishMarubozu: '光头光脚阴线',
        },
      },
      trend: { title: '趋势均线（0 关闭）' },
    },
  },
  custom: {
    help: '用指标和条件组合出自己的买卖规则，从上到下依次计算。规则好坏由您自己检验，不保证盈利。',
    params: {
      parts: { title: '规则' },
    },
  },
  vote: {
    help: '多个策略中达到票数一致看多且无人看空时买入，反之卖出。多个策略可能同时出错。',
    params: {
      members: { title: '成员策略' },
      quorum: { title: '最少票数' },
      window: { title: '有效K线数' },
    },
  },
  manual: {
    help: '不发出任何信号，只执行手动下单和止盈止损。',
    params: {},
  },
  grid: {
    help: '把价格区间分成若干格，每格低买高卖，赚取震荡差价。跌破区间后会一直持有亏损的仓位，涨破区间后不再获利；不保证盈利。',
    params: {
      lower: { title: '最低价（0 为自动）' },
      upper: { title: '最高价（0 为自动）' },
      range_pct: { title: '自动区间 ±%' },
      levels: { title: '格数' },
      spacing: {
        title: '间距',
        values: { geometric: '等比', arithmetic: '等差' },
      },
      initial_buy: { title: '启动时建仓' },
      recentre: { title: '突破后重置区间' },
    },
  },
  dca: {
    help: '补仓：价格下跌时按比例分批加仓，摊低均价后整体止盈。定投：每隔若干根K线买入一次。持续下跌时亏损会越来越大，必须自设止损；不保证盈利。',
    params: {
      mode: {
        title: '方式',
        values: { averaging: '补仓', periodic: '定投' },
      },
      safety_orders: { title: '补仓单数' },
      step: { title: '首次补仓跌幅 %' },
      step_scale: { title: '跌幅倍数' },
      volume_scale: { title: '金额倍数' },
      first_scale: { title: '首次补仓与首单之比' },
      take_profit: { title: '止盈 %' },
      trailing: { title: '移动止盈回调 %' },
      start: {
        title: '开始条件',
        values: { now: '立即', rsi: 'RSI 回升', strategy: '策略信号' },
      },
      rsi_low: { title: 'RSI 低位' },
      signal: { title: '信号策略' },
      signal_params: { title: '信号策略参数' },
      pause: { title: '补仓轮间隔K线数' },
      every: { title: '定投间隔K线数' },
      amount: { title: '定投金额（0 按开仓比例）' },
      only_below_ema: { title: '仅低于均线时定投（0 关闭）' },
    },
  },
};
