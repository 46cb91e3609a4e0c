import { describe, expect, test } from 'vitest';
import { CONTRACTS, type Contract } from './contracts.ts';
import { initialMargin, liquidationPrice, maintenance, valueAt } from './margin.ts';

const BTC = CONTRACTS.find(({ symbol }) => symbol === 'BTCUSDT') as Contract;
const UNITS = 100_000_000n;

/** Returns an isolated position of `coins` at `entry`, as liquidationPrice expects it. */
function isolated(coins: number, entry: number, leverage: number, direction: 1 | -1): number {
  const cost = BigInt(Math.round(coins * entry)) * UNITS;
  const held = { contract: BTC, direction, steps: Math.round(coins * 1000), cost };
  return liquidationPrice([held], initialMargin(cost, leverage));
}

describe('the liquidation price', () => {
  test.each([
    [5, 48_192.77, 71_713.15],
    [10, 54_216.87, 65_737.05],
    [20, 57_228.92, 62_749.0],
    [25, 57_831.33, 62_151.39],
    [50, 59_036.14, 60_956.18],
    [125, 59_759.04, 60_239.04],
  ])('0.1 BTC at 60,000 with leverage %d has %d long and %d short', (leverage, long, short) => {
    expect(isolated(0.1, 60_000, leverage, 1)).toBeCloseTo(long, 2);
    expect(isolated(0.1, 60_000, leverage, -1)).toBeCloseTo(short, 2);
  });

  test('a position in the third bracket has the ratio of that bracket', () => {
    expect(isolated(5, 60_000, 20, 1)).toBeCloseTo(57_313.13, 2);
  });

  test('margin balance and maintenance are equal there, in hedge mode too', () => {
    const long = { contract: BTC, direction: 1, steps: 2_000, cost: 120_000n * UNITS } as const;
    const short = { contract: BTC, direction: -1, steps: 700, cost: 43_000n * UNITS } as const;
    for (const held of [[long], [short], [long, short]]) {
      const wallet = 9_000n * UNITS;
      const price = liquidationPrice(held, wallet);
      const mark = Math.round(price * 1e8);
      let balance = wallet;
      let needed = 0n;
      for (const { contract, direction, steps, cost } of held) {
        const value = valueAt(contract, mark, steps);
        balance += BigInt(direction) * (value - cost);
        needed += maintenance(contract, value);
      }
      // One unit of price changes the balance by the value of some steps.
      expect(Math.abs(Number(balance - needed))).toBeLessThan(1000);
    }
  });

  test('there is none when the margin covers every price', () => {
    const cost = 60_000n * UNITS;
    const held = { contract: BTC, direction: 1, steps: 1_000, cost } as const;
    expect(liquidationPrice([held], 2n * cost)).toBe(0);
  });
});

test('maintenance has no jump between brackets', () => {
  for (const contract of CONTRACTS) {
    for (const { notionalCap } of contract.brackets.slice(0, -1)) {
      const edge = BigInt(notionalCap) * UNITS;
      expect(maintenance(contract, edge + 1n) - maintenance(contract, edge)).toBeLessThanOrEqual(1n);
    }
  }
});

test("maintenance of 250,000 in the second bracket is that of Binance's help page", () => {
  // 250,000 × (1 % − 0.5 %) + 50 = 1,300
  expect(BTC.brackets[2]?.cum).toBe(1300);
  expect(BTC.brackets.at(-1)?.cum).toBe(100_016_300);
});
