import { expect, test } from 'vitest';
import { demoKeyOf } from './demoKey.ts';

const ADDRESSES = { rest: 'http://127.0.0.1:1', ws: 'ws://127.0.0.1:1' };
const KEY = { key: 'k', secret: 's' };
const config = { demo: { binance: { ...ADDRESSES, apiKey: KEY }, mexc: ADDRESSES } };

test('a demo venue has the key of its exchange', () => {
  expect(demoKeyOf(config, 'binance-demo')).toEqual(KEY);
});

test.each(['binance', 'binance-testnet', 'binanceusdm-demo', 'mexc-demo', 'nowhere', '__proto__'])(
  '%s has no demo key here',
  (venue) => {
    expect(demoKeyOf(config, venue)).toBeNull();
  },
);
