import { PERIODS } from '../market/period.ts';
import type { Condition, Item } from './item.ts';
import { DEFAULT_VENUE, VENUES } from './venues.ts';

const FUTURE: Condition = { key: 'exchange.future', eq: true };
const NOT_DEFI: Condition = { key: 'exchange.defi', eq: false };
const PAPER: Condition = { key: 'mode', eq: 'paper' };
const MAKER: Condition = { all: [NOT_DEFI, { key: 'order_type', eq: 'maker' }] };

const SHARE = {
  title: { zh: '卖出', en: 'Sell' },
  basis: { zh: '所持数量的百分比', en: 'of what is held' },
  step: [1, 100, 1],
} as const;
const LOSS = {
  title: { zh: '不利变动', en: 'Moved against' },
  basis: { zh: '开仓均价的百分比', en: 'of the entry price' },
} as const;
const KEPT = {
  title: { zh: '回落到', en: 'Back to' },
  basis: { zh: '最高收益的百分比', en: 'of the best profit' },
} as const;
const TARGET = { title: { zh: '收益', en: 'Profit' }, basis: { zh: '保证金收益率', en: 'return on margin' } } as const;

/**
 * Every option of a bot, in the order of the form. The only place where names, ranges, steps and defaults are written.
 *
 * @see docs/options.md#english
 */
