import type { OptionTextTable } from '../textTables.ts';

/** Chinese texts of the bot options. */
export const options: OptionTextTable = {
  exchange: { title: '交易所', help: '交易场所：演示市场、测试网或真实交易所。创建后不可更改。' },
  mode: { title: '交易模式', help: '模拟盘：行情真实、成交模拟，不需要 API 密钥。实盘：真实下单。' },
  takerFee: { title: '吃单手续费', help: '吃单成交的手续费；实盘以交易所回报为准。', basis: '订单金额的百分比' },
  makerFee: { title: '挂单手续费', help: '挂单成交的手续费；实盘以交易所回报为准。', basis: '订单金额的百分比' },
  currency_capital: {
    title: '模拟资金',
    help: '模拟账户的初始资金。修改后在重置模拟账户时生效。',
    basis: '以计价货币计',
  },
  market: { title: '交易方向', help: '机器人可以开仓的方向。' },
  margin_mode: { title: '保证金模式', help: '逐仓：每个仓位只承担自己的保证金。全仓：所有仓位共用账户余额。' },
  leverage: { title: '杠杆', help: '超过交易所上限时自动调低。已有仓位保持原杠杆。' },
  sync_trade_time: {
    title: '对账间隔',
    help: '实盘：与交易所核对订单、成交和余额的间隔。模拟盘：核对账目的间隔。',
  },
  order_type: { title: '下单方式', help: '挂单：只做 Maker 并跟随盘口。吃单：立即成交。止损始终吃单。' },
  watch_pairs: { title: '交易对', help: '例如 BTC-USDT，用逗号、分号、空格或换行分隔。' },
  max_watch_size: { title: '最多关注数', help: '有持仓的交易对始终关注并计入；0 表示不限。', basis: '交易对' },
  buy_pct: {
    title: '开仓比例',
    help: '每次开仓占可用余额的比例，含手续费；0 表示关闭自动开仓。',
    basis: '可用余额的百分比',
  },
  min_buy_size: {
    title: '最小开仓金额',
    help: '余额允许时，低于该值的开仓会提高到该值；平仓后剩余不足该值时全部卖出。',
    basis: '订单金额',
  },
  max_buy_size: { title: '最大开仓金额', help: '单次开仓上限，合约按名义价值计；0 表示不限。', basis: '订单金额' },
  max_buy_pair_count: {
    title: '最大持仓数',
    help: '同时持仓的交易对数；调低不会平仓；0 表示不限。',
    basis: '交易对',
  },
  max_slippage_pct: {
    title: '最大滑点',
    help: '开仓滑点超过时撤单；信号平仓和止盈改为吃单继续。',
    basis: '首个价格的百分比',
  },
  sell_pct: {
    title: '平仓比例',
    help: '信号平仓或未指定数量的手动平仓的比例；0 表示关闭信号平仓。',
    basis: '持仓的百分比',
  },
  stop_sell: {
    title: '止损',
    help: '价格向不利方向变动达到该幅度时，卖出相应比例。不计杠杆。',
    columns: {
      profit: { title: '亏损', basis: '开仓均价的百分比' },
      stop: { title: '卖出', basis: '持仓的百分比' },
    },
  },
  trailing_stop: {
    title: '移动止损',
    help: '价格从开仓后的最优价回撤达到该幅度时，卖出相应比例。不计杠杆；仅在苍鹭运行时有效，不用于网格和补仓。',
    columns: {
      profit: { title: '回撤', basis: '最优价的百分比' },
      stop: { title: '卖出', basis: '持仓的百分比' },
    },
  },
  profit_callback_start: { title: '激活收益率', help: '收益率达到该值后，移动止盈激活。', basis: '保证金收益率' },
  profit_callback: {
    title: '移动止盈',
    help: '激活后，收益回落到最高收益的该比例时卖出。',
    columns: {
      profit: { title: '回落到', basis: '最高收益的百分比' },
      stop: { title: '卖出', basis: '持仓的百分比' },
    },
  },
  profit_win: {
    title: '止盈',
    help: '收益率达到目标时，卖出相应比例。',
    columns: {
      profit: { title: '收益率', basis: '保证金收益率' },
      stop: { title: '卖出', basis: '持仓的百分比' },
    },
  },
  strategy: { title: '策略', help: '根据已收盘的 K 线发出开仓和平仓信号；另有自己的参数。' },
  period: { title: 'K线周期', help: '策略使用的 K 线周期。' },
  min_periods: { title: '最少K线数', help: '交易对开仓前所需的已收盘K线数；不少于策略的预热长度。', basis: 'K线' },
  'server.poll_scan_time': {
    title: '行情间隔',
    help: '行情服务查询全部行情的间隔，同一交易所的机器人共用。',
  },
  poll_scan_time: { title: '检查间隔', help: '两次检查同一交易对的最短间隔；止盈止损最多会晚这么久。' },
  poll_broadcast_time: { title: '刷新间隔', help: '向已打开的页面推送价格和状态的间隔；成交立即推送。' },
  keep_lookback_periods: {
    title: 'K线历史',
    help: '每个交易对保留的已收盘 K 线数，也用于图表。',
    basis: 'K线',
  },
  save_bot_time: { title: '保存间隔', help: '保存完整状态的间隔；订单和成交立即保存。' },
  run_for: { title: '运行时长', help: '到时不再开仓，全部平仓后结束；0 表示不限时。' },
  product_currency: { title: '计价货币', help: '机器人的计价货币；其他计价货币的交易对不交易。' },
  product_min_volume: {
    title: '最小24小时成交额',
    help: '低于该值的交易对不列出、不开仓，直到高出该值 10%；平仓照常。回测时忽略。',
    basis: '24小时成交额',
  },
  price_format: {
    title: '价格格式',
    help: '价格显示的小数位数；0.00000000 表示自动，与最小变动价位一致。不影响下单。',
  },
  order_adjust_time: { title: '改单间隔', help: '挂单等待多久后重新检查价格。' },
  max_buy_loss_pct: {
    title: '再次开仓限制',
    help: '价格比上次卖出价差太多时不再开仓；滑点另行检查；0 表示关闭。',
    basis: '上次卖出价的百分比',
  },
  max_sell_loss_pct: {
    title: '信号平仓最大亏损',
    help: '亏损超过该值的信号平仓会暂缓；止损照常；0 表示关闭。',
    basis: '开仓均价的百分比',
  },
  markdown_buy_pct: {
    title: '开仓价下调',
    help: '开仓价向有利方向偏离盘口；负数表示进入价差。',
    basis: '盘口价的百分比',
  },
  markup_sell_pct: {
    title: '平仓价上调',
    help: '卖出价向有利方向偏离盘口；负数表示进入价差。',
    basis: '盘口价的百分比',
  },
  avg_slippage_pct: { title: '模拟滑点', help: '模拟吃单成交时附加的滑点。', basis: '成交价的百分比' },
  quarentine_time: { title: '亏损冷却期', help: '交易对亏损平仓后，在该时间内不自动开仓；0 表示关闭。' },
  short_buy_pct: {
    title: '做空开仓比例',
    help: '每次做空占可用保证金的比例；0 表示与开仓比例相同。',
    basis: '可用保证金的百分比',
  },
};
