import { effectiveLeverage, fallbackBrackets } from '@heron/engine/ledger/brackets.ts';
import { bookFunding } from '@heron/engine/ledger/funding.ts';
import { bookFuturesFill } from '@heron/engine/ledger/futures.ts';
import { closeEntryCount, emptyHolding, unrealised } from '@heron/engine/ledger/holding.ts';
import { setLeverage } from '@heron/engine/ledger/leverage.ts';
import {
  CLEARANCE_FEE,
  coverShortfall,
  isCrossLiquidated,
  liquidateCross,
  liquidateIsolated,
} from '@heron/engine/ledger/liquidation.ts';
import { isolatedLiquidationPrice, reachesLiquidation } from '@heron/engine/ledger/liquidationPrice.ts';
import {
  availableMargin,
  crossMarginBalance,
  initialMargin,
  type MarginAccount,
  type MarginPosition,
  orderMargin,
  sizingMargin,
} from '@heron/engine/ledger/margin.ts';
import { openWallet } from '@heron/engine/ledger/wallet.ts';
import { notional } from '@heron/engine/market/market.ts';
import { mulDiv, type Price, SCALE, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Generated } from '../../generated.ts';
import { FUTURES, feeRatio, type Listed, moved, priceMove } from '../../ledgerArbitraries.ts';
import { RUNS } from '../runs.ts';

interface Desk extends MarginAccount {
  positions: (MarginPosition & { mark: Price; listed: Listed })[];
  orderMargins: number;
}

const step = fc.record({
  pair: fc.nat(19),
  what: fc.constantFrom('mark', 'mark', 'enter', 'enter', 'exit', 'fund'),
  move: priceMove,
  short: fc.boolean(),
  isolated: fc.boolean(),
  leverage: fc.integer({ min: 1, max: 125 }),
  /** Share of the available margin, in 1 %. */
  share: fc.integer({ min: 1, max: 100 }),
  fee: feeRatio,
  rate: fc.integer({ min: -3_000_000, max: 3_000_000 }),
  /** Distance of the order price from the mark, in 1e-4. */
  away: fc.integer({ min: -100, max: 100 }),
});

type Step = Generated<typeof step>;

const desks = fc.record({
  chosen: fc.shuffledSubarray(FUTURES, { minLength: 1, maxLength: 20 }),
  capital: fc.integer({ min: 10, max: 5_000_000 }),
  steps: fc.array(step, { maxLength: 60 }),
});

