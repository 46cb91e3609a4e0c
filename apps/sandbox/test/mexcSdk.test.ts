import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startSandbox } from '../src/sandbox.ts';

test("MEXC's own client trades and reads, call by call", async () => {
  const sandbox = await startSandbox({ seed: 5, port: 0 });
  try {
    const { rest, key, secret } = sandbox.mexc;
    const script = new URL('mexcSdkClient.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [script, `${rest}/api/v3`, key, secret]);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({
      ping: {},
      time: { serverTime: expect.any(Number) },
      exchangeInfo: { symbols: [{ symbol: 'BTCUSDT', status: '1' }] },
      depth: { bids: Array(5).fill([expect.any(String), expect.any(String)]) },
      avgPrice: { mins: 5 },
      ticker24hr: { symbol: 'BTCUSDT' },
      newOrderTest: {},
      newOrder: { symbol: 'BTCUSDT', orderId: expect.stringMatching(/^C02__/), type: 'LIMIT', side: 'BUY' },
      queryOrder: { orderId: told.newOrder.orderId, clientOrderId: 'by-sdk', status: 'NEW' },
      openOrders: [{ orderId: told.newOrder.orderId }],
      cancelOrder: { orderId: told.newOrder.orderId, status: 'CANCELED' },
      cancelOpenOrders: [{ orderId: told.another.orderId, status: 'CANCELED' }],
      accountInfo: { accountType: 'SPOT', canTrade: true, canWithdraw: false },
    });
    expect(told.newOrder.status).toBeUndefined();
    expect(told.klines).toHaveLength(5);
    expect(told.tickerPrice).toHaveLength(10);
    expect(told.allOrders.map(({ orderId }: { orderId: string }) => orderId)).toEqual([
      told.market.orderId,
      told.another.orderId,
      told.newOrder.orderId,
    ]);
    expect(told.allOrders[0]).toMatchObject({ status: 'FILLED', type: 'MARKET' });
    const spent = told.accountTradeList.reduce((sum: number, trade: { orderId: string; quoteQty: string }) => {
      expect(trade.orderId).toBe(told.market.orderId);
      return sum + Number(trade.quoteQty);
    }, 0);
    expect(spent).toBeCloseTo(Number(told.allOrders[0].cummulativeQuoteQty), 8);
  } finally {
    await sandbox.close();
  }
}, 60_000);
