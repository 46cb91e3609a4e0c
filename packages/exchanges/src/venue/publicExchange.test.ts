import { expect, test } from 'vitest';
import { openBinance } from '../binance/public.ts';
import type { VenueNet } from '../net/venueNet.ts';
import { BINANCE_RECORDINGS } from '../testing/recordings/binance.ts';
import { bodyOf } from '../testing/recordings/recording.ts';

const HOUR = 3_600_000;
const { rest } = BINANCE_RECORDINGS;
const { symbols } = bodyOf<{ symbols: readonly object[] }>(rest, 'GET /api/v3/exchangeInfo');
const figures = bodyOf(rest, 'GET /api/v3/ticker/24hr');

/** Opens Binance as it lists `coins` against USDT; like Binance, it refuses a request that names any other pair. */
async function binanceWith(coins: readonly string[]) {
  const listed = new Set(coins);
  const asked: string[] = [];
  let now = 1_700_000_000_000;

  function answer({ pathname, searchParams }: URL): object {
    if (pathname === '/api/v3/time') return { serverTime: now };
    if (pathname === '/api/v3/exchangeInfo') {
      const row = (coin: string) => ({ ...symbols[0], symbol: `${coin}USDT`, baseAsset: coin, quoteAsset: 'USDT' });
      return { symbols: [...listed].map(row) };
    }
    const one = searchParams.get('symbol');
    const named: string[] = one === null ? JSON.parse(searchParams.get('symbols') ?? '[]') : [one];
    asked.push(...named);
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
    ...{ exchange, listed, asked },
    pass(ms: number) {
      now += ms;
    },
  };
}

test.each([
  ['a few pairs', ['BTC', 'ETH']],
  ['many pairs', ['BTC', 'ETH', ...Array.from({ length: 12 }, (_, n) => `A${n}`)]],
])('a pair that was delisted since the list was read hides no other of %s', async (_, coins) => {
  const { exchange, listed, asked, pass } = await binanceWith(coins);
  const pairs = coins.map((coin) => `${coin}-USDT`);
  const read = async () => (await exchange.tickers(pairs)).map(({ pair }) => pair);
  expect(await read()).toEqual(pairs);
  listed.delete('ETH');
  pass(HOUR / 2);
  const others = pairs.filter((pair) => pair !== 'ETH-USDT');
  expect(await read()).toEqual(others);
  // From then on the pair is not requested.
  asked.length = 0;
  expect(await read()).toEqual(others);
  expect(asked).not.toContain('ETHUSDT');
});

test('tickers of a pair that was never listed are refused, and of delisted pairs only they are empty', async () => {
  const { exchange, listed, pass } = await binanceWith(['BTC', 'ETH']);
  await expect(exchange.tickers(['BTC-USDT', 'NOPE-USDT'])).rejects.toMatchObject({ kind: 'misused' });
  listed.delete('ETH');
  pass(HOUR);
  expect(await exchange.tickers(['ETH-USDT'])).toEqual([]);
});
