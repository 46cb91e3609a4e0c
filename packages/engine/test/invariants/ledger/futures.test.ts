import type { Account } from '@heron/engine/ledger/account.ts';
import { applyLedgerEvent, type LedgerEvent } from '@heron/engine/ledger/events.ts';
import { bookFunding } from '@heron/engine/ledger/funding.ts';
import { bookFuturesFill } from '@heron/engine/ledger/futures.ts';
import { emptyHolding, type Holding, unrealised } from '@heron/engine/ledger/holding.ts';
import { openWallet } from '@heron/engine/ledger/wallet.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { type Price, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountOf, eventsOf, FUTURES, type History, history, type Listed, priceOf } from '../../ledgerArbitraries.ts';
import { RUNS } from '../runs.ts';

describe('futures results', () => {
  test('I-14: they do not depend on leverage, margin mode and position mode', () => {
    fc.assert(
      fc.property(history('futures'), fc.integer({ min: 1, max: 125 }), fc.boolean(), (given, leverage, isolated) => {
        const account = accountOf(given);
        const other = accountOf(given);
        for (const holding of Object.values(other.holdings)) Object.assign(holding, { leverage, isolated });
        for (const event of eventsOf(given)) {
          applyLedgerEvent(account, event);
          if (event.type !== 'leverage') applyLedgerEvent(other, hedged(event));
          expect(other.wallet).toEqual(account.wallet);
          for (const listed of given.listed) expectSameResults(account, other, listed);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('I-15: mirrored prices and sides give the same results, fill by fill', () => {
    let fills = 0;
    fc.assert(
      fc.property(history('futures', { costs: false, transfers: false }), (given) => {
        const account = accountOf(given);
        const mirror = accountOf(given);
        for (const event of eventsOf(given)) {
          if (event.type !== 'fill') continue;
          fills += 1;
          const pivot = pivotOf(given, event.pair);
          applyLedgerEvent(account, event);
          applyLedgerEvent(mirror, mirrored(event, pivot));
          // A fill is priced at the mark of its pair.
          expectMirroredResults(account, mirror, { pair: event.pair, pivot, mark: event.price });
        }
      }),
      { numRuns: RUNS },
    );
    expect(fills).toBeGreaterThan(RUNS / 4);
  });
});

describe('funding', () => {
  const position = fc.constantFrom(...FUTURES).chain((listed) =>
    fc.record({
      market: fc.constant(listed.market),
      price: priceOf(listed),
      mark: priceOf(listed),
      steps: fc.integer({ min: 1, max: 10_000 }),
      // The rate is up to 3 %, the maximum of exchanges.
      rate: fc.integer({ min: -3_000_000, max: 3_000_000 }),
      isolated: fc.boolean(),
    }),
  );

  test('I-17: of an equal long and short it cancels, and none is paid without a position', () => {
    fc.assert(
      fc.property(position, ({ market, price, mark, steps, rate, isolated }) => {
        const wallet = openWallet(toUnits(1_000_000));
        const [long, short, flat] = [emptyHolding(), emptyHolding(), emptyHolding()];
        const quantity = steps * market.step;
        for (const holding of [long, short, flat]) Object.assign(holding, { leverage: 10, isolated });
        const fill = { price, quantity, fee: 0, feeAsset: 'USDT' };
        bookFuturesFill(wallet, long, market, { ...fill, side: 'buy' });
        bookFuturesFill(wallet, short, market, { ...fill, side: 'sell' });
        const before = wallet.quote;
        const margins = long.margin + short.margin;
        const received = bookFunding(wallet, long, market, mark, rate);
        expect(bookFunding(wallet, short, market, mark, rate)).toBe(-received + 0);
        expect(wallet.quote).toBe(before);
        expect(long.margin + short.margin).toBe(margins);
        if (rate !== 0) expect(Math.sign(received)).toBe(received === 0 ? 0 : -Math.sign(rate));
        expect(bookFunding(wallet, flat, market, mark, rate)).toBe(0);
        expect(flat).toEqual({ ...emptyHolding(), leverage: 10, isolated });
      }),
      { numRuns: RUNS },
    );
  });

  test('I-17: it is −d·Q·M·ρ, rounded once', () => {
    fc.assert(
      fc.property(position, ({ market, price, mark, steps, rate }) => {
        const wallet = openWallet(toUnits(1_000_000));
        const holding = emptyHolding();
        const quantity = steps * market.step;
        bookFuturesFill(wallet, holding, market, { side: 'buy', price, quantity, fee: 0, feeAsset: 'USDT' });
        const received = bookFunding(wallet, holding, market, mark, rate);
        const unit = BigInt(10 ** market.assetDecimals) * 100_000_000n;
        const twiceOff = 2n * (BigInt(received) * unit + BigInt(quantity) * BigInt(mark) * BigInt(rate));
        expect(twiceOff >= -unit && twiceOff <= unit).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Returns the event as an account in hedge mode reports it. */
function hedged(event: LedgerEvent): LedgerEvent {
  return event.type === 'fill' ? { ...event, positionSide: event.side === 'buy' ? 'LONG' : 'SHORT' } : event;
}

function holdingIn({ holdings }: Account, pair: string): Holding {
  const holding = holdings[pair];
  if (holding === undefined) throw new Error(`no holding of ${pair}`);
  return holding;
}

/** Expects equal results of a pair in two accounts that differ in leverage and modes only. */
function expectSameResults(account: Account, other: Account, { market, usual }: Listed): void {
  const [one, two] = [holdingIn(account, market.pair), holdingIn(other, market.pair)];
  expect([two.realised, two.funding, two.entryPrice]).toEqual([one.realised, one.funding, one.entryPrice]);
  expect(unrealised(market, two, usual)).toBe(unrealised(market, one, usual));
}

type Fill = Extract<LedgerEvent, { type: 'fill' }>;

/** Returns the price around which a pair is mirrored: twenty times its usual price, which no walk exceeds. */
function pivotOf({ listed }: History, pair: string): Price {
  return 20 * (listed.find(({ market }) => market.pair === pair)?.usual ?? 0);
}

function mirrored(fill: Fill, pivot: Price): Fill {
  return { ...fill, price: 2 * pivot - fill.price, side: fill.side === 'buy' ? 'sell' : 'buy' };
}

/** Expects the mirror to hold the opposite position, with the same realised and unrealised PnL. */
function expectMirroredResults(
  account: Account,
  mirror: Account,
  { pair, pivot, mark }: { pair: string; pivot: Price; mark: Price },
): void {
  const market = account.markets[pair] as Market;
  const [one, two] = [holdingIn(account, pair), holdingIn(mirror, pair)];
  expect(mirror.wallet).toEqual(account.wallet);
  expect(two.realised).toBe(one.realised);
  expect(two.quantity).toBe(one.quantity);
  expect(one.quantity === 0 || two.side === -one.side).toBe(true);
  expect(unrealised(market, two, 2 * pivot - mark)).toBe(unrealised(market, one, mark));
}
