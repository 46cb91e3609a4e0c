import type { OptionTextTable } from '../textTables.ts';

/** English texts of the bot options. */
export const options: OptionTextTable = {
  exchange: {
    title: 'Exchange',
    help: 'The venue: demo market, testnet or real exchange. It cannot be changed later.',
  },
  mode: {
    title: 'Trading mode',
    help: 'Paper: real prices, simulated fills, no API key. Live: real orders.',
  },
  takerFee: {
    title: 'Taker fee',
    help: 'Fee of a taker fill. Live fills use the fee that the exchange reports.',
    basis: 'of the order value',
  },
  makerFee: {
    title: 'Maker fee',
    help: 'Fee of a maker fill. Live fills use the fee that the exchange reports.',
    basis: 'of the order value',
  },
  currency_capital: {
    title: 'Paper capital',
    help: 'Initial balance of the paper account. A change applies when the account is reset.',
    basis: 'in the quote currency',
  },
  market: { title: 'Direction', help: 'Sides that the bot may open.' },
  margin_mode: {
    title: 'Margin mode',
    help: 'Isolated: a position risks only its own margin. Cross: positions share the account balance.',
  },
  leverage: {
    title: 'Leverage',
    help: 'Reduced to the maximum of the exchange for the order value. Open positions keep theirs.',
  },
  sync_trade_time: {
    title: 'Reconcile interval',
    help: 'Live: how often orders, fills and balances are compared with the exchange. Paper: how often the ledger is audited.',
  },
  order_type: {
    title: 'Order type',
    help: 'Maker: post-only orders that follow the order book. Taker: immediate orders. Stop-losses are always taker.',
  },
  watch_pairs: {
    title: 'Watched pairs',
    help: 'For example BTC-USDT. Separate pairs by commas, semicolons, spaces or line breaks.',
  },
  max_watch_size: {
    title: 'Max watched pairs',
    help: 'Pairs with a position are always watched and count. 0: no limit.',
    basis: 'pairs',
  },
  buy_pct: {
    title: 'Entry size',
    help: 'Share of the available balance per entry, fees included. 0: no automatic entries.',
    basis: 'of the available balance',
  },
  min_buy_size: {
    title: 'Min entry value',
    help: 'Smaller entries are raised to it if the balance allows. An exit that would leave less sells all.',
    basis: 'order value',
  },
  max_buy_size: {
    title: 'Max entry value',
    help: 'Limit of one entry; on futures of its notional value. 0: no limit.',
    basis: 'order value',
  },
  max_buy_pair_count: {
    title: 'Max open positions',
    help: 'Pairs with an open position at a time. Lowering it closes nothing. 0: no limit.',
    basis: 'pairs',
  },
  max_slippage_pct: {
    title: 'Maximum slippage',
    help: 'An entry that slips further is cancelled. A signal or take-profit exit continues as taker.',
    basis: 'of the first price',
  },
  sell_pct: {
    title: 'Exit size',
    help: 'Share closed by an exit signal or a manual sale without amount. 0: no signal exits.',
    basis: 'of the position',
  },
  stop_sell: {
    title: 'Stop-loss',
    help: 'Sells this share when the price has moved against the position. Leverage does not count.',
    columns: {
      profit: { title: 'Loss', basis: 'of the entry price' },
      stop: { title: 'Sell', basis: 'of the position' },
    },
  },
  trailing_stop: {
    title: 'Trailing stop-loss',
    help: 'Sells this share when the price has fallen back from its best since entry. Works only while Heron runs, and not on grids and DCA deals.',
    columns: {
      profit: { title: 'Distance', basis: 'of the best price' },
      stop: { title: 'Sell', basis: 'of the position' },
    },
  },
  profit_callback_start: {
    title: 'Activation profit',
    help: 'The trailing take-profit is active once the profit has reached this value.',
    basis: 'return on margin',
  },
  profit_callback: {
    title: 'Trailing take-profit',
    help: 'Once active, sells when the profit retraces to this share of its maximum.',
    columns: {
      profit: { title: 'Retrace to', basis: 'of the maximum profit' },
      stop: { title: 'Sell', basis: 'of the position' },
    },
  },
  profit_win: {
    title: 'Take-profit',
    help: 'Sells this share of the position when the profit reaches the target.',
    columns: {
      profit: { title: 'Profit', basis: 'return on margin' },
      stop: { title: 'Sell', basis: 'of the position' },
    },
  },
  strategy: {
    title: 'Strategy',
    help: 'Gives the entry and exit signals, on closed candles only. It has its own parameters.',
  },
  period: { title: 'Timeframe', help: 'Candle interval of the strategy.' },
  min_periods: {
    title: 'Min candles',
    help: 'Closed candles that a pair needs before an entry; at least the warm-up of the strategy.',
    basis: 'candles',
  },
  'server.poll_scan_time': {
    title: 'Ticker interval',
    help: 'How often the price server requests all tickers. The bots of an exchange share it.',
  },
  poll_scan_time: {
    title: 'Check interval',
    help: 'Minimum time between two checks of a pair. Exits can be late by this much.',
  },
  poll_broadcast_time: {
    title: 'Refresh interval',
    help: 'How often prices and state are sent to open pages. Trades are sent at once.',
  },
  keep_lookback_periods: {
    title: 'Candle history',
    help: 'Closed candles that are kept per pair, also for the chart.',
    basis: 'candles',
  },
  save_bot_time: {
    title: 'Save interval',
    help: 'How often the whole state is saved. Orders and fills are saved at once.',
  },
  run_for: {
    title: 'Run time',
    help: 'After this time no entries follow, and the bot ends when all positions are closed. 0: unlimited.',
  },
  product_currency: {
    title: 'Quote currency',
    help: 'Quote currency of the bot. Pairs with another one are not traded.',
  },
  product_min_volume: {
    title: 'Min 24h volume',
    help: 'Pairs below are not offered and get no entries until they exceed it by 10%. Exits continue. Ignored in backtests.',
    basis: 'traded in 24 hours',
  },
  price_format: {
    title: 'Price format',
    help: 'Decimals of displayed prices. 0.00000000: automatic, from the tick size. Orders are not affected.',
  },
  order_adjust_time: {
    title: 'Re-price interval',
    help: 'How long a maker order waits before its price is checked again.',
  },
  max_buy_loss_pct: {
    title: 'Re-entry limit',
    help: 'No entry at a price this much worse than the last exit. Slippage is checked separately. 0: off.',
    basis: 'of the last exit price',
  },
  max_sell_loss_pct: {
    title: 'Max signal loss',
    help: 'Max loss on signal exit: a signal that would lose more waits. Stop-losses still act. 0: off.',
    basis: 'of the entry price',
  },
  markdown_buy_pct: {
    title: 'Entry price offset',
    help: 'Offset of the entry price from the order book in your favour. Negative: into the spread.',
    basis: 'of the book price',
  },
  markup_sell_pct: {
    title: 'Exit price offset',
    help: 'Offset of the exit price from the order book in your favour. Negative: into the spread.',
    basis: 'of the book price',
  },
  avg_slippage_pct: {
    title: 'Simulated slippage',
    help: 'Slippage added to simulated taker fills.',
    basis: 'of the price',
  },
  quarentine_time: {
    title: 'Cooldown after loss',
    help: 'No automatic entries on a pair for this long after a losing position. 0: off.',
  },
  short_buy_pct: {
    title: 'Short entry size',
    help: 'Share of the available margin per short entry. 0: same as the entry size.',
    basis: 'of the available margin',
  },
};
