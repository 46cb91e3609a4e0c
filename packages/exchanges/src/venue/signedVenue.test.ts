import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import { marketOf } from '@heron/engine/market/market.ts';
import { expect, test } from 'vitest';
import { readBinanceError } from '../binance/errorCodes.ts';
import { signBinanceRequest } from '../binance/signRequest.ts';
import { BINANCE_ENDPOINTS } from '../binance/trading.ts';
import type { RateBudget } from '../http/rateBudget.ts';
import type { VenueNet } from '../net/venueNet.ts';
import { openSignedVenue } from './signedVenue.ts';

const MARKET = marketOf({
  ...{ pair: 'BTC-USDT', tickSize: 0.01, stepSize: 0.001 },
  ...{ minQuantity: 0.001, maxQuantity: 100, minNotional: 5 },
});
const NOW = 1_000_000;
const ORDER: Omit<OrderRequest, 'decidedAt'> = {
  ...{ clientOrderId: 'abc123-1-1', pair: MARKET.pair, side: 'buy', type: 'market', price: 0 },
  ...{ quantity: MARKET.step, exit: false },
};

/** Opens a venue whose clock responds with `time`. */
function openVenue() {
  const state = { time: { serverTime: NOW } as object, requested: 0, markets: [MARKET] };
  const net = {
    hosts: { rest: ['http://demo'], permissions: [] },
    fault: () => null,
    async send() {
      state.requested += 1;
      return new Response(JSON.stringify(state.time));
    },
    // Implements only what a signing client uses.
  } as unknown as VenueNet;
  const venue = openSignedVenue(
    {
      ...{ name: 'binance', endpoints: BINANCE_ENDPOINTS, time: 'GET /api/v3/time' },
      ...{ sign: signBinanceRequest, readError: readBinanceError },
    },
    {
      ...{ key: { key: 'k', secret: 's' }, net, markets: async () => state.markets, now: () => NOW },
      budget: { async acquire() {}, onResponse() {} } as unknown as RateBudget,
    },
  );
  return { state, venue };
}

test.each([{}, { serverTime: null }, { serverTime: 'soon' }])(
  'a clock that responds %j is measured again, instead of being NaN for minutes',
  async (time) => {
    const { state, venue } = openVenue();
    state.time = time;
    await expect(venue.clock.sync()).rejects.toMatchObject({ kind: 'unreachable' });
    expect(venue.clock.venueTime(NOW)).toBe(NOW);
    state.time = { serverTime: NOW + 5_000 };
    await venue.clock.sync();
    expect(venue.clock.venueTime(NOW)).toBe(NOW + 5_000);
  },
);

test('an order that is too late is not sent, and leaves the clock as it is', async () => {
  const { state, venue } = openVenue();
  let tries = 0;
  const late = venue.call(1, 'order', async (venueTime) => {
    tries += 1;
    return venue.orderTimestamp({ ...ORDER, decidedAt: NOW - 6_000 }, venueTime, performance.now());
  });
  await expect(late).rejects.toMatchObject({
    ...{ kind: 'unreachable', fault: null },
    message: expect.stringContaining('too late'),
  });
  await venue.clock.sync();
  expect([tries, state.requested]).toEqual([1, 1]);
});

test('an order that waits too long is not sent, although the clock of the machine was set back meanwhile', () => {
  const { venue } = openVenue();
  const timestamp = (ageMs: number) =>
    venue.orderTimestamp({ ...ORDER, decidedAt: NOW + 60_000 }, (at) => at, performance.now() - ageMs);
  expect(timestamp(1_000)).toBe(NOW);
  expect(() => timestamp(6_000)).toThrow('too late');
});

test('an order in a unit that a pair got later is sent, and one in any other unit is not', async () => {
  const { venue, state } = openVenue();
  await expect(venue.marketOfRequest({ pair: MARKET.pair, assetDecimals: 8 })).rejects.toMatchObject({
    ...{ kind: 'misused', pair: MARKET.pair, message: expect.stringContaining('delete the bot') },
  });
  state.markets = [{ ...MARKET, assetDecimals: 8 }];
  expect(await venue.marketOfRequest({ pair: MARKET.pair, assetDecimals: 8 })).toBe(state.markets[0]);
});
