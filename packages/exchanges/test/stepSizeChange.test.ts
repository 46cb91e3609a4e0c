import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Market, quantityFor } from '@heron/engine/market/market.ts';
import { formatUnits, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBinanceError } from '../src/binance/errorCodes.ts';
import { openBinanceTrading } from '../src/binance/trading.ts';
import { venueBudget } from '../src/http/venueBudget.ts';
import { openGivenNet } from '../src/net/openNet.ts';
import type { VenueNet } from '../src/net/venueNet.ts';
import { openPublicExchange, type PublicVenue } from '../src/venue/publicExchange.ts';

const HOUR_MS = 3_600_000;
const PRICE = toUnits(0.5);
const ordered: string[] = [];
let net: VenueNet;

/** A venue that accepts every order. */
const server = createServer(async (request, response) => {
  const { pathname, search } = new URL(request.url ?? '', 'http://venue');
  let body = '';
  for await (const part of request) body += part;
  const quantity = new URLSearchParams(`${search.slice(1)}&${body}`).get('quantity');
  if (quantity !== null) ordered.push(quantity);
  const order = { symbol: 'BTCUSDT', orderId: 7, clientOrderId: 'a', price: '0', origQty: quantity, executedQty: '0' };
  const answers: Record<string, unknown> = {
    '/api/v3/time': { serverTime: Date.now() },
    '/api/v3/order': { ...order, status: 'NEW', type: 'MARKET', side: 'BUY', transactTime: 1, fills: [] },
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answers[pathname]));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rest = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  net = openGivenNet('binance', { rest, ws: 'ws://127.0.0.1:1' }, { now: Date.now });
});

afterAll(async () => {
  await net.close();
  server.closeAllConnections();
  server.close();
});

/** Opens a venue whose list of pairs has the step size of `state`, which is read once an hour, and trading on it. */
async function openVenue() {
  const state = { stepSize: 1, hours: 0 };
  const now = () => Date.now() + state.hours * HOUR_MS;
  const venue = {
    name: 'binance',
    endpoints: new Set<string>(),
    msPerWeight: 1,
    readError: readBinanceError,
    periods: new Set(),
    page: 1,
    readTime: async () => now(),
    readPairs: async () => [
      {
        ...{ id: 'BTCUSDT', pair: 'BTC-USDT', tickSize: 0.0001, stepSize: state.stepSize },
        ...{ minQuantity: state.stepSize, maxQuantity: 1e6, minNotional: 1 },
      },
    ],
    readStates: async () => [{ symbol: 'BTCUSDT', status: 'TRADING' }],
    // Only the list of pairs is read.
  } as unknown as PublicVenue;
  const reading = await openPublicExchange(venue, { net, now });
  const trading = await openBinanceTrading({
    ...{ key: { key: 'k', secret: 's' }, net, budget: venueBudget('binance', now) },
    ...{ markets: () => reading.markets(), now },
  });
  return { state, now, reading, trading };
}

const step = fc
  .record({ digit: fc.constantFrom(1, 2, 5), decimals: fc.integer({ min: 0, max: 4 }) })
  .map(({ digit, decimals }) => Number(`${digit}e-${decimals}`));

test('an order has the decided quantity at the exchange, however the step size changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      const { state, now, reading, trading } = await openVenue();
      for (const stepSize of steps) {
        Object.assign(state, { stepSize, hours: state.hours + 1 });
        const [market] = (await reading.markets()) as [Market];
        expect(formatUnits(market.step, market.assetDecimals)).toBe(formatUnits(toUnits(stepSize)));
        const quantity = quantityFor(market, toUnits(1_234.56), PRICE);
        const { assetDecimals } = market;
        await trading.place({
          ...{ clientOrderId: 'a', pair: market.pair, side: 'buy', type: 'market', price: 0, quantity, assetDecimals },
          ...{ exit: false, decidedAt: now() },
        });
        const decided = Math.floor(2_469.12 / stepSize + 1e-6) * stepSize;
        expect(Number(ordered.at(-1))).toBeCloseTo(decided, 6);
        expect(ordered.at(-1)).toBe(formatUnits(quantity, assetDecimals));
      }
    }),
    { numRuns: 25 },
  );
});

test('an order in another unit than that of the adapter is not sent', async () => {
  const { now, reading, trading } = await openVenue();
  const [market] = (await reading.markets()) as [Market];
  const sent = ordered.length;
  const refused = trading.place({
    ...{ clientOrderId: 'a', pair: market.pair, side: 'buy', type: 'market', price: 0, quantity: market.step },
    ...{ assetDecimals: market.assetDecimals + 1, exit: false, decidedAt: now() },
  });
  await expect(refused).rejects.toMatchObject({ kind: 'misused' });
  expect(ordered).toHaveLength(sent);
});

test('a pair whose step size becomes finer than its unit is halted and no longer listed', async () => {
  const { state, reading } = await openVenue();
  await reading.markets();
  Object.assign(state, { stepSize: 0.00001, hours: 1 });
  expect(await reading.markets()).toEqual([]);
  expect(await reading.suspended?.(['BTC-USDT'])).toEqual(new Map([['BTC-USDT', 'halted']]));
});
