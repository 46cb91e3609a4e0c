import { describe, expect, test } from 'vitest';
import { type Market, marketOf } from '../market/market.ts';
import { formatUnits, mulDiv, percentRatio, SCALE, toUnits } from '../money/units.ts';
import { FALLBACK_BRACKETS } from './brackets.ts';
import { bookFunding } from './funding.ts';
import { bookFuturesFill } from './futures.ts';
import { closeEntryCount, emptyHolding, unrealised } from './holding.ts';
import { liquidateCross, liquidateIsolated } from './liquidation.ts';
import { isolatedLiquidationPrice } from './liquidationPrice.ts';
import {
  availableMargin,
  initialMargin,
  type MarginAccount,
  maintenanceMargin,
  orderMargin,
  sizingMargin,
} from './margin.ts';
import { openWallet } from './wallet.ts';

const market: Market = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.1,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1000,
  minNotional: 100,
});
const asset = (value: number) => toUnits(value, market.assetDecimals);

/** Creates a wallet with one position in BTC-USDT. */
function deskOf(capital: number, leverage: number, isolated: boolean) {
  const holding = { ...emptyHolding(), leverage, isolated };
  const wallet = openWallet(toUnits(capital));
  const at = (mark: number): MarginAccount => ({
    wallet,
    positions: [{ holding, market, mark: toUnits(mark), brackets: FALLBACK_BRACKETS }],
    orderMargins: 0,
  });
  const fill = (side: 'buy' | 'sell', price: number, quantity: number, feePercent: number) => {
    const value = mulDiv(toUnits(price), asset(quantity), 10 ** market.assetDecimals);
    const fee = mulDiv(value, percentRatio(feePercent), SCALE, 'up');
    return bookFuturesFill(wallet, holding, market, {
      side,
      price: toUnits(price),
      quantity: asset(quantity),
      fee,
      feeAsset: 'USDT',
    });
  };
  return { holding, wallet, at, fill };
}

describe('futures margin', () => {
  test('reproduces the worked example of docs/accounting.md#example-futures exactly', () => {
    const { holding, wallet, at, fill } = deskOf(10_000, 10, true);
    fill('buy', 60_000, 0.33, 0.1);
    expect(formatUnits(wallet.quote)).toBe('9980.2');
    expect(formatUnits(holding.margin)).toBe('1980');
    expect(formatUnits(sizingMargin(at(60_000)))).toBe('8000.2');
    const price = isolatedLiquidationPrice(market, holding, FALLBACK_BRACKETS) ?? 0;
    expect(price / SCALE).toBeCloseTo(54_216.87, 2);
    fill('sell', 61_200, 0.165, 0.1);
    expect(formatUnits(wallet.quote)).toBe('10168.102');
    expect(formatUnits(holding.margin)).toBe('990');
    const funding = bookFunding(wallet, holding, market, toUnits(61_000), percentRatio(0.01));
    expect(formatUnits(funding)).toBe('-1.0065');
    const { feeQuote } = fill('sell', 60_936, 0.165, 0.1);
    closeEntryCount(holding);
    expect(formatUnits(feeQuote)).toBe('10.05444');
    expect(formatUnits(holding.realised)).toBe('311.48106');
    expect(formatUnits(wallet.quote)).toBe('10311.48106');
    expect(holding.quantity).toBe(0);
    expect(holding.margin).toBe(0);
  });

  test('counts cross losses in both, cross gains only as available, isolated in neither', () => {
    const cross = deskOf(10_000, 10, false);
    cross.fill('buy', 60_000, 0.1, 0);
    // 10,000 ± 100 − 0.1·mark/10
    expect(formatUnits(availableMargin(cross.at(61_000)))).toBe('9490');
    expect(formatUnits(sizingMargin(cross.at(61_000)))).toBe('9390');
    expect(formatUnits(availableMargin(cross.at(59_000)))).toBe('9310');
    expect(formatUnits(sizingMargin(cross.at(59_000)))).toBe('9310');
    const isolated = deskOf(10_000, 10, true);
    isolated.fill('buy', 60_000, 0.1, 0);
    for (const mark of [55_000, 65_000]) {
      expect(formatUnits(availableMargin(isolated.at(mark)))).toBe('9400');
      expect(formatUnits(sizingMargin(isolated.at(mark)))).toBe('9400');
    }
  });

  test('requires maintenance by the level of the value at mark', () => {
    const { at, fill } = deskOf(1_000_000, 20, false);
    fill('sell', 60_000, 5, 0);
    const [position] = at(70_000).positions;
    if (!position) throw new Error('one');
    // 350,000·1 % − 1,300
    expect(formatUnits(maintenanceMargin(position))).toBe('2200');
    expect(formatUnits(initialMargin(position))).toBe('17500');
    expect(formatUnits(unrealised(market, position.holding, position.mark))).toBe('-50000');
  });

  test('reserves margin, immediate loss and fee of an open entry order', () => {
    const fee = percentRatio(0.1);
    const margin = (side: 'buy' | 'sell', price: number, mark: number) =>
      formatUnits(
        orderMargin({
          market,
          side,
          price: toUnits(price),
          rest: asset(0.1),
          last: toUnits(60_000),
          mark: toUnits(mark),
          leverage: 10,
          fee,
        }),
      );
    expect(margin('buy', 60_000, 60_000)).toBe('606');
    // 0.1·60,100/10 + 0.1·100 + 6.01
    expect(margin('buy', 60_100, 60_000)).toBe('617.01');
    expect(margin('buy', 59_000, 60_000)).toBe('595.9');
    // The assumed price is at least 0.15 % above the last price: 60,090.
    expect(margin('sell', 60_000, 60_000)).toBe('606.909');
    expect(margin('sell', 60_000, 60_200)).toBe('628.02');
    expect(margin('sell', 61_000, 60_000)).toBe('616.1');
  });
});

