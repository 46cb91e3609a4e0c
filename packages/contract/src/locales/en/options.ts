import type { OptionTextTable } from '../textTables.ts';

/** English texts of the bot options. */
export const options: OptionTextTable = {
  exchange: {
    title: 'Exchange',
    help: 'Where the bot trades: the demo market, a testnet or the exchange itself. Fixed for the life of the bot.',
  },
  mode: {
    title: 'Mode',
    help: 'Paper: real market data, simulated fills, no key that could sign. Live: real orders.',
  },
  takerFee: {
    title: 'Taker fee',
    help: 'Charged on a fill that took from the book; live fills use the fee that the exchange reports.',
    basis: 'of the order value',
  },
  makerFee: {
    title: 'Maker fee',
    help: 'Charged on a fill that rested on the book; live fills use the fee that the exchange reports.',
    basis: 'of the order value',
  },
  currency_capital: {
    title: 'Paper capital',
    help: 'What a paper account starts with. A change acts when the paper account is reset.',
    basis: 'in the product currency',
  },
  market: { title: 'Direction', help: 'Which sides the bot may open.' },
  margin_mode: {
    title: 'Margin mode',
    help: 'Isolated risks the margin of one position; cross shares all money of the account.',
  },
  leverage: {
    title: 'Leverage',
    help: 'Lowered to what the exchange allows for the value traded. An open position keeps its own.',
  },
  sync_trade_time: {
    title: 'Reconcile every',
    help: 'Live: how often orders, fills and balances are compared with the exchange. Paper: how often ledger, funding and prices are audited; a discrepancy raises an alarm.',
  },
  order_type: {
    title: 'Order type',
    help: 'Maker: post-only orders that follow the book. Taker: immediate orders. Stops are always taker.',
  },
  watch_pairs: {
    title: 'Watched pairs',
    help: 'Such as BTC-USDT, separated by commas, semicolons, spaces or line ends.',
  },
  max_watch_size: {
    title: 'Most pairs watched',
    help: 'Pairs with a position are always followed and count; 0: no limit of its own.',
    basis: 'pairs',
  },
  buy_pct: {
    title: 'Share of cash per entry',
    help: 'Used by one entry, fees included; 0 switches automatic entries off.',
    basis: 'of the available money',
  },
  min_buy_size: {
    title: 'Smallest entry',
    help: 'A smaller entry is raised to it if the money allows; an exit that would leave less sells all.',
    basis: 'order value',
  },
  max_buy_size: {
    title: 'Largest entry',
    help: 'Cap of one entry, on futures of its notional value; 0: no cap.',
    basis: 'order value',
  },
  max_buy_pair_count: {
    title: 'Most pairs held',
    help: 'Pairs that may be open at once; lowering it closes nothing; 0: no limit.',
    basis: 'pairs',
  },
  max_slippage_pct: {
    title: 'Maximum slippage',
    help: 'An entry that slips further ends; an exit by signal or target continues as taker.',
    basis: 'of the first price',
  },
  sell_pct: {
    title: 'Share sold per signal',
    help: 'Share closed by an exit signal or a sale by hand without size; 0 switches exit signals off.',
    basis: 'of the position',
  },
  stop_sell: {
    title: 'Stop loss',
    help: 'When the price has moved so far against the position, sells that share of it. Leverage does not count.',
    columns: {
      profit: { title: 'Moved against', basis: 'of the entry price' },
      stop: { title: 'Sell', basis: 'of what is held' },
    },
  },
  profit_callback_start: {
    title: 'Callback starts at',
    help: 'The callback take-profit is armed once the profit has reached this.',
    basis: 'return on margin',
  },
  profit_callback: {
    title: 'Callback take-profit',
    help: 'Once armed, sells when the profit has fallen back to this share of its best value.',
    columns: {
      profit: { title: 'Back to', basis: 'of the best profit' },
      stop: { title: 'Sell', basis: 'of what is held' },
    },
  },
  profit_win: {
    title: 'Target take-profit',
    help: 'When the profit reaches a target, sells that share of what is held.',
    columns: {
      profit: { title: 'Profit', basis: 'return on margin' },
      stop: { title: 'Sell', basis: 'of what is held' },
    },
  },
  strategy: {
    title: 'Strategy',
    help: 'Decides when to enter and exit, on closed candles only; has parameters of its own.',
  },
  period: { title: 'Period', help: 'Length of the candles that the strategy reads.' },
  min_periods: {
    title: 'Candles before trading',
    help: 'Closed candles that a pair needs before it may enter; at least the warm-up of the strategy.',
    basis: 'candles',
  },
  'server.poll_scan_time': {
    title: 'Price server scans every',
    help: 'How often the price server, shared by the bots of an exchange, asks for all tickers.',
  },
  poll_scan_time: {
    title: 'Scan every',
    help: 'Least time between two looks at a pair; exits can be late by as much.',
  },
  poll_broadcast_time: {
    title: 'Refresh every',
    help: 'How often prices and state are sent to open pages; trades are sent at once.',
  },
  keep_lookback_periods: {
    title: 'Candles kept',
    help: 'Closed candles kept per pair, also the history of the chart.',
    basis: 'candles',
  },
  save_bot_time: {
    title: 'Save every',
    help: 'How often the whole state is saved; orders and fills are saved at once.',
  },
  run_for: {
    title: 'Run for',
    help: 'After that no more entries are made, and the bot ends when it is flat; 0: endless.',
  },
  product_currency: { title: 'Currency', help: 'Quote currency of the bot; pairs in another are not traded.' },
  product_min_volume: {
    title: 'Min 24h volume',
    help: 'Pairs with less are not offered and make no entries until they exceed it by 10%; exits continue. Unknown in a backtest.',
    basis: 'traded in 24 hours',
  },
  price_format: {
    title: 'Price format',
    help: 'Decimals of the prices shown; 0.00000000 is automatic: those of the tick size. Does not affect orders.',
  },
  order_adjust_time: {
    title: 'Re-price every',
    help: 'How long a maker order rests before its price is looked at again.',
  },
  max_buy_loss_pct: {
    title: 'Re-entry above last exit',
    help: 'Refuses to enter again at a price much worse than the last exit, whatever slippage is accepted; 0: off.',
    basis: 'of the last exit price',
  },
  max_sell_loss_pct: {
    title: 'Loss a signal may realise',
    help: 'Puts an exit signal off that would lose more; stops are not affected; 0: off.',
    basis: 'of the entry price',
  },
  markdown_buy_pct: {
    title: 'Entry markdown',
    help: 'Moves the price of an entry away from the book in your favour; negative: into the spread.',
    basis: 'of the book price',
  },
  markup_sell_pct: {
    title: 'Exit markup',
    help: 'Moves the price of an exit away from the book in your favour; negative: into the spread.',
    basis: 'of the book price',
  },
  avg_slippage_pct: {
    title: 'Simulated slippage',
    help: 'Makes simulated taker fills worse by so much.',
    basis: 'of the price',
  },
  quarentine_time: {
    title: 'Quarantine after a loss',
    help: 'No automatic entries on a pair for so long after it closed with a loss; 0: off.',
  },
  short_buy_pct: {
    title: 'Share of margin per short',
    help: 'Takes the place of the share per entry for shorts; 0: the same share.',
    basis: 'of the available margin',
  },
};
