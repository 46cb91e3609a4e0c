import type { StrategyTextTable } from '../textTables.ts';

/** Chinese texts of the strategies and their parameters. */
export const strategies: StrategyTextTable = {
  ema_cross: {
    help: '快线上穿慢线买入，下穿卖出。震荡行情中会反复亏损。',
    params: {
      fast: { title: '快线', help: '短期均线的K线数。越小反应越快，假信号也越多。' },
      slow: { title: '慢线', help: '长期均线的K线数，必须大于快线。' },
      band: { title: '缓冲带 %', help: '两线至少相距多少才发信号。越大，震荡行情中的假信号越少。' },
    },
  },
  trend_ema: {
    help: '均线斜率向上超出中性区买入，向下超出卖出。趋势行情有利，震荡行情易亏损。',
    params: {
      length: { title: '均线长度', help: '以其斜率判断方向的均线K线数。' },
      neutral: {
        title: '中性区',
        help: '自动：按斜率的波动计算；固定：使用自定的值。',
        values: { auto: '自动', fixed: '固定' },
      },
      rate: { title: '固定中性区 %', help: '每根K线的斜率超过该百分比才发信号。' },
    },
  },
  macd: {
    help: '柱线由负转正买入，由正转负卖出；可设 RSI 超买提前离场。',
    params: {
      fast: { title: '快线', help: '短期均线的K线数。' },
      slow: { title: '慢线', help: '长期均线的K线数，必须大于快线。' },
      signal: { title: '信号线', help: '对 MACD 线再平滑的K线数，两者之差即柱线。' },
      rsi_exit: { title: 'RSI 离场（0 关闭）', help: 'RSI 达到该值时多单也离场，空单相反。0 为关闭。' },
      rsi_length: { title: 'RSI 长度', help: '用于提前离场的 RSI 的K线数。' },
    },
  },
  rsi: {
    help: 'RSI 从超卖区回升时买入，从超买区回落时卖出。单边行情中会逆势亏损。',
    params: {
      length: { title: '长度', help: 'RSI 的K线数。越小波动越大。' },
      low: { title: '超卖线', help: 'RSI 从下方回升到该值之上时买入。' },
      high: { title: '超买线', help: 'RSI 从上方回落到该值之下时卖出。' },
    },
  },
  stoch_rsi: {
    help: 'K 线在低位上穿 D 线且价格在趋势均线之上买入；高位下穿卖出。信号较少，也会出错。',
    params: {
      rsi: { title: 'RSI 长度', help: 'RSI 的K线数。' },
      stoch: { title: '随机长度', help: '统计 RSI 高低范围的K线数。' },
      k: { title: 'K', help: 'K 线的平滑K线数。' },
      d: { title: 'D', help: 'D 线对 K 线再平滑的K线数。' },
      low: { title: '超卖线', help: '买入前 K 线必须低于该值。' },
      high: { title: '超买线', help: '卖出前 K 线必须高于该值。' },
      trend: { title: '趋势均线（0 关闭）', help: '只在该均线之上做多、之下做空。0 为不过滤。' },
    },
  },
  bollinger: {
    help: '价格跌破下轨后收回时买入，突破上轨后收回时卖出。单边行情中会逆势亏损。',
    params: {
      size: { title: '长度', help: '中轨的K线数。' },
      mult: { title: '标准差倍数', help: '上下轨距中轨的标准差倍数。越大信号越少。' },
      exit_at: {
        title: '离场位置',
        help: '在对侧轨道离场，或到中轨就离场。',
        values: { opposite: '对侧轨道', middle: '中轨' },
      },
    },
  },
  keltner: {
    help: '突破模式：突破通道时顺势开仓，回到中线离场；回归模式：收回通道内时逆势开仓。假突破会造成亏损。',
    params: {
      length: { title: '均线长度', help: '中线均线的K线数。' },
      atr: { title: 'ATR 长度', help: '决定通道宽度的平均真实波幅的K线数。' },
      mult: { title: 'ATR 倍数', help: '上下轨与中线的距离，为平均真实波幅的倍数。越大信号越少。' },
      mode: {
        title: '模式',
        help: '突破：收于通道外时顺势；回归：回到通道内时逆势。',
        values: { breakout: '突破', reversion: '回归' },
      },
    },
  },
  psar: {
    help: 'SAR 由上翻到价格下方买入，由下翻到上方卖出。震荡行情中信号频繁，易亏损。',
    params: {
      step: { title: '步长', help: 'SAR 靠近价格的速度。越大翻转越早。' },
      max: { title: '最大步长', help: '该速度的上限，不小于步长。' },
    },
  },
  ichimoku: {
    help: '价格站上云层且转换线高于基准线买入；跌回云层（或基准线）离场，反向做空同理。震荡行情表现差。',
    params: {
      tenkan: { title: '转换线', help: '短周期中值线的K线数。' },
      kijun: { title: '基准线', help: '中周期中值线的K线数。' },
      span_b: { title: '先行带 B', help: '云层慢边界的K线数。' },
      displacement: { title: '位移', help: '云层向前平移的K线数。' },
      exit_on: {
        title: '离场依据',
        help: '价格跌回云层离场，或穿越基准线离场。',
        values: { cloud: '云层', kijun: '基准线' },
      },
    },
  },
  hull_ma: {
    help: '赫尔均线由降转升买入，由升转降卖出。反应快，震荡行情中易反复亏损。',
    params: {
      length: { title: '长度', help: '均线的K线数。越小转向越快、越频繁。' },
    },
  },
  momentum: {
    help: '涨幅超过阈值且仍在加速时买入，跌幅同理卖出。追涨杀跌，行情反转时会亏损。',
    params: {
      length: { title: '长度', help: '计算涨跌幅所用的K线数。' },
      threshold: { title: '阈值 %', help: '涨跌幅超过该值才发信号。0 为任意涨跌。' },
    },
  },
  wavetrend: {
    help: '快线在超卖区上穿信号线买入，在超买区下穿卖出。强趋势中会过早逆势。',
    params: {
      channel: { title: '通道长度', help: '计算波动线所用通道的K线数。' },
      average: { title: '平均长度', help: '波动线的平滑K线数。' },
      signal: { title: '信号线', help: '信号线的K线数。' },
      high: { title: '超买线', help: '波动线曾高于该值才会卖出。' },
      low: { title: '超卖线', help: '波动线曾低于该值才会买入。' },
    },
  },
  cci_srsi: {
    help: 'CCI 与随机RSI 同时处于超卖并回升买入，同时超买并回落卖出。单边行情中会逆势亏损。',
    params: {
      cci: { title: 'CCI 长度', help: 'CCI 的K线数。' },
      cci_low: { title: 'CCI 超卖', help: '买入前 CCI 必须不高于该值。' },
      cci_high: { title: 'CCI 超买', help: '卖出前 CCI 必须不低于该值。' },
      rsi: { title: 'RSI 长度', help: 'RSI 的K线数。' },
      stoch: { title: '随机长度', help: '统计 RSI 高低范围的K线数。' },
      k: { title: 'K', help: 'K 线的平滑K线数。' },
      d: { title: 'D', help: 'D 线对 K 线再平滑的K线数，仅用于图表。' },
      k_low: { title: 'K 超卖', help: '买入前 K 线必须不高于该值。' },
      k_high: { title: 'K 超买', help: '卖出前 K 线必须不低于该值。' },
    },
  },
  vwap_cross: {
    help: '均线上穿成交量加权均价买入，下穿卖出。没有成交量时不发信号；震荡行情会反复亏损。',
    params: {
      fast: { title: '均线长度', help: '价格均线的K线数。' },
      length: { title: 'VWAP 长度', help: '成交量加权均价的K线数。' },
    },
  },
  trix: {
    help: '三重平滑均线的变化率上穿零轴买入，下穿卖出。平滑但滞后，反转时入场较晚。',
    params: {
      length: { title: '长度', help: '三重均线的K线数。越大越平滑，也越滞后。' },
    },
  },
  fisher: {
    help: '费舍尔值在低位拐头向上买入，高位拐头向下卖出。单边行情中会过早逆势。',
    params: {
      length: { title: '长度', help: '寻找高低点的K线数。' },
      extreme: { title: '极值', help: '拐点距 0 至少这么远。越大信号越少。' },
    },
  },
  donchian: {
    help: '收盘价突破前 N 根K线最高价买入，跌破较短区间最低价离场（海龟法则）。假突破多，胜率低。',
    params: {
      entry: { title: '入场区间', help: '突破最近这么多根K线的最高价时买入。' },
      exit: { title: '离场区间', help: '跌破最近这么多根K线的最低价时离场，不超过入场区间。' },
    },
  },
  supertrend: {
    help: '收盘价突破超级趋势线转多买入，跌破转空卖出。震荡行情中会反复亏损。',
    params: {
      length: { title: 'ATR 长度', help: '平均真实波幅的K线数。' },
      mult: { title: 'ATR 倍数', help: '趋势线与价格的距离，为平均真实波幅的倍数。越大翻转越少。' },
    },
  },
  adx_dmi: {
    help: 'ADX 达到阈值且 +DI 高于 −DI 时买入，两线反向交叉离场，做空同理。趋势确认较晚。',
    params: {
      length: { title: '长度', help: 'ADX 和 DI 的K线数。' },
      threshold: { title: 'ADX 阈值', help: 'ADX 不低于该值才开仓，常用 25。' },
    },
  },
  squeeze: {
    help: '布林带收进肯特纳通道后重新张开时，按动量方向开仓；动量反向穿越零轴离场。方向可能判断错误。',
    params: {
      length: { title: '长度', help: '布林带、通道和动量的K线数。' },
      bb: { title: '布林带倍数', help: '上下轨与中线的距离，为标准差的倍数。' },
      kc: { title: '通道倍数', help: '通道两侧与中线的距离，为平均真实波幅的倍数。越大，收口越多。' },
    },
  },
  heikin_ashi: {
    help: '平均K线转为阳线并达到确认根数时买入，转为阴线并达到时卖出。震荡行情中会反复亏损。',
    params: {
      confirm: { title: '确认根数', help: '连续多少根同色K线才发信号。' },
    },
  },
  candlestick: {
    help: '出现所选看涨形态买入，看跌形态卖出；多空形态同时出现则不操作。单凭形态并不可靠。',
    params: {
      buy_patterns: {
        title: '买入形态',
        help: '所选形态的最后一根K线收盘时买入。',
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
        help: '所选形态的最后一根K线收盘时卖出。',
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
      trend: { title: '趋势均线（0 关闭）', help: '判断形态之前趋势的均线K线数。0 为不限趋势。' },
    },
  },
  custom: {
    help: '用指标和条件组合出自己的买卖规则，从上到下依次计算。规则好坏由您自己检验，不保证盈利。',
    params: {
      parts: { title: '规则', help: '各指标及其买卖条件，从上到下依次计算。' },
    },
  },
  vote: {
    help: '多个策略中达到票数一致看多且无人看空时买入，反之卖出。多个策略可能同时出错。',
    params: {
      members: { title: '成员策略', help: '参与投票的策略，各有自己的参数。' },
      quorum: { title: '最少票数', help: '同一方向至少需要的票数；有反向票时不交易。' },
      window: { title: '有效K线数', help: '一票在多少根K线内有效，含发出信号的K线。' },
    },
  },
  manual: {
    help: '不发出任何信号，只执行手动下单和止盈止损。',
    params: {},
  },
  grid: {
    help: '把价格区间分成若干格，每格低买高卖，赚取震荡差价。跌破区间后会一直持有亏损的仓位，涨破区间后不再获利；不保证盈利。',
    params: {
      lower: { title: '最低价（0 为自动）', help: '网格的最低价。两项都为 0 时，以启动价为中心。' },
      upper: { title: '最高价（0 为自动）', help: '网格的最高价。两项都为 0 时，以启动价为中心。' },
      range_pct: { title: '自动区间 ±%', help: '最低价和最高价与启动价的距离。' },
      levels: { title: '格数', help: '网格数量。越多成交越频繁，每格利润越小。' },
      spacing: {
        title: '间距',
        help: '等比：每格百分比相同；等差：每格价差相同。',
        values: { geometric: '等比', arithmetic: '等差' },
      },
      initial_buy: { title: '启动时建仓', help: '启动时买入启动价以上各格要卖出的数量。' },
      recentre: { title: '突破后重置区间', help: '收盘价超出区间一格以上时移动网格，仅在无持仓时。' },
    },
  },
  dca: {
    help: '补仓：价格下跌时按比例分批加仓，摊低均价后整体止盈。定投：每隔若干根K线买入一次。持续下跌时亏损会越来越大，必须自设止损；不保证盈利。',
    params: {
      mode: {
        title: '方式',
        help: '补仓：下跌时加仓，回升后整体卖出；定投：定期买入。',
        values: { averaging: '补仓', periodic: '定投' },
      },
      safety_orders: { title: '补仓单数', help: '首单之下的补仓单数。0 为只下首单。' },
      step: { title: '首次补仓跌幅 %', help: '第一个补仓单与首单的价格距离。' },
      step_scale: { title: '跌幅倍数', help: '每次跌幅为上一次的多少倍。1 为等距。' },
      volume_scale: { title: '金额倍数', help: '每个补仓单金额为上一个的多少倍。' },
      first_scale: { title: '首次补仓与首单之比', help: '第一个补仓单与首单的金额之比。' },
      take_profit: { title: '止盈 %', help: '价格较均价有利变动该幅度时全部卖出，未扣手续费。' },
      trailing: { title: '移动止盈回调 %', help: '到达目标后，回调该幅度才卖出。0 为到目标即卖出。' },
      start: {
        title: '开始条件',
        help: '何时开始：下一根K线、RSI 回升后或按策略信号。',
        values: { now: '立即', rsi: 'RSI 回升', strategy: '策略信号' },
      },
      rsi_low: { title: 'RSI 低位', help: '14 根K线的 RSI 升破该值时开始，做空相反。' },
      signal: { title: '信号策略', help: '以其开仓信号开始补仓，忽略其离场信号。' },
      signal_params: { title: '信号策略参数', help: '信号策略自己的参数。' },
      pause: { title: '补仓轮间隔K线数', help: '一轮结束后等待的已收盘K线数。' },
      every: { title: '定投间隔K线数', help: '两次买入之间的K线数。' },
      amount: { title: '定投金额（0 按开仓比例）', help: '每次买入的金额（计价货币）。0 为按开仓比例。' },
      only_below_ema: { title: '仅低于均线时定投（0 关闭）', help: '只在收盘价低于该均线时买入，做空相反。0 为不限。' },
    },
  },
};