export const OPTION_TABLE = [
  {
    name: 'exchange',
    group: 'exchange',
    type: 'array',
    value: DEFAULT_VENUE,
    list: VENUES.map(({ id }) => id),
    apply: 'flat_reload',
    title: { zh: '交易所', en: 'Exchange' },
    help: {
      zh: '机器人交易的场所：演示市场、测试网或真实交易所。创建后不可更改。',
      en: 'Where the bot trades: the demo market, a testnet or the exchange itself. Fixed for the life of the bot.',
    },
  },
  {
    name: 'mode',
    group: 'exchange',
    type: 'tab',
    value: 'paper',
    list: ['live', 'paper'],
    apply: 'flat_reload',
    title: { zh: '交易模式', en: 'Mode' },
    help: {
      zh: '模拟盘：行情真实、成交模拟，不持有任何可签名的密钥。实盘：真实下单。',
      en: 'Paper: real market data, simulated fills, no key that could sign. Live: real orders.',
    },
  },
  {
    name: 'takerFee',
    group: 'exchange',
    type: 'number',
    value: 0.1,
    step: [0.01, 0.5, 0.01],
    format: 'percent',
    apply: 'now',
    title: { zh: '吃单手续费', en: 'Taker fee' },
    basis: { zh: '订单金额的百分比', en: 'of the order value' },
    help: {
      zh: '主动成交时收取；实盘以交易所回报的手续费为准。',
      en: 'Charged on a fill that took from the book; live fills use the fee that the exchange reports.',
    },
  },
  {
    name: 'makerFee',
    group: 'exchange',
    type: 'number',
    value: 0.1,
    step: [0.01, 0.5, 0.01],
    format: 'percent',
    apply: 'now',
    show: NOT_DEFI,
    title: { zh: '挂单手续费', en: 'Maker fee' },
    basis: { zh: '订单金额的百分比', en: 'of the order value' },
    help: {
      zh: '挂单成交时收取；实盘以交易所回报的手续费为准。',
      en: 'Charged on a fill that rested on the book; live fills use the fee that the exchange reports.',
    },
  },
  {
    name: 'currency_capital',
    group: 'exchange',
    type: 'number',
    value: 10_000,
    step: [0, 1_000_000, 10_000],
    format: 'quote',
    apply: 'paper_reset',
    show: PAPER,
    title: { zh: '模拟资金', en: 'Paper capital' },
    basis: { zh: '以计价货币计', en: 'in the product currency' },
    help: {
      zh: '模拟账户的起始资金。修改后在重置模拟账户时生效。',
      en: 'What a paper account starts with. A change acts when the paper account is reset.',
    },
  },
  {
    name: 'market',
    group: 'exchange',
    type: 'tab',
    value: 'only_long',
    list: ['only_long', 'only_short', 'both'],
    apply: 'next_entry',
    show: FUTURE,
    hidden: 'only_long',
    title: { zh: '交易方向', en: 'Direction' },
    help: {
      zh: '机器人可以开仓的方向。',
      en: 'Which sides the bot may open.',
    },
  },
  {
    name: 'margin_mode',
    group: 'exchange',
    type: 'tab',
    value: 'isolated',
    list: ['cross', 'isolated'],
    apply: 'next_entry',
    show: FUTURE,
    title: { zh: '保证金模式', en: 'Margin mode' },
    help: {
      zh: '逐仓只以单个仓位的保证金为限；全仓共用账户全部资金。',
      en: 'Isolated risks the margin of one position; cross shares all money of the account.',
    },
  },
  {
    name: 'leverage',
    group: 'exchange',
    type: 'number',
    value: 10,
    step: [2, 125, 1],
    format: 'x',
    apply: 'next_entry',
    show: FUTURE,
    hidden: 1,
    title: { zh: '杠杆倍数', en: 'Leverage' },
    help: {
      zh: '超过交易所对该名义价值允许的上限时会调低。已有仓位保持原杠杆。',
      en: 'Lowered to what the exchange allows for the value traded. An open position keeps its own.',
    },
  },
  {
    name: 'sync_trade_time',
    group: 'exchange',
    type: 'number',
    value: 60_000,
    step: [5_000, 600_000, 5_000],
    format: 'ms',
    apply: 'now',
    title: { zh: '对账间隔', en: 'Reconcile every' },
    help: {
      zh: '实盘：与交易所核对订单、成交和余额的间隔。模拟盘：审计账目、资金费和价格的间隔，不符时报警。',
      en: 'Live: how often orders, fills and balances are compared with the exchange. Paper: how often ledger, funding and prices are audited; a discrepancy raises an alarm.',
    },
  },

  {
    name: 'order_type',
    group: 'buy',
    type: 'tab',
    value: 'maker',
    list: ['maker', 'taker'],
    apply: 'next_entry',
    show: NOT_DEFI,
    hidden: 'taker',
    title: { zh: '下单方式', en: 'Order type' },
    help: {
      zh: '挂单：只做挂单并跟随盘口。吃单：立即成交。止损始终吃单。',
      en: 'Maker: post-only orders that follow the book. Taker: immediate orders. Stops are always taker.',
    },
  },
  {
    name: 'watch_pairs',
    group: 'buy',
    type: 'textarea',
    value: 'BTC-USDT,ETH-USDT',
    pattern: /^[\s\S]{0,10000}$/,
    format: 'pairs',
    apply: 'now',
    title: { zh: '关注的交易对', en: 'Watched pairs' },
    help: {
      zh: '例如 BTC-USDT，用逗号、分号、空格或换行分隔。',
      en: 'Such as BTC-USDT, separated by commas, semicolons, spaces or line ends.',
    },
  },
  {
    name: 'max_watch_size',
    group: 'buy',
    type: 'number',
    value: 10,
    step: [0, 100, 1],
    format: 'count',
    apply: 'now',
    title: { zh: '最多关注', en: 'Most pairs watched' },
    basis: { zh: '交易对', en: 'pairs' },
    help: {
      zh: '有持仓的交易对始终关注并计入；0 表示不另设上限。',
      en: 'Pairs with a position are always followed and count; 0: no limit of its own.',
    },
  },
  {
    name: 'buy_pct',
    group: 'buy',
    type: 'number',
    value: 20,
    step: [0, 100, 1],
    format: 'percent',
    apply: 'next_entry',
    title: { zh: '买入比例', en: 'Share of cash per entry' },
    basis: { zh: '可用资金的百分比', en: 'of the available money' },
    help: {
      zh: '每次开仓使用的比例，含手续费；0 表示关闭自动开仓。',
      en: 'Used by one entry, fees included; 0 switches automatic entries off.',
    },
  },
  {
    name: 'min_buy_size',
    group: 'buy',
    type: 'number',
    value: 10,
    step: [0, 100, 1],
    format: 'quote',
    apply: 'next_entry',
    title: { zh: '最小买入金额', en: 'Smallest entry' },
    basis: { zh: '订单金额', en: 'order value' },
    help: {
      zh: '不足时若资金允许则提高到该值；卖出后剩余不足该值时全部卖出。',
      en: 'A smaller entry is raised to it if the money allows; an exit that would leave less sells all.',
    },
  },
  {
    name: 'max_buy_size',
    group: 'buy',
    type: 'number',
    value: 0,
    step: [0, 10_000, 100],
    format: 'quote',
    apply: 'next_entry',
    title: { zh: '最大买入金额', en: 'Largest entry' },
    basis: { zh: '订单金额', en: 'order value' },
    help: {
      zh: '单次开仓上限，合约按名义价值计；0 表示不限。',
      en: 'Cap of one entry, on futures of its notional value; 0: no cap.',
    },
  },
  {
    name: 'max_buy_pair_count',
    group: 'buy',
    type: 'number',
    value: 10,
    step: [0, 100, 1],
    format: 'count',
    apply: 'now',
    title: { zh: '最多持仓交易对', en: 'Most pairs held' },
    basis: { zh: '交易对', en: 'pairs' },
    help: {
      zh: '可同时持仓的交易对数；调低不会平仓；0 表示不限。',
      en: 'Pairs that may be open at once; lowering it closes nothing; 0: no limit.',
    },
  },
  {
    name: 'max_slippage_pct',
    group: 'buy',
    type: 'number',
    value: 0.5,
    step: [0.1, 2, 0.1],
    format: 'percent',
    apply: 'now',
    title: { zh: '最大滑点', en: 'Maximum slippage' },
    basis: { zh: '首个价格的百分比', en: 'of the first price' },
    help: {
      zh: '开仓滑点超过则放弃；信号卖出和目标止盈改为吃单继续。',
      en: 'An entry that slips further ends; an exit by signal or target continues as taker.',
    },
  },

  {
    name: 'sell_pct',
    group: 'sell',
    type: 'number',
    value: 100,
    step: [0, 100, 1],
    format: 'percent',
    apply: 'now',
    title: { zh: '卖出比例', en: 'Share sold per signal' },
    basis: { zh: '持仓的百分比', en: 'of the position' },
    help: {
      zh: '信号卖出或未指定数量的手动卖出的比例；0 表示关闭信号卖出。',
      en: 'Share closed by an exit signal or a sale by hand without size; 0 switches exit signals off.',
    },
  },
  {
    name: 'stop_sell',
    group: 'sell',
    type: 'table',
    value: [{ profit: 5, stop: 100 }],
    columns: { profit: { ...LOSS, step: [0.1, 100, 0.1] }, stop: SHARE },
    maxRows: 10,
    apply: 'now',
    title: { zh: '止损', en: 'Stop loss' },
    help: {
      zh: '价格向不利方向变动达到该幅度时，卖出相应比例。不计杠杆。',
      en: 'When the price has moved so far against the position, sells that share of it. Leverage does not count.',
    },
  },
  {
    name: 'profit_callback_start',
    group: 'sell',
    type: 'number',
    value: 5,
    step: [0, 500, 1],
    format: 'percent',
    apply: 'now',
    title: { zh: '回调止盈启动', en: 'Callback starts at' },
    basis: { zh: '保证金收益率', en: 'return on margin' },
    help: {
      zh: '收益达到该值后，回调止盈开始生效。',
      en: 'The callback take-profit is armed once the profit has reached this.',
    },
  },
  {
    name: 'profit_callback',
    group: 'sell',
    type: 'table',
    value: [{ profit: 60, stop: 100 }],
    columns: { profit: { ...KEPT, step: [1, 99, 1] }, stop: SHARE },
    maxRows: 10,
    apply: 'now',
    title: { zh: '回调止盈', en: 'Callback take-profit' },
    help: {
      zh: '生效后，收益回落到最高收益的该比例时卖出。',
      en: 'Once armed, sells when the profit has fallen back to this share of its best value.',
    },
  },
  {
    name: 'profit_win',
    group: 'sell',
    type: 'table',
    value: [{ profit: 20, stop: 50 }],
    columns: { profit: { ...TARGET, step: [0.1, 500, 0.1] }, stop: SHARE },
    maxRows: 10,
    apply: 'now',
    title: { zh: '目标止盈', en: 'Target take-profit' },
    help: {
      zh: '收益达到目标时，卖出所持的相应比例。',
      en: 'When the profit reaches a target, sells that share of what is held.',
    },
  },

  {
    name: 'strategy',
    group: 'strategy',
    type: 'string',
    value: 'macd',
    pattern: /^[a-z0-9_]{1,40}$/,
    apply: 'reload',
    title: { zh: '策略', en: 'Strategy' },
    help: {
      zh: '只根据已收盘的K线决定买卖；另有自己的参数。',
      en: 'Decides when to enter and exit, on closed candles only; has parameters of its own.',
    },
  },
  {
    name: 'period',
    group: 'strategy',
    type: 'array',
    value: '30m',
    list: Object.keys(PERIODS),
    apply: 'reload',
    title: { zh: '周期', en: 'Period' },
    help: {
      zh: '策略所用K线的周期。',
      en: 'Length of the candles that the strategy reads.',
    },
  },
  {
    name: 'min_periods',
    group: 'strategy',
    type: 'number',
    value: 32,
    step: [18, 500, 1],
    format: 'count',
    apply: 'reload',
    title: { zh: '最少K线数', en: 'Candles before trading' },
    basis: { zh: 'K线', en: 'candles' },
    help: {
      zh: '交易对开仓前所需的已收盘K线数；不少于策略的预热长度。',
      en: 'Closed candles that a pair needs before it may enter; at least the warm-up of the strategy.',
    },
  },

  {
    name: 'server.poll_scan_time',
    group: 'server',
    type: 'number',
    value: 3_000,
    step: [1_000, 600_000, 500],
    format: 'ms',
    apply: 'now',
    title: { zh: '行情服务扫描间隔', en: 'Price server scans every' },
    help: {
      zh: '行情服务向交易所查询全部行情的间隔，由同一交易所的机器人共用。',
      en: 'How often the price server, shared by the bots of an exchange, asks for all tickers.',
    },
  },

  {
    name: 'poll_scan_time',
    group: 'advance',
    type: 'number',
    value: 3_000,
    step: [1_000, 60_000, 500],
    format: 'ms',
    apply: 'now',
    title: { zh: '扫描间隔', en: 'Scan every' },
    help: {
      zh: '两次检查同一交易对的最短间隔；止损最多会晚这么久。',
      en: 'Least time between two looks at a pair; exits can be late by as much.',
    },
  },
  {
    name: 'poll_broadcast_time',
    group: 'advance',
    type: 'number',
    value: 5_000,
    step: [3_000, 60_000, 1_000],
    format: 'ms',
    apply: 'now',
    title: { zh: '推送间隔', en: 'Refresh every' },
    help: {
      zh: '向已打开的页面推送价格和状态的间隔；成交立即推送。',
      en: 'How often prices and state are sent to open pages; trades are sent at once.',
    },
  },
  {
    name: 'keep_lookback_periods',
    group: 'advance',
    type: 'number',
    value: 500,
    step: [50, 50_000, 10],
    format: 'count',
    apply: 'reload',
    title: { zh: '保留K线数', en: 'Candles kept' },
    basis: { zh: 'K线', en: 'candles' },
    help: {
      zh: '每个交易对保留的已收盘K线数，也是图表的历史长度。',
      en: 'Closed candles kept per pair, also the history of the chart.',
    },
  },
  {
    name: 'save_bot_time',
    group: 'advance',
    type: 'number',
    value: 600_000,
    step: [6_000, 6_000_000, 6_000],
    format: 'ms',
    apply: 'now',
    title: { zh: '存盘间隔', en: 'Save every' },
    help: {
      zh: '保存完整状态的间隔；订单和成交立即保存。',
      en: 'How often the whole state is saved; orders and fills are saved at once.',
    },
  },
  {
    name: 'run_for',
    group: 'advance',
    type: 'number',
    value: 0,
    step: [0, 1_000, 1],
    format: 'hours',
    apply: 'now',
    title: { zh: '运行时长', en: 'Run for' },
    help: {
      zh: '到时不再开仓，全部平仓后结束；0 表示不限时。',
      en: 'After that no more entries are made, and the bot ends when it is flat; 0: endless.',
    },
  },
  {
    name: 'product_currency',
    group: 'advance',
    type: 'text',
    value: 'USDT',
    pattern: /^[A-Za-z0-9]{2,12}$/,
    apply: 'flat_reload',
    title: { zh: '计价货币', en: 'Currency' },
    help: {
      zh: '机器人的计价货币；其他计价货币的交易对不交易。',
      en: 'Quote currency of the bot; pairs in another are not traded.',
    },
  },
  {
    name: 'product_min_volume',
    group: 'advance',
    type: 'number',
    value: 50_000,
    step: [10_000, 1_000_000, 10_000],
    format: 'quote',
    apply: 'now',
    title: { zh: '最小24小时成交额', en: 'Min 24h volume' },
    basis: { zh: '24小时成交额', en: 'traded in 24 hours' },
    help: {
      zh: '成交额低于该值的交易对不予列出，也不能开仓，直到高出该值 10%；平仓照常进行。回测不知道当时的成交额。',
      en: 'Pairs with less are not offered and make no entries until they exceed it by 10%; exits continue. Unknown in a backtest.',
    },
  },
  {
    name: 'price_format',
    group: 'advance',
    type: 'string',
    value: '0.00000000',
    pattern: /^0(\.0{1,12})?$/,
    format: 'pricemask',
    apply: 'now',
    title: { zh: '价格格式', en: 'Price format' },
    help: {
      zh: '价格的显示小数位数；0.00000000 表示自动，与最小变动价位一致。不影响下单价格。',
      en: 'Decimals of the prices shown; 0.00000000 is automatic: those of the tick size. Does not affect orders.',
    },
  },
  {
    name: 'order_adjust_time',
    group: 'advance',
    type: 'number',
    value: 5_000,
    step: [1_000, 10_000, 1_000],
    format: 'ms',
    apply: 'now',
    show: NOT_DEFI,
    title: { zh: '调单间隔', en: 'Re-price every' },
    help: {
      zh: '挂单多久后重新检查价格。',
      en: 'How long a maker order rests before its price is looked at again.',
    },
  },
  {
    name: 'max_buy_loss_pct',
    group: 'advance',
    type: 'number',
    value: 1,
    step: [0, 5, 0.5],
    format: 'percent',
    apply: 'next_entry',
    title: { zh: '追高买入上限', en: 'Re-entry above last exit' },
    basis: { zh: '上次卖出价的百分比', en: 'of the last exit price' },
    help: {
      zh: '决定开仓时的价格比上次卖出价差太多时拒绝再次开仓，与最大滑点无关；0 表示关闭。',
      en: 'Refuses to enter again at a price much worse than the last exit, whatever slippage is accepted; 0: off.',
    },
  },
  {
    name: 'max_sell_loss_pct',
    group: 'advance',
    type: 'number',
    value: 1,
    step: [0, 5, 0.5],
    format: 'percent',
    apply: 'now',
    title: { zh: '信号卖出亏损上限', en: 'Loss a signal may realise' },
    basis: { zh: '开仓均价的百分比', en: 'of the entry price' },
    help: {
      zh: '信号卖出亏损超过该值时暂缓；不影响止损；0 表示关闭。',
      en: 'Puts an exit signal off that would lose more; stops are not affected; 0: off.',
    },
  },
  {
    name: 'markdown_buy_pct',
    group: 'advance',
    type: 'number',
    value: 0,
    step: [-2, 2, 0.1],
    format: 'percent',
    apply: 'next_entry',
    show: MAKER,
    hidden: 0,
    title: { zh: '买入让价', en: 'Entry markdown' },
    basis: { zh: '盘口价的百分比', en: 'of the book price' },
    help: {
      zh: '开仓价向有利方向偏离盘口；负数表示进入价差。',
      en: 'Moves the price of an entry away from the book in your favour; negative: into the spread.',
    },
  },
  {
    name: 'markup_sell_pct',
    group: 'advance',
    type: 'number',
    value: 0,
    step: [-2, 2, 0.1],
    format: 'percent',
    apply: 'next_entry',
    show: MAKER,
    hidden: 0,
    title: { zh: '卖出加价', en: 'Exit markup' },
    basis: { zh: '盘口价的百分比', en: 'of the book price' },
    help: {
      zh: '卖出价向有利方向偏离盘口；负数表示进入价差。',
      en: 'Moves the price of an exit away from the book in your favour; negative: into the spread.',
    },
  },
  {
    name: 'avg_slippage_pct',
    group: 'advance',
    type: 'number',
    value: 0.045,
    step: [0, 0.1, 0.005],
    format: 'percent',
    apply: 'now',
    show: PAPER,
    hidden: 0,
    title: { zh: '模拟滑点', en: 'Simulated slippage' },
    basis: { zh: '成交价的百分比', en: 'of the price' },
    help: {
      zh: '模拟吃单成交时额外变差的幅度。',
      en: 'Makes simulated taker fills worse by so much.',
    },
  },
  {
    name: 'quarentine_time',
    group: 'advance',
    type: 'number',
    value: 0,
    step: [0, 100_000, 10],
    format: 'minutes',
    apply: 'now',
    title: { zh: '亏损冷静期', en: 'Quarantine after a loss' },
    help: {
      zh: '交易对亏损平仓后，在该时间内不自动开仓；0 表示关闭。',
      en: 'No automatic entries on a pair for so long after it closed with a loss; 0: off.',
    },
  },
  {
    name: 'short_buy_pct',
    group: 'advance',
    type: 'number',
    value: 20,
    step: [0, 100, 1],
    format: 'percent',
    apply: 'next_entry',
    show: { all: [FUTURE, { key: 'market', in: ['only_short', 'both'] }] },
    hidden: 0,
    title: { zh: '做空比例', en: 'Share of margin per short' },
    basis: { zh: '可用保证金的百分比', en: 'of the available margin' },
    help: {
      zh: '做空时代替买入比例；0 表示与买入比例相同。',
      en: 'Takes the place of the share per entry for shorts; 0: the same share.',
    },
  },
] as const satisfies readonly Item[];

type Row = (typeof OPTION_TABLE)[number];
export type OptionName = Row['name'];

type ValueOf<R> = R extends { type: 'number' }
  ? number
  : R extends { type: 'table' }
    ? readonly import('./item.ts').ExitLevel[]
    : R extends { list: readonly (infer V)[] }
      ? V
      : string;

/** A value for every option. */
export type BotOptions = { readonly [R in Row as R['name']]: ValueOf<R> };

/** Rows by name. */
export const OPTIONS: ReadonlyMap<string, Item> = new Map(OPTION_TABLE.map((item) => [item.name, item]));

/** The defaults of the option table. */
export function defaultOptions(): BotOptions {
  return Object.fromEntries(OPTION_TABLE.map((item) => [item.name, item.value])) as unknown as BotOptions;
}
