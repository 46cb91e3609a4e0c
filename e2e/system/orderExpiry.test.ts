import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import { formatUnits, toUnits } from '@heron/engine/money/units.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import type { AccountEvent, TradingExchange } from '@heron/exchanges/trading.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './botHost.ts';
import { PAIR } from './tradingTestbed.ts';
import { BINANCE, BINANCEUSDM, type TradedVenue } from './venues.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, seed: 61, faults: true });
});

afterAll(() => sandbox.close());

/** Opens an account with its stream for the duration of `action`. */
async function trade(
  venue: TradedVenue,
  action: (given: { trading: TradingExchange; reading: PublicExchange; events: AccountEvent[] }) => Promise<void>,
): Promise<void> {
  const reading = await venue.openReading(sandbox);
  const trading = await venue.openTrading(sandbox, reading);
  const events: AccountEvent[] = [];
  const stream = trading.stream((event) => events.push(event));
  try {
    await until(() => events.some(({ type }) => type === 'connected'), 'the stream');
    await action({ trading, reading, events });
  } finally {
    await stream.close();
    await trading.close();
    await reading.close();
  }
}

/** Returns a buy order below the market, which does not fill. */
async function unfilled(reading: PublicExchange, clientOrderId: string): Promise<SizedOrderRequest> {
  const market = (await reading.markets()).find(({ pair }) => pair === PAIR);
  const [ticker] = await reading.tickers([PAIR]);
  const price = toUnits(Math.round(Number(formatUnits(ticker?.last ?? 0)) * 0.97));
  const { assetDecimals = 0 } = market ?? {};
  return {
    clientOrderId,
    pair: PAIR,
    side: 'buy',
    type: 'limit_ioc',
    price,
    quantity: toUnits(0.004, assetDecimals),
    assetDecimals,
    exit: false,
    decidedAt: Date.now(),
  };
}

const expiries = (events: readonly AccountEvent[], id: string) =>
  events.flatMap((event) =>
    event.type === 'order' && event.report.clientOrderId === id && event.report.status === 'expired'
      ? [event.report.expiry]
      : [],
  );

test.each([BINANCE, BINANCEUSDM])('an order on $name without a counterparty reports why it expired', (venue) =>
  trade(venue, async ({ trading, reading, events }) => {
    const ticket = await unfilled(reading, `ioc-${venue.name}-1`);
    const { report } = await trading.place(ticket);
    expect(report?.status).toBe('expired');
    await until(() => expiries(events, ticket.clientOrderId).length > 0, 'the report');
    expect(expiries(events, ticket.clientOrderId)).toEqual(['unfilled_ioc']);
    // USD-M reports the reason only on the stream.
    if (venue === BINANCE) expect((await trading.order(PAIR, ticket.clientOrderId))?.expiry).toBe('unfilled_ioc');
  }),
);

test('an order outside the price range expires with that reason and trades nothing', () =>
  trade(BINANCE, async ({ trading, reading, events }) => {
    const { rest } = sandbox.binance;
    const ask = async (path: string) => (await fetch(`${rest}/api/v3/${path}`)).json();
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ kind: 'priceRange', away: 0, match: 'BTCUSDT' });
    await fetch(`${rest}/faults`, { method: 'POST', headers: json, body });
    expect(await ask('executionRules?symbol=BTCUSDT')).toEqual({
      symbolRules: [
        {
          symbol: 'BTCUSDT',
          rules: [
            {
              ruleType: 'PRICE_RANGE',
              ...{ bidLimitMultUp: '1.0000', bidLimitMultDown: '1.0000' },
              ...{ askLimitMultUp: '1.0000', askLimitMultDown: '1.0000' },
            },
          ],
        },
      ],
    });
    const { referencePrice } = (await ask('referencePrice?symbol=BTCUSDT')) as { referencePrice: string };
    const [ticker] = await reading.tickers([PAIR]);
    expect(Math.abs(Number(referencePrice) / Number(formatUnits(ticker?.last ?? 0)) - 1)).toBeLessThan(0.05);
    // The allowed range is one price. With the market below it, a sale fills outside the range; with the market above it, a
    // purchase.
    let number = 0;
    const { id, fills } = await until(async () => {
      number += 1;
      const id = `range-${number}-1`;
      const ticket = { ...(await unfilled(reading, id)), type: 'market', price: 0 } as const;
      const placed = await trading.place({ ...ticket, side: number % 2 === 1 ? 'buy' : 'sell' });
      if (placed.report?.filled !== 0) return null;
      expect(placed.report).toMatchObject({ status: 'expired', expiry: 'price_range' });
      return { id, fills: placed.fills };
    }, 'an order that is outside');
    expect(fills).toEqual([]);
    await until(() => expiries(events, id).length > 0, 'the report');
    await fetch(`${rest}/faults`, { method: 'DELETE' });
  }));