describe('paper liquidation', () => {
  test('of an isolated position takes its margin at the bankruptcy price', () => {
    const { holding, wallet, at, fill } = deskOf(10_000, 10, true);
    fill('buy', 60_000, 0.33, 0.1);
    const [position] = at(54_000).positions;
    if (!position) throw new Error('one');
    const done = liquidateIsolated(wallet, position);
    expect(done).toEqual({
      pair: 'BTC-USDT',
      quantity: asset(0.33),
      price: toUnits(54_000),
      fee: 0,
      lost: toUnits(1_980),
      insurance: 0,
    });
    expect(formatUnits(wallet.quote)).toBe('8000.2');
    expect(formatUnits(holding.realised)).toBe('-1999.8');
    expect(holding.quantity).toBe(0);
  });

  test('closes all cross positions at marks with both fees; insurance covers the rest', () => {
    const { holding, wallet, at, fill } = deskOf(1_000, 10, false);
    fill('buy', 60_000, 0.1, 0);
    const [done] = liquidateCross(at(50_000), percentRatio(0.05), percentRatio(1.25));
    // −1,000 − 5,000·1.3 %
    expect(formatUnits(done?.lost ?? 0)).toBe('1065');
    expect(formatUnits(done?.fee ?? 0)).toBe('65');
    expect(formatUnits(done?.insurance ?? 0)).toBe('65');
    expect(wallet.quote).toBe(0);
    expect(formatUnits(wallet.insurance)).toBe('65');
    expect(formatUnits(holding.realised)).toBe('-1065');
  });

  test('of cross positions leaves the margins of isolated ones', () => {
    const cross = deskOf(3_000, 10, false);
    cross.fill('buy', 60_000, 0.2, 0);
    const isolated = { ...emptyHolding(), leverage: 10, isolated: true };
    const order = { price: toUnits(60_000), quantity: asset(0.2), fee: 0, feeAsset: 'USDT' };
    bookFuturesFill(cross.wallet, isolated, market, { ...order, side: 'buy' });
    const account = cross.at(52_000);
    const aside = { market, holding: isolated, mark: toUnits(52_000), brackets: FALLBACK_BRACKETS };
    const done = liquidateCross({ ...account, positions: [aside, ...account.positions] }, 0, percentRatio(1.25));
    // 3,000 − 1,600 − 130 leaves 1,270, of which 1,200 are isolated margin.
    expect(done.map(({ insurance }) => insurance)).toEqual([0]);
    expect(formatUnits(cross.wallet.quote)).toBe('1270');
    cross.fill('buy', 52_000, 0.1, 0);
    liquidateCross({ ...cross.at(50_000), positions: [aside, ...cross.at(50_000).positions] }, 0, percentRatio(1.25));
    // 1,270 − 200 − 62.5 would leave 1,007.5.
    expect(formatUnits(cross.wallet.quote)).toBe('1200');
    expect(formatUnits(cross.wallet.insurance)).toBe('192.5');
    expect(isolated.quantity).toBe(asset(0.2));
  });

  test('of an isolated position without margin takes nothing more, and insurance pays', () => {
    const eaten = deskOf(10_000, 10, true);
    eaten.fill('buy', 60_000, 0.1, 0);
    bookFunding(eaten.wallet, eaten.holding, market, toUnits(60_000), percentRatio(12));
    const [position] = eaten.at(60_000).positions;
    if (!position) throw new Error('one');
    expect(formatUnits(eaten.holding.margin)).toBe('-120');
    expect(liquidateIsolated(eaten.wallet, position).lost).toBe(0);
    expect(formatUnits(eaten.wallet.quote)).toBe('9280');
    const poor = deskOf(1_000, 10, true);
    poor.fill('buy', 60_000, 0.1, 0);
    poor.wallet.quote = toUnits(500);
    const [lacking] = poor.at(54_000).positions;
    if (!lacking) throw new Error('one');
    expect(formatUnits(liquidateIsolated(poor.wallet, lacking).insurance)).toBe('100');
    expect([poor.wallet.quote, formatUnits(poor.wallet.insurance)]).toEqual([0, '100']);
  });
});
