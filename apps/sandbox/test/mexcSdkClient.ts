import { Spot } from 'mexc-api-sdk';

// Calls every method of MEXC's own client that the exchange still has, in its own process, because the client blocks
// the event loop. It prints one JSON object of responses, by name of the method.
const [baseURL = '', key = '', secret = ''] = process.argv.slice(2);
const client = new Spot(key, secret);
client.config.baseURL = baseURL;
const symbol = 'BTCUSDT';
const bid = Number(client.bookTicker(symbol).bidPrice);
const limit = { quantity: '0.01', price: (bid * 0.9).toFixed(2) };
const placed = client.newOrder(symbol, 'BUY', 'LIMIT', { ...limit, newClientOrderId: 'by-sdk' });
const answers = {
  ping: client.ping(),
  time: client.time(),
  exchangeInfo: client.exchangeInfo({ symbol }),
  depth: client.depth(symbol, { limit: 5 }),
  trades: client.trades(symbol, { limit: 5 }),
  historicalTrades: client.historicalTrades(symbol, { limit: 5 }),
  aggTrades: client.aggTrades(symbol, { limit: 5 }),
  klines: client.klines(symbol, '60m', { limit: 5 }),
  avgPrice: client.avgPrice(symbol),
  ticker24hr: client.ticker24hr(symbol),
  tickerPrice: client.tickerPrice(),
  newOrderTest: client.newOrderTest(symbol, 'BUY', 'LIMIT', { ...limit }),
  newOrder: placed,
  queryOrder: client.queryOrder(symbol, { origClientOrderId: 'by-sdk' }),
  openOrders: client.openOrders(symbol),
  cancelOrder: client.cancelOrder(symbol, { orderId: placed.orderId }),
  another: client.newOrder(symbol, 'BUY', 'LIMIT', { ...limit }),
  cancelOpenOrders: client.cancelOpenOrders(symbol),
  market: client.newOrder(symbol, 'BUY', 'MARKET', { quoteOrderQty: '100' }),
  allOrders: client.allOrders(symbol),
  accountInfo: client.accountInfo(),
  accountTradeList: client.accountTradeList(symbol),
};
process.stdout.write(JSON.stringify(answers));
