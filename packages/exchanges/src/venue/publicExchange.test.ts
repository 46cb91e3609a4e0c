import { expect, test } from 'vitest';
import { openBinance } from '../binance/public.ts';
import type { VenueNet } from '../net/venueNet.ts';
import { BINANCE_RECORDINGS } from '../testing/recordings/binance.ts';
import { bodyOf } from '../testing/recordings/recording.ts';
import { type AssetUnits, openAssetUnits } from './assetUnits.ts';

const HOUR = 3_600_000;
const { rest } = BINANCE_RECORDINGS;
const { symbols } = bodyOf<{ symbols: readonly object[] }>(rest, 'GET /api/v3/exchangeInfo');
const figures = bodyOf(rest, 'GET /api/v3/ticker/24hr');

/** Opens Binance as it lists `coins` against USDT; like Binance, it refuses a request that names any other pair. */
async function binanceWith(coins: readonly string[]) {
  const listed = new Set(coins);
  const requested: string[] = [];
  let now = 1_700_000_000_000;

  function answer({ pathname, searchParams }: URL): object {
    if (pathname === '/api/v3/time') return { serverTime: now };
    if (pathname === '/api/v3/exchangeInfo') {
      const row = (coin: string) => ({ ...symbols[0], symbol: `${coin}USDT`, baseAsset: coin, quoteAsset: 'USDT' });
      return { symbols: [...listed].map(row) };
    }
    const one = searchParams.get('symbol');
    const named: string[] = one === null ? JSON.parse(searchParams.get('symbols') ?? '[]') : [one];
    requested.push(...named);
    const isKnown = named.every((symbol) => listed.has(symbol.replace('USDT', '')));
    if (!isKnown) return { code: -1121, msg: 'Invalid symbol.' };
    const rows = named.map((symbol) => ({ ...figures, symbol }));
    return one === null ? rows : (rows[0] ?? {});
  }

  const net = {
    hosts: { rest: ['https://venue.test'] },
    fault: () => null,
    async send(_scope: string, url: string) {
      const body = answer(new URL(url));
      return new Response(JSON.stringify(body), { status: 'code' in body ? 400 : 200 });
    },
  } as unknown as VenueNet;
  const exchange = await openBinance({ net, now: () => now });
  return {
    ...{ exchange, listed, requested },
    pass(ms: number) {
      now += ms;
    },
  };
}

test.each([
  ['a few pairs', ['BTC', 'ETH']],
  ['many pairs', ['BTC', 'ETH', ...Array.from({ length: 12 }, (_, n) => `A${n}`)]],
])('a pair that was delisted since the list was read hides no other of %s', async (_, coins) => {
  const { exchange, listed, requested, pass } = await binanceWith(coins);
  const pairs = coins.map((coin) => `${coin}-USDT`);
  const read = async () => (await exchange.tickers(pairs)).map(({ pair }) => pair);
  expect(await read()).toEqual(pairs);
  listed.delete('ETH');
  pass(HOUR / 2);
  const others = pairs.filter((pair) => pair !== 'ETH-USDT');
  expect(await read()).toEqual(others);
  // From then on the pair is not requested.
  requested.length = 0;
  expect(await read()).toEqual(others);
  expect(requested).not.toContain('ETHUSDT');
});

test('tickers of a pair that was never listed are refused, and of delisted pairs only they are empty', async () => {
  const { exchange, listed, pass } = await binanceWith(['BTC', 'ETH']);
  await expect(exchange.tickers(['BTC-USDT', 'NOPE-USDT'])).rejects.toMatchObject({ kind: 'misused' });
  listed.delete('ETH');
  pass(HOUR);
  expect(await exchange.tickers(['ETH-USDT'])).toEqual([]);
});

/** Opens Binance with one pair whose step size can change, and with units that outlast it. */
async function binanceWithStep(units: AssetUnits, stepSize: string) {
  const state = { stepSize, now: 1_700_000_000_000 };
  const answer = ({ pathname }: URL): object => {
    if (pathname === '/api/v3/time') return { serverTime: state.now };
    const filters = [
      { filterType: 'PRICE_FILTER', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', stepSize: state.stepSize, minQty: state.stepSize, maxQty: '1000' },
      { filterType: 'NOTIONAL', minNotional: '1' },
    ];
    return { symbols: [{ ...symbols[0], symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT', filters }] };
  };
  const net = {
    hosts: { rest: ['https://venue.test'] },
    fault: () => null,
    send: async (_scope: string, url: string) => new Response(JSON.stringify(answer(new URL(url)))),
  } as unknown as VenueNet;
  const exchange = await openBinance({ net, now: () => state.now, units });
  return { state, exchange };
}

const PAIR = 'BTC-USDT';

test('a pair that does not fit its unit is halted before and after a restart', async () => {
  const units = openAssetUnits();
  const { exchange, state } = await binanceWithStep(units, '1');
  expect((await exchange.markets()).map(({ assetDecimals }) => assetDecimals)).toEqual([4]);
  state.stepSize = '0.00001';
  state.now += HOUR;
  const restarted = (await binanceWithStep(units, '0.00001')).exchange;
  for (const open of [exchange, restarted]) {
    expect(await open.markets()).toEqual([]);
    expect((await open.markets(PAIR)).map(({ assetDecimals }) => assetDecimals)).toEqual([4]);
    expect(await open.suspended?.([PAIR])).toEqual(new Map([[PAIR, 'halted']]));
  }
});

test('a pair gets a finer unit when it has not fitted its own for two hours', async () => {
  const decimals = new Map([[PAIR, 4]]);
  const refined: number[] = [];
  const units: AssetUnits = {
    reserve: async () => decimals,
    async refine(finer) {
      refined.push(finer.get(PAIR) ?? 0);
      return finer;
    },
  };
  const { exchange, state } = await binanceWithStep(units, '0.00001');
  for (let hour = 0; hour < 2; hour += 1) {
    expect(await exchange.markets()).toEqual([]);
    state.now += HOUR;
  }
  expect(refined).toEqual([]);
  expect((await exchange.markets()).map(({ assetDecimals }) => assetDecimals)).toEqual([8]);
  expect(refined).toEqual([8]);
});

test('a pair that cannot be traded gets no unit', async () => {
  const units = openAssetUnits();
  const { exchange } = await binanceWithStep(units, '0.000000001');
  expect(await exchange.markets(PAIR)).toEqual([]);
  expect(await units.reserve(new Map())).toEqual(new Map());
});
