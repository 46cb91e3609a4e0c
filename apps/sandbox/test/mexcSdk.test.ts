import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startSandbox } from '../src/sandbox.ts';

test("MEXC's own client trades and reads with every method", async () => {
  const sandbox = await startSandbox({ seed: 5, port: 0 });
  try {
    const { rest, key, secret } = sandbox.mexc;
    const script = new URL('mexcSdkClient.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [script, `${rest}/api/v3`, key, secret]);
    const reported = JSON.parse(stdout);
    expect(reported).toMatchObject({
      ping: {},
      time: { serverTime: expect.any(Number) },
      exchangeInfo: { symbols: [{ symbol: 'BTCUSDT', status: '1' }] },
      depth: { bids: Array(5).fill([expect.any(String), expect.any(String)]) },
      avgPrice: { mins: 5 },
      ticker24hr: { symbol: 'BTCUSDT' },
      newOrderTest: {},
      newOrder: { symbol: 'BTCUSDT', orderId: expect.stringMatching(/^C02__/), type: 'LIMIT', side: 'BUY' },
      queryOrder: { orderId: reported.newOrder.orderId, clientOrderId: 'by-sdk', status: 'NEW' },
      openOrders: [{ orderId: reported.newOrder.orderId }],
      cancelOrder: { orderId: reported.newOrder.orderId, status: 'CANCELED' },
      cancelOpenOrders: [{ orderId: reported.another.orderId, status: 'CANCELED' }],
      accountInfo: { accountType: 'SPOT', canTrade: true, canWithdraw: false },
    });
    expect(reported.newOrder.status).toBeUndefined();
    expect(reported.klines).toHaveLength(5);
    expect(reported.tickerPrice).toHaveLength(10);
    expect(reported.allOrders.map(({ orderId }: { orderId: string }) => orderId)).toEqual([
      reported.market.orderId,
      reported.another.orderId,
      reported.newOrder.orderId,
    ]);
    expect(reported.allOrders[0]).toMatchObject({ status: 'FILLED', type: 'MARKET' });
    const spent = reported.accountTradeList.reduce((sum: number, trade: { orderId: string; quoteQty: string }) => {
      expect(trade.orderId).toBe(reported.market.orderId);
      return sum + Number(trade.quoteQty);
    }, 0);
    expect(spent).toBeCloseTo(Number(reported.allOrders[0].cummulativeQuoteQty), 8);
  } finally {
    await sandbox.close();
  }
}, 60_000);
