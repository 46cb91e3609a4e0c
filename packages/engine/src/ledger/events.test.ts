import { describe, expect, test } from 'vitest';
import { type Market, marketOf } from '../market/market.ts';
import { formatUnits, toUnits } from '../money/units.ts';
import { type Account, accountEquity, openAccount } from './account.ts';
import { applyLedgerEvent, type LedgerEvent } from './events.ts';
import { emptyHolding, type Holding } from './holding.ts';

const market: Market = marketOf({
  pair: 'BTC-USDT',
  tickSize: 0.1,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1000,
  minNotional: 5,
});
const asset = (value: number) => toUnits(value, market.assetDecimals);
const account = (kind: 'spot' | 'futures', paper = false): Account =>
  openAccount({ kind, paper, currency: 'USDT' }, [market], toUnits(10_000));
const holding = ({ holdings }: Account) => holdings['BTC-USDT'] as Holding;

let number = 0;
const fill = (side: 'buy' | 'sell', price: number, quantity: number): LedgerEvent => {
  const base = { type: 'fill', id: `t${number++}`, at: 0, pair: 'BTC-USDT', order: 'o', intent: 'i' } as const;
  const size = { price: toUnits(price), quantity: asset(quantity) };
  return { ...base, side, ...size, liquidity: 'taker', fee: 0, feeAsset: 'USDT' };
};
const adjust = (quantity: number, price: number): LedgerEvent => ({
  type: 'adjust',
  id: `a${number++}`,
  at: 0,
  pair: 'BTC-USDT',
  quantityDelta: asset(quantity),
  price: toUnits(price),
  why: 'external',
});

describe('ledger events', () => {
  test('an external reduction of spot realises at the mark and transfers the asset', () => {
    const spot = account('spot');
    applyLedgerEvent(spot, fill('buy', 60_000, 0.1));
    applyLedgerEvent(spot, adjust(-0.04, 65_000));
    expect(formatUnits(holding(spot).realised)).toBe('200');
    expect(formatUnits(spot.wallet.quote)).toBe('4000');
    expect(formatUnits(spot.wallet.transfers)).toBe('-2600');
    expect(formatUnits(accountEquity(spot, { 'BTC-USDT': toUnits(65_000) }))).toBe('7900');
  });

  test('an external reduction of futures realises at the mark into the wallet', () => {
    const futures = account('futures');
    applyLedgerEvent(futures, fill('sell', 60_000, 0.1));
    applyLedgerEvent(futures, adjust(-0.04, 65_000));
    expect(formatUnits(holding(futures).realised)).toBe('-200');
    expect(formatUnits(futures.wallet.quote)).toBe('9800');
    expect(formatUnits(holding(futures).quantity, market.assetDecimals)).toBe('0.06');
    applyLedgerEvent(futures, adjust(0.04, 65_000));
    expect(formatUnits(holding(futures).entryPrice)).toBe('62000');
  });

  test('a transfer is no result, and another asset does not change the quote balance', () => {
    const spot = account('spot');
    const transfer = (asset: string, amount: number): LedgerEvent => ({
      type: 'transfer',
      id: `x${number++}`,
      at: 0,
      asset,
      amount: toUnits(amount),
      source: 'deposit',
    });
    applyLedgerEvent(spot, transfer('USDT', 500));
    applyLedgerEvent(spot, transfer('BNB', 2));
    expect(formatUnits(spot.wallet.quote)).toBe('10500');
    expect(formatUnits(spot.wallet.transfers)).toBe('500');
    expect(spot.wallet.third).toEqual({ BNB: toUnits(2) });
  });

  test('a liquidation books its loss, and insurance covers what the wallet cannot pay', () => {
    const futures = account('futures', true);
    const base = { at: 0, pair: 'BTC-USDT' } as const;
    applyLedgerEvent(futures, { type: 'leverage', id: '1', ...base, leverage: 50, isolated: true });
    applyLedgerEvent(futures, fill('buy', 60_000, 1));
    expect(formatUnits(holding(futures).margin)).toBe('1200');
    applyLedgerEvent(futures, {
      type: 'liquidation',
      id: '2',
      ...base,
      quantity: asset(1),
      price: toUnits(58_800),
      fee: 0,
      lost: toUnits(10_300),
      insurance: toUnits(300),
    });
    expect(holding(futures)).toEqual({
      ...emptyHolding(),
      leverage: 50,
      isolated: true,
      realised: toUnits(-10_300),
    });
    expect([futures.wallet.quote, futures.wallet.insurance]).toEqual([0, toUnits(300)]);
  });

  test('a payment below zero is covered in a paper wallet, not in a live one', () => {
    for (const paper of [true, false]) {
      const futures = account('futures', paper);
      applyLedgerEvent(futures, fill('buy', 60_000, 1));
      applyLedgerEvent(futures, {
        type: 'funding',
        id: 'f',
        at: 0,
        pair: 'BTC-USDT',
        amount: toUnits(-10_100),
        rate: 0,
        mark: toUnits(60_000),
        quantity: asset(1),
      });
      expect(formatUnits(futures.wallet.quote)).toBe(paper ? '0' : '-100');
      expect(formatUnits(futures.wallet.insurance)).toBe(paper ? '100' : '0');
    }
  });

  test('an externally changed leverage moves margin, not money', () => {
    const futures = account('futures');
    applyLedgerEvent(futures, fill('buy', 60_000, 0.5));
    const found = { type: 'leverage', id: 'l', at: 0, pair: 'BTC-USDT', leverage: 20, isolated: true } as const;
    applyLedgerEvent(futures, found);
    expect(formatUnits(holding(futures).margin)).toBe('1500');
    expect(formatUnits(futures.wallet.quote)).toBe('10000');
  });

  test('an event of an unknown pair is rejected', () => {
    expect(() => applyLedgerEvent(account('spot'), { ...fill('buy', 1, 1), pair: 'ETH-USDT' } as LedgerEvent)).toThrow(
      'ETH-USDT',
    );
  });
});