describe('margin of a paper account', () => {
  test('I-18: A is at most available, neither is negative, and entries by A fit', () => {
    fc.assert(
      fc.property(desks, ({ chosen, capital, steps }) => {
        const desk = deskOf(chosen, capital);
        for (const given of steps) {
          const entered = take(desk, given);
          expect(sizingMargin(desk)).toBeGreaterThanOrEqual(0);
          expect(sizingMargin(desk)).toBeLessThanOrEqual(availableMargin(desk));
          // This is the available margin before it is limited to 0.
          if (entered) expect(crossMarginBalance(desk) - crossInitial(desk)).toBeGreaterThanOrEqual(0);
          liquidateDue(desk, given.fee);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('I-19, I-4: the wallet is never negative; unpaid amounts are insurance', () => {
    fc.assert(
      fc.property(desks, ({ chosen, capital, steps }) => {
        const desk = deskOf(chosen, capital);
        const { wallet } = desk;
        for (const given of steps) {
          take(desk, given);
          coverShortfall(wallet);
          expect(wallet.quote).toBeGreaterThanOrEqual(0);
          liquidateDue(desk, given.fee);
          expect(wallet.quote).toBeGreaterThanOrEqual(0);
          const open = sum(desk, ({ market, holding, mark }) => unrealised(market, holding, mark));
          const realised = sum(desk, ({ holding }) => holding.realised);
          expect(wallet.quote + open - wallet.start).toBe(realised + open + wallet.insurance);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('I-16: isolated margins are unchanged when the cross positions are liquidated', () => {
    fc.assert(
      fc.property(desks, ({ chosen, capital, steps }) => {
        const desk = deskOf(chosen, capital);
        for (const given of steps) {
          take(desk, given);
          coverShortfall(desk.wallet);
          const isolated = desk.positions.filter(({ holding }) => holding.isolated && holding.quantity > 0);
          const before = JSON.stringify(isolated);
          const apart = isolated.reduce((total, { holding }) => total + holding.margin, 0);
          if (isCrossLiquidated(desk)) {
            liquidateCross(desk, given.fee, CLEARANCE_FEE);
            expect(desk.wallet.quote).toBeGreaterThanOrEqual(apart);
            expect(desk.positions.every(({ holding }) => holding.isolated || holding.quantity === 0)).toBe(true);
          }
          expect(JSON.stringify(isolated)).toBe(before);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

function deskOf(chosen: readonly Listed[], capital: number): Desk {
  const positions = chosen.map((listed) => ({
    listed,
    market: listed.market,
    holding: emptyHolding(),
    mark: listed.usual,
    brackets: fallbackBrackets(listed.market.base),
  }));
  return { wallet: openWallet(toUnits(capital)), positions, orderMargins: 0 };
}

/** @returns whether an entry passed sizing and was filled at the current mark */
function take(desk: Desk, given: Step): boolean {
  const position = desk.positions[given.pair % desk.positions.length] as Desk['positions'][number];
  const { holding, market, listed } = position;
  if (given.what === 'mark') position.mark = moved(listed, position.mark, given.move);
  if (given.what === 'fund') bookFunding(desk.wallet, holding, market, position.mark, given.rate);
  if (given.what === 'exit' && holding.quantity > 0) exit(desk, position, given);
  return given.what === 'enter' && enter(desk, position, given);
}

function enter(desk: Desk, position: Desk['positions'][number], given: Step): boolean {
  const { holding, market, mark, brackets, listed } = position;
  const flat = holding.quantity === 0;
  const side = (flat ? given.short : holding.side === -1) ? 'sell' : 'buy';
  const price = moved(listed, mark, given.away);
  const offered = mulDiv(sizingMargin(desk), given.share, 100, 'down');
  const wanted = offered * (flat ? given.leverage : holding.leverage);
  if (flat) setLeverage(holding, effectiveLeverage(brackets, wanted, given.leverage), given.isolated);
  const most = Math.floor((offered * holding.leverage * 10 ** market.assetDecimals) / price / market.step);
  const quantity = Math.floor(most * 0.9) * market.step;
  if (quantity <= 0) return false;
  const needed = orderMargin({
    market,
    side,
    price,
    rest: quantity,
    last: mark,
    mark,
    leverage: holding.leverage,
    fee: given.fee,
  });
  if (needed > sizingMargin(desk)) return false;
  const fee = mulDiv(notional(market, price, quantity), given.fee, SCALE, 'up');
  bookFuturesFill(desk.wallet, holding, market, { side, price, quantity, fee, feeAsset: 'USDT' });
  return true;
}

function exit(desk: Desk, { holding, market, mark, listed }: Desk['positions'][number], given: Step): void {
  const steps = Math.ceil((holding.quantity / market.step) * (given.share / 100));
  const quantity = Math.min(holding.quantity, steps * market.step);
  const price = moved(listed, mark, given.away);
  const fee = mulDiv(notional(market, price, quantity), given.fee, SCALE, 'up');
  const side = holding.side === 1 ? 'sell' : 'buy';
  bookFuturesFill(desk.wallet, holding, market, { side, price, quantity, fee, feeAsset: 'USDT' });
  if (holding.quantity === 0) closeEntryCount(holding);
}

function liquidateDue(desk: Desk, fee: number): void {
  for (const position of desk.positions) {
    const { holding, market, mark, brackets } = position;
    if (!holding.isolated || holding.quantity === 0) continue;
    const price = isolatedLiquidationPrice(market, holding, brackets);
    if (price !== null && reachesLiquidation(holding.side, mark, price)) liquidateIsolated(desk.wallet, position);
  }
  if (isCrossLiquidated(desk)) liquidateCross(desk, fee, CLEARANCE_FEE);
}

function crossInitial(desk: Desk): number {
  return sum(desk, (position) => (position.holding.isolated ? 0 : initialMargin(position)));
}

function sum(desk: Desk, figure: (position: MarginPosition) => number): number {
  return desk.positions.reduce((total, position) => total + figure(position), 0);
}
