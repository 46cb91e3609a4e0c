import { type Account, accountEquity } from '@heron/engine/ledger/account.ts';
import { applyLedgerEvent, type LedgerEvent } from '@heron/engine/ledger/events.ts';
import { type Holding, unrealised } from '@heron/engine/ledger/holding.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { SCALE } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountOf, eventsOf, finalMarks, type History, history } from '../../ledgerArbitraries.ts';
import { RUNS } from '../runs.ts';

describe.each(['spot', 'futures'] as const)('%s equity', (kind) => {
  test('I-4: less start and transfers it is realised plus open results plus third fees', () => {
    fc.assert(
      fc.property(history(kind, { adjusts: true }), (given) => {
        const account = accountOf(given);
        const marks: Record<string, number> = {};
        // Σpnl − Σfees + Σfunding, summed independently of the ledger.
        let results = 0;
        for (const step of given.steps) {
          if ('mark' in step) marks[step.pair] = step.mark;
          else {
            const before = realisedOf(account);
            applyLedgerEvent(account, step.event);
            results += realisedOf(account) - before;
          }
          const { wallet } = account;
          const gained = accountEquity(account, marks) - wallet.start - wallet.transfers;
          expect(gained).toBe(results + openOf(account, marks) + wallet.thirdFees);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('I-5: a fill at the mark changes it by exactly the fee', () => {
    fc.assert(
      fc.property(history(kind), (given) => {
        const account = accountOf(given);
        const marks: Record<string, number> = {};
        for (const step of given.steps) {
          if ('mark' in step) {
            marks[step.pair] = step.mark;
            continue;
          }
          const { event } = step;
          const before = exactEquity(account, marks, given);
          applyLedgerEvent(account, event);
          if (event.type === 'fill')
            expect(exactEquity(account, marks, given) - before).toBe(-feeInside(account, event));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('futures results', () => {
  test('I-4: they are Σ(exit − entry)·quantity less fees plus funding, independently', () => {
    fc.assert(
      fc.property(history('futures', { transfers: false }), (given) => {
        const account = accountOf(given);
        const cash = new Map<string, bigint>();
        let feesAndFunding = 0;
        for (const event of eventsOf(given)) {
          applyLedgerEvent(account, event);
          feesAndFunding += feeOrFunding(event);
          if (event.type === 'fill') cash.set(event.pair, (cash.get(event.pair) ?? 0n) + tradedCash(event));
        }
        const marks = finalMarks(given);
        const results = given.listed.reduce((sum, { market }) => {
          const mark = marks[market.pair] ?? 0;
          return sum + resultOf(market, holdingIn(account, market), cash.get(market.pair) ?? 0n, mark);
        }, 0n);
        expect(accountEquity(account, marks)).toBe(given.capital + Number(results) + feesAndFunding);
      }),
      { numRuns: RUNS },
    );
  });
});

function realisedOf({ holdings }: Account): number {
  return Object.values(holdings).reduce((sum, { realised }) => sum + realised, 0);
}

function openOf({ holdings, markets }: Account, marks: Record<string, number>): number {
  return Object.entries(holdings).reduce((sum, [pair, holding]) => {
    const market = markets[pair] as Market;
    return sum + unrealised(market, holding, marks[pair] ?? 0);
  }, 0);
}

type Fill = Extract<LedgerEvent, { type: 'fill' }>;

/** Returns the proceeds of a sale, or the negative cost of a buy, in products of units. */
function tradedCash({ side, price, quantity }: Fill): bigint {
  return (side === 'buy' ? -1n : 1n) * BigInt(price) * BigInt(quantity);
}

/** Returns the change of the wallet by a fee or a funding. */
function feeOrFunding(event: LedgerEvent): number {
  if (event.type === 'funding') return event.amount;
  return event.type === 'fill' && event.feeAsset === 'USDT' ? -event.fee : 0;
}

function holdingIn({ holdings }: Account, { pair }: Market): Holding {
  return holdings[pair] as Holding;
}

/** Returns Σ(exit − entry)·quantity of a pair, from the cash of its trades and its open position at the mark. */
function resultOf(market: Market, { side, quantity }: Holding, cash: bigint, mark: number): bigint {
  const result = cash + BigInt(side * quantity) * BigInt(mark);
  // Every value at a tick and step size of the pair is a whole number of units.
  const unit = BigInt(10 ** market.assetDecimals);
  expect(result % unit).toBe(0n);
  return result / unit;
}

/** Returns the equity without rounding, in 1e-16 quote units: a fee in the base asset may be worth a fraction of 1e-8. */
function exactEquity(account: Account, marks: Record<string, number>, { kind, listed }: History): bigint {
  let equity = BigInt(account.wallet.quote) * BigInt(SCALE);
  for (const { market } of listed) {
    const holding = holdingIn(account, market);
    const value = BigInt(marks[market.pair] ?? 0) * BigInt(holding.quantity) * BigInt(10 ** (8 - market.assetDecimals));
    if (kind === 'spot') equity += value;
    else equity += BigInt(holding.side) * (value - BigInt(holding.cost) * BigInt(SCALE));
  }
  return equity;
}

/** Returns the part of a fee in quote or base, in 1e-16 quote units; fees in third assets do not count. */
function feeInside({ markets }: Account, { pair, price, fee, feeAsset }: Fill): bigint {
  const market = markets[pair] as Market;
  if (feeAsset === market.base) return BigInt(price) * BigInt(fee) * BigInt(10 ** (8 - market.assetDecimals));
  return feeAsset === market.quote ? BigInt(fee) * BigInt(SCALE) : 0n;
}
