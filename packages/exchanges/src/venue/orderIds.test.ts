import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { marketOf } from '@heron/engine/market/market.ts';
import { afterAll, expect, test } from 'vitest';
import { openBinanceTrading } from '../binance/trading.ts';
import { venueBudget } from '../http/venueBudget.ts';
import { openGivenNet } from '../net/openNet.ts';

const PAIRS = ['BTC-USDT', 'ETH-USDT'];
const NUMBERS = { tickSize: 0.01, stepSize: 0.001, minQuantity: 0.001, maxQuantity: 100, minNotional: 5 };

/** A venue on which the orders of both pairs have the same number. */
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://venue');
  const symbol = searchParams.get('symbol');
  const row = { symbol, orderId: 7, id: 1, time: 1_000, commissionAsset: 'USDT', commission: '0' };
  const trade = { ...row, price: '100', qty: '1', isBuyer: true, isMaker: false };
  const answers: Record<string, unknown> = {
    '/api/v3/time': { serverTime: Date.now() },
    '/api/v3/myTrades': [trade],
    '/api/v3/allOrders': [{ ...row, clientOrderId: `of ${symbol}` }],
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answers[pathname]));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a trade belongs to the order of its own pair, despite equal ids on another pair', async () => {
  const rest = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const trading = await openBinanceTrading({
    key: { key: 'k', secret: 's' },
    net: openGivenNet('binance', { rest, ws: 'ws://127.0.0.1:1' }, { now: Date.now }),
    budget: venueBudget('binance', Date.now),
    markets: async () => PAIRS.map((pair) => marketOf({ pair, ...NUMBERS })),
    now: Date.now,
  });
  const named = async (pair: string) =>
    (await trading.ownTrades(pair, { at: 0, id: '1' })).map(({ clientOrderId }) => clientOrderId);
  expect(await named('BTC-USDT')).toEqual(['of BTCUSDT']);
  expect(await named('ETH-USDT')).toEqual(['of ETHUSDT']);
  await trading.close();
});
