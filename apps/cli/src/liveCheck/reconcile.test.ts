import type { OwnFill } from '@heron/engine/live/report.ts';
import { marketOf } from '@heron/engine/market/market.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactOf, exactText } from './exactAmounts.ts';
import { reconcile } from './reconcile.ts';

const market = marketOf({
  ...{ pair: 'BTC-USDT', tickSize: 0.01, stepSize: 0.00001, minQuantity: 0.00001, maxQuantity: 9_000, minNotional: 5 },
});

const fill = (given: Partial<OwnFill>): OwnFill => ({
  ...{ id: '1', at: 0, pair: 'BTC-USDT', clientOrderId: 'a', side: 'buy', price: 9_176_507_000_000, quantity: 8_000 },
  ...{ fee: 8, feeAsset: 'BTC', liquidity: 'taker', exit: false, ...given },
});

const balance = (asset: string, free: string, locked = '0') => ({ asset, free, locked });

test('a decimal amount is the same after it was read and written', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (units) => {
      expect(exactOf(exactText(units))).toBe(units);
    }),
    { seed: 4, numRuns: 500 },
  );
  expect(exactText(exactOf('21.94210356004384'))).toBe('21.94210356004384');
  expect(() => exactOf('1e3')).toThrow(TypeError);
});

const before = [balance('USDT', '1000', '5'), balance('BTC', '1')];

test.each([
  { usdt: '992.6587944', btc: '1.00007992', verdicts: ['exact', 'exact'] },
  { usdt: '992.65879439', btc: '1.00007992', verdicts: ['rounded', 'exact'] },
  { usdt: '992.65', btc: '1.00007992', verdicts: ['differs', 'exact'] },
  { usdt: '992.6587944', btc: '1.00008', verdicts: ['exact', 'differs'] },
])('a buy of 0.00008 with its fee in the coin makes $usdt and $btc $verdicts', ({ usdt, btc, verdicts }) => {
  const after = [balance('USDT', usdt, '5'), balance('BTC', btc)];
  const lines = reconcile({ market, isFuture: false, before, after, fills: [fill({})], incomes: [] });
  expect(lines.map(({ verdict }) => verdict)).toEqual(verdicts);
});

test('a fee in a third asset is taken from that asset', () => {
  const after = [balance('USDT', '992.6587944', '5'), balance('BTC', '1.00008'), balance('BNB', '0.9')];
  const fills = [fill({ fee: 10_000_000, feeAsset: 'BNB' })];
  const lines = reconcile({
    market,
    isFuture: false,
    before: [...before, balance('BNB', '1')],
    after,
    fills,
    incomes: [],
  });
  expect(lines.map(({ asset, verdict }) => `${asset} ${verdict}`)).toEqual(['USDT exact', 'BTC exact', 'BNB exact']);
});

test('a wallet of futures changes by profit, fees and funding, not by what was traded', () => {
  const fills = [fill({ fee: 100, feeAsset: 'USDT' }), fill({ side: 'sell', pnl: -250, fee: 100, feeAsset: 'USDT' })];
  const incomes = [{ type: 'funding', id: '1', at: 0, pair: 'BTC-USDT', amount: 7 } as const];
  const after = [balance('USDT', '999.99999557', '5')];
  expect(reconcile({ market, isFuture: true, before, after, fills, incomes })).toEqual([
    { asset: 'USDT', expected: '-0.00000443', actual: '-0.00000443', difference: '0', verdict: 'exact' },
  ]);
});
