import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import { expect, test } from 'vitest';
import { venueBudget } from '../http/venueBudget.ts';
import { openGivenNet } from '../net/openNet.ts';
import { MARKET } from '../testing/scriptedExchange.ts';
import { openBinanceUsdmTrading } from './trading.ts';

test('multi-assets mode blocks entries whenever it is on, and no exits', async () => {
  let multiAssetsMargin = true;
  const orders: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://venue');
    if (pathname.endsWith('/order')) orders.push(pathname);
    const answers: Record<string, object> = {
      '/fapi/v1/time': { serverTime: Date.now() },
      '/fapi/v1/accountConfig': { dualSidePosition: false, multiAssetsMargin },
      '/fapi/v1/symbolConfig': [],
    };
    const refused = { code: -2022, msg: 'ReduceOnly Order is rejected.' };
    response.writeHead(answers[pathname] ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[pathname] ?? refused));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const rest = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const trading = await openBinanceUsdmTrading({
    ...{
      key: { key: 'k', secret: 's' },
      net: openGivenNet('binanceusdm', { rest, ws: 'ws://127.0.0.1:1/ws' }, { now: Date.now }),
    },
    ...{ budget: venueBudget('binanceusdm', Date.now), markets: async () => [MARKET], now: Date.now },
  });
  const request = (given: Partial<SizedOrderRequest>): SizedOrderRequest => ({
    ...{ clientOrderId: 'abc123-1-1', pair: MARKET.pair, side: 'buy', type: 'market', price: 0, quantity: MARKET.step },
    ...{ assetDecimals: MARKET.assetDecimals, exit: false, decidedAt: Date.now() },
    ...given,
  });
  const refusal = { kind: 'refused', message: expect.stringContaining('multi-assets mode') };
  try {
    await expect(trading.place(request({}))).rejects.toMatchObject(refusal);
    expect(orders).toEqual([]);
    await expect(trading.place(request({ side: 'sell', exit: true }))).rejects.not.toMatchObject(refusal);
    expect(orders).toHaveLength(1);
    await expect(trading.place(request({}))).rejects.toMatchObject(refusal);
    multiAssetsMargin = false;
    await expect(trading.place(request({}))).rejects.not.toMatchObject(refusal);
    expect(orders).toHaveLength(2);
    // Every account snapshot requests the settings of its contracts.
    multiAssetsMargin = true;
    await trading.margin?.settings();
    await expect(trading.place(request({}))).rejects.toMatchObject(refusal);
    expect(orders).toHaveLength(2);
  } finally {
    await trading.close();
    server.closeAllConnections();
    server.close();
  }
});
