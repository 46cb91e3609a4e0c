import { expect, test } from 'vitest';
import { loadBinance, loadMexc } from '../src/ccxt/library.ts';
import { CREDENTIALS, publicOnly } from '../src/ccxt/publicOnly.ts';

const Binance = await loadBinance();

const notHere = () => {
  throw new Error('nothing is dialled');
};

function open() {
  const requests: string[] = [];
  const Public = publicOnly(Binance, 'binance', {
    origins: new Map([['https://api.binance.com', 'http://127.0.0.1:1']]),
    stream: 'ws://127.0.0.1:1/stream/',
    makeSocket: notHere,
    async fetch(url) {
      requests.push(url);
      return new Response('{}', { headers: { 'content-type': 'application/json' } });
    },
  });
  return { exchange: new Public({ enableRateLimit: false }), requests };
}

/** Every endpoint of the library's own table, as `[api, method, path]`. */
function endpoints(api: Record<string, unknown>): [string, string, string][] {
  return Object.entries(api).flatMap(([name, methods]) =>
    Object.entries(methods as Record<string, Record<string, unknown> | string[]>).flatMap(([method, paths]) =>
      (Array.isArray(paths) ? paths : Object.keys(paths)).map((path): [string, string, string] => [
        name,
        method.toUpperCase(),
        path,
      ]),
    ),
  );
}

test('of all endpoints that the library knows, only public reads get as far as an address', () => {
  const { exchange } = open();
  const all = endpoints(exchange.api);
  const open_ = all.filter(([api, method, path]) => {
    try {
      exchange.sign(path, api, method, {});
      return true;
    } catch {
      return false;
    }
  });
  expect(all.length).toBeGreaterThan(500);
  expect(open_.length).toBeGreaterThan(5);
  expect(open_.every(([api, method]) => api === 'public' && method === 'GET')).toBe(true);
});

test('of a venue whose endpoints come in sections, only public reads get as far as an address', async () => {
  const Public = publicOnly(await loadMexc(), 'mexc', {
    origins: new Map(),
    stream: 'ws://127.0.0.1:1/ws',
    fetch: () => Promise.reject(new Error('nothing is sent')),
    makeSocket: notHere,
  });
  const exchange = new Public({ enableRateLimit: false });
  const all = Object.entries(exchange.api).flatMap(([section, parts]) =>
    endpoints(parts as Record<string, unknown>).map(([access, method, path]) => ({ section, access, method, path })),
  );
  const open_ = all.filter(({ section, access, method, path }) => {
    try {
      exchange.sign(path, [section, access], method, {});
      return true;
    } catch {
      return false;
    }
  });
  expect(all.length).toBeGreaterThan(100);
  expect(open_.length).toBeGreaterThan(10);
  expect(open_.every(({ access, method }) => access === 'public' && method === 'GET')).toBe(true);
});

test.each([
  ['createOrder', ['BTC/USDT', 'limit', 'buy', 1, 1]],
  ['createOrderWs', ['BTC/USDT', 'limit', 'buy', 1, 1]],
  ['cancelOrder', ['1', 'BTC/USDT']],
  ['fetchBalance', []],
  ['fetchMyTrades', ['BTC/USDT']],
  ['withdraw', ['BTC', 1, 'address']],
  ['watchBalance', []],
  ['watchOrders', []],
])('%s throws and sends nothing', async (method, args) => {
  const { exchange, requests } = open();
  const market = {
    id: 'BTCUSDT',
    lowercaseId: 'btcusdt',
    symbol: 'BTC/USDT',
    base: 'BTC',
    quote: 'USDT',
    baseId: 'BTC',
    quoteId: 'USDT',
    type: 'spot',
    spot: true,
    active: true,
    precision: { price: 0.01, amount: 0.01 },
    limits: {},
    info: { orderTypes: ['LIMIT'] },
  };
  (exchange as unknown as { setMarkets(markets: object[]): void }).setMarkets([market]);
  const call = (exchange as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>)[method];
  await expect((async () => call?.apply(exchange, args))()).rejects.toThrow();
  expect(requests).toEqual([]);
});

test('no key can be given to it, at birth or later', () => {
  const { exchange } = open();
  const fields = exchange as unknown as Record<string, unknown>;
  for (const field of CREDENTIALS) {
    expect(fields[field]).toBe('');
    expect(() => {
      fields[field] = 'key';
    }).toThrow(TypeError);
  }
  expect(() => exchange.hmac('text', 'key')).toThrow('cannot sign');
  expect(() => exchange.signParams({})).toThrow('cannot sign');
});

test('it reaches no host but those it was given', async () => {
  const { exchange, requests } = open();
  await expect(
    exchange.fetchImplementation('https://evil.example/api', { method: 'GET', headers: {} }),
  ).rejects.toThrow('not a host');
  expect(() => exchange.client('wss://ws-api.binance.com:443/ws-api/v3')).toThrow('cannot open');
  expect(requests).toEqual([]);
});
