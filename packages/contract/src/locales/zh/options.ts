import type { OptionTextTable } from '../textTables.ts';

/** Chinese texts of the bot options. */
export const options: OptionTextTable = {
  exchange: { title: '交易所', help: '机器人交易的场所：演示市场、测试网或真实交易所。创建后不可更改。' },
  mode: { title: '交易模式', help: '模拟盘：行情真实、成交模拟，不持有任何可签名的密钥。实盘：真实下单。' },
  takerFee: { title: '吃单手续费', help: '主动成交时收取；实盘以交易所回报的手续费为准。', basis: '订单金额的百分比' },
  makerFee: { title: '挂单手续费', help: '挂单成交时收取；实盘以交易所回报的手续费为准。', basis: '订单金额的百分比' },
  currency_capital: {
    title: '模拟资金',
    help: '模拟账户的起始资金。修改后在重置模拟账户时生效。',
    basis: '以计价货币计',
  },
  market: { title: '交易方向', help: '机器人可以开仓的方向。' },
  margin_mode: { title: '保证金模式', help: '逐仓只以单个仓位的保证金为限；全仓共用账户全部资金。' },
  leverage: { title: '杠杆倍数', help: '超过交易所对该名义价值允许的上限时会调低。已有仓位保持原杠杆。' },
  sync_trade_time: {
    title: '对账间隔',
    help: '实盘：与交易所核对订单、成交和余额的间隔。模拟盘：审计账目、资金费和价格的间隔，不符时报警。',
  },
  order_type: { title: '下单方式', help: '挂单：只做挂单并跟随盘口。吃单：立即成交。止损始终吃单。' },
  watch_pairs: { title: '关注的交易对', help: '例如 BTC-USDT，用逗号、分号、空格或换行分隔。' },
  max_watch_size: { title: '最多关注', help: '有持仓的交易对始终关注并计入；0 表示不另设上限。', basis: '交易对' },
  buy_pct: { title: '买入比例', help: '每次开仓使用的比例，含手续费；0 表示关闭自动开仓。', basis: '可用资金的百分比' },
  min_buy_size: {
    title: '最小买入金额',
    help: '不足时若资金允许则提高到该值；卖出后剩余不足该值时全部卖出。',
    basis: '订单金额',
  },
  max_buy_size: { title: '最大买入金额', help: '单次开仓上限，合约按名义价值计；0 表示不限。', basis: '订单金额' },
  max_buy_pair_count: {
    title: '最多持仓交易对',
    help: '可同时持仓的交易对数；调低不会平仓；0 表示不限。',
    basis: '交易对',
  },
  max_slippage_pct: {
    title: '最大滑点',
    help: '开仓滑点超过则放弃；信号卖出和目标止盈改为吃单继续。',
    basis: '首个价格的百分比',
  },
  sell_pct: {
    title: '卖出比例',
    help: '信号卖出或未指定数量的手动卖出的比例；0 表示关闭信号卖出。',
    basis: '持仓的百分比',
  },
  stop_sell: {
    title: '止损',
    help: '价格向不利方向变动达到该幅度时，卖出相应比例。不计杠杆。',
    columns: {
      profit: { title: '不利变动', basis: '开仓均价的百分比' },
      stop: { title: '卖出', basis: '所持数量的百分比' },
    },
  },
  profit_callback_start: { title: '回调止盈启动', help: '收益达到该值后，回调止盈开始生效。', basis: '保证金收益率' },
  profit_callback: {
    title: '回调止盈',
    help: '生效后，收益回落到最高收益的该比例时卖出。',
    columns: {
      profit: { title: '回落到', basis: '最高收益的百分比' },
      stop: { title: '卖出', basis: '所持数量的百分比' },
    },
  },
  profit_win: {
    title: '目标止盈',
    help: '收益达到目标时，卖出所持的相应比例。',
    columns: {
      profit: { title: '收益', basis: '保证金收益率' },
      stop: { title: '卖出', basis: '所持数量的百分比' },
    },
  },
  strategy: { title: '策略', help: '只根据已收盘的K线决定买卖；另有自己的参数。' },
  period: { title: '周期', help: '策略所用K线的周期。' },
  min_periods: { title: '最少K线数', help: '交易对开仓前所需的已收盘K线数；不少于策略的预热长度。', basis: 'K线' },
  'server.poll_scan_time': {
    title: '行情服务扫描间隔',
    help: '行情服务向交易所查询全部行情的间隔，由同一交易所的机器人共用。',
  },
  poll_scan_time: { title: '扫描间隔', help: '两次检查同一交易对的最短间隔；止损最多会晚这么久。' },
  poll_broadcast_time: { title: '推送间隔', help: '向已打开的页面推送价格和状态的间隔；成交立即推送。' },
  keep_lookback_periods: {
    title: '保留K线数',
    help: '每个交易对保留的已收盘K线数，也是图表的历史长度。',
    basis: 'K线',
  },
  save_bot_time: { title: '存盘间隔', help: '保存完整状态的间隔；订单和成交立即保存。' },
  run_for: { title: '运行时长', help: '到时不再开仓，全部平仓后结束；0 表示不限时。' },
  product_currency: { title: '计价货币', help: '机器人的计价货币；其他计价货币的交易对不交易。' },
  product_min_volume: {
    title: '最小24小时成交额',
    help: '成交额低于该值的交易对不予列出，也不能开仓，直到高出该值 10%；平仓照常进行。回测不知道当时的成交额。',
    basis: '24小时成交额',
  },
  price_format: {
    title: '价格格式',
    help: '价格的显示小数位数；0.00000000 表示自动，与最小变动价位一致。不影响下单价格。',
  },
  order_adjust_time: { title: '调单间隔', help: '挂单多久后重新检查价格。' },
  max_buy_loss_pct: {
    title: '追高买入上限',
    help: '决定开仓时的价格比上次卖出价差太多时拒绝再次开仓，与最大滑点无关；0 表示关闭。',
    basis: '上次卖出价的百分比',
  },
  max_sell_loss_pct: {
    title: '信号卖出亏损上限',
    help: '信号卖出亏损超过该值时暂缓；不影响止损；0 表示关闭。',
    basis: '开仓均价的百分比',
  },
  markdown_buy_pct: {
    title: '买入让价',
    help: '开仓价向有利方向偏离盘口；负数表示进入价差。',
    basis: '盘口价的百分比',
  },
  markup_sell_pct: { title: '卖出加价', help: '卖出价向有利方向偏离盘口；负数表示进入价差。', basis: '盘口价的百分比' },
  avg_slippage_pct: { title: '模拟滑点', help: '模拟吃单成交时额外变差的幅度。', basis: '成交价的百分比' },
  quarentine_time: { title: '亏损冷静期', help: '交易对亏损平仓后，在该时间内不自动开仓；0 表示关闭。' },
  short_buy_pct: { title: '做空比例', help: '做空时代替买入比例；0 表示与买入比例相同。', basis: '可用保证金的百分比' },
};
