import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits, toUnits } from '@heron/engine/money/units.ts';
import type { PublicExchange } from '@heron/exchanges/exchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { type Sandbox, startSandbox } from '@heron/sandbox/sandbox.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type FaultyProxy, openFaultyProxy } from './faultyProxy.ts';
import type { TradedVenue } from './venues.ts';

export const PAIR = 'BTC-USDT';

/** A signing adapter behind a proxy that drops requests and responses on demand. */
export interface TradingTestbed {
  readonly sandbox: Sandbox;
  readonly proxy: FaultyProxy;
  readonly trading: TradingExchange;
  readonly market: Market;
  /** Opens the same adapter with another key or secret. */
  tradingWith(key: { key?: string; secret?: string }): Promise<TradingExchange>;
  /** Returns a ticket for 0.002 BTC, at the relative distance `away` from the last price. */
  ticket(given: Partial<SizedOrderRequest> & { away?: number }): Promise<SizedOrderRequest>;
}

interface OpenTestbed extends TradingTestbed {
  /** Contains the key and the secret of the account. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

async function openTestbed(venue: TradedVenue): Promise<OpenTestbed> {
  const sandbox = await startSandbox({ port: 0, seed: 21 });
  const { rest, key, secret } = sandbox[venue.name];
  const proxy = await openFaultyProxy(rest);
  const reading: PublicExchange = await venue.openReading(sandbox);
  const tradingWith: TradingTestbed['tradingWith'] = (other) =>
    venue.openTrading(sandbox, reading, { rest: proxy.url, ...other });
  const trading = await tradingWith({});
  const market = (await reading.markets()).find(({ pair }) => pair === PAIR) as Market;
  const { assetDecimals } = market;
  let numbers = 0;
  return {
    ...{ sandbox, proxy, trading, market, tradingWith, secrets: [key, secret] },
    async ticket({ away = 0, ...rest }) {
      const [ticker] = await reading.tickers([PAIR]);
      const price = toUnits(Math.round(Number(formatUnits(ticker?.last ?? 0)) * (1 + away)));
      return {
        ...{ clientOrderId: `test01-${++numbers}-1`, pair: PAIR, side: 'buy', type: 'limit_maker', price },
        ...{ quantity: toUnits(0.002, assetDecimals), assetDecimals, exit: false, decidedAt: Date.now() },
        ...rest,
      };
    },
    async close() {
      await trading.close();
      await reading.close();
      await proxy.close();
      await sandbox.close();
    },
  };
}

/**
 * Opens an exchange's signing adapter for the tests of a file, and registers the common tests: unknown outcomes, late orders,
 * secrets.
 */
export function testTradingAdapter(venue: TradedVenue): () => TradingTestbed {
  let opened: OpenTestbed;

  beforeAll(async () => {
    opened = await openTestbed(venue);
  });

  afterEach(() => {
    opened.proxy.decide = null;
  });

  afterAll(() => opened.close());

  test('lost requests and responses are unknown outcomes that the client id resolves', async () => {
    const { proxy, trading, ticket } = opened;
    const lost = await ticket({ away: -0.05 });
    proxy.decide = ({ method }) => (method === 'POST' ? 'lost' : 'pass');
    await expect(trading.place(lost)).rejects.toMatchObject({ kind: 'unknown_outcome' });
    const unanswered = await ticket({ away: -0.05 });
    proxy.decide = ({ method }) => (method === 'POST' ? 'unanswered' : 'pass');
    await expect(trading.place(unanswered)).rejects.toMatchObject({ kind: 'unknown_outcome' });
    proxy.decide = null;
    expect(await trading.order(PAIR, lost.clientOrderId)).toBeNull();
    expect(await trading.order(PAIR, unanswered.clientOrderId)).toMatchObject({ status: 'open' });
    const posts = proxy.passed.filter(
      ({ method, params }) => method === 'POST' && params.get('newClientOrderId') === unanswered.clientOrderId,
    );
    expect(posts).toHaveLength(1);
    // The same order is sent again: the exchange's rejection of a duplicate does not mean that no order exists.
    await expect(trading.place({ ...unanswered, decidedAt: Date.now() })).rejects.toMatchObject({
      kind: 'unknown_outcome',
    });
    await trading.cancel(PAIR, unanswered.clientOrderId);
  });

  test('an order delayed beyond its lifetime does nothing, wherever it was delayed', async () => {
    const { proxy, trading, ticket } = opened;
    const late = await ticket({ away: -0.05, decidedAt: Date.now() - 5_001 });
    await expect(trading.place(late)).rejects.toMatchObject({ kind: 'unreachable' });
    // The proxy holds the request, and the exchange itself must reject the late order.
    const held = await ticket({ away: -0.05, decidedAt: Date.now() - 4_000 });
    const release = Promise.withResolvers<'pass'>();
    proxy.decide = ({ method }) => (method === 'POST' ? { held: release.promise } : 'pass');
    const answer = expect(trading.place(held)).rejects.toMatchObject({ kind: 'unreachable' });
    setTimeout(() => release.resolve('pass'), 1_500);
    await answer;
    expect(await trading.order(PAIR, held.clientOrderId)).toBeNull();
  });

  test('no message, cause or stack of any failure holds key, secret or signature', async () => {
    const { proxy, trading, ticket, tradingWith, market } = opened;
    const key = 'k'.repeat(20);
    const secret = 'wrong'.repeat(12);
    const failures: unknown[] = [];
    const caught = (action: Promise<unknown>) => action.catch((error: unknown) => failures.push(error));
    await caught(trading.place(await ticket({ away: -0.02, quantity: toUnits(50, market.assetDecimals) })));
    proxy.decide = () => 'lost';
    await caught(trading.place(await ticket({ away: -0.05 })));
    await caught(trading.balances());
    await caught(trading.permissions());
    proxy.decide = () => 'unanswered';
    await caught(trading.cancel(PAIR, 'test01-999-1'));
    proxy.decide = null;
    for (const wrong of [await tradingWith({ secret }), await tradingWith({ key })]) {
      await caught(wrong.balances());
      await wrong.close();
    }
    expect(failures).toHaveLength(7);
    for (const failure of failures) {
      const { message, stack, cause } = failure as Error;
      const text = [message, stack, JSON.stringify(cause), JSON.stringify(failure)].join('\n');
      for (const hidden of [...opened.secrets, key, secret, 'signature=']) expect(text).not.toContain(hidden);
    }
  });

  return () => opened;
}
