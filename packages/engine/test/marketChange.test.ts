import { type Market, type MarketFilters, marketOf } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { AssetUnitChanged } from '@heron/engine/state/adoptMarket.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Desk } from './harness.ts';

const FILTERS: MarketFilters = {
  ...{ pair: 'AAA-USDT', tickSize: 0.01, stepSize: 1 },
  ...{ minQuantity: 1, maxQuantity: 1e6, minNotional: 1 },
};

/** Returns the market with another step, in units of four decimals. */
const withStep = (stepSize: number): Market =>
  marketOf({ ...FILTERS, stepSize, minQuantity: stepSize, assetDecimals: 4 });

// Fees of futures are paid in the quote currency, so that everything that was bought is sold.
const TAKER = {
  exchange: 'binanceusdm',
  order_type: 'taker',
  avg_slippage_pct: 0,
  max_buy_loss_pct: 0,
  max_sell_loss_pct: 0,
};

function boughtDesk(market: Market): Desk {
  const desk = new Desk(TAKER, market, { history: 100 });
  desk.quote(100);
  desk.buy(1_000);
  return desk;
}

/** Restarts the saved bot with a market whose filters have changed. */
function restart(desk: Desk, market: Market): void {
  desk.session = restoreSession(saveSession(desk.session));
  desk.on(market).feed({ type: 'history', at: desk.now, market, candles: [] });
}

const held = ({ pair, market }: Desk) => formatUnits(pair.holding.quantity, market.assetDecimals);

test('a restart with other step sizes keeps the size of a position, and sells it', () => {
  const step = fc.integer({ min: 0, max: 4 }).map((decimals) => Number(`1e-${decimals}`));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
      const desk = boughtDesk(withStep(1));
      const before = held(desk);
      expect(Number(before)).toBeGreaterThan(8);
      for (const next of steps) {
        restart(desk, withStep(next));
        desk.quote(100);
        expect(held(desk)).toBe(before);
      }
      desk.sell(100);
      const [bought, sold] = desk.fills().map(({ data }) => Number(data.quantity));
      expect(bought).toBe(sold);
    }),
    { numRuns: 20 },
  );
});

test('a bot whose position is in another unit stops instead of trading another amount', () => {
  const desk = boughtDesk(withStep(1));
  expect(() => restart(desk, marketOf({ ...FILTERS, stepSize: 0.1, minQuantity: 0.1 }))).toThrow(AssetUnitChanged);
  expect(() => restart(desk, marketOf({ ...FILTERS, stepSize: 0.1, minQuantity: 0.1 }))).toThrow(
    /delete the bot, and create a new one$/,
  );
  expect(() => restart(desk, withStep(0.1))).not.toThrow();
});

test('a flat pair takes over another unit', () => {
  const desk = boughtDesk(withStep(1));
  desk.sell(100);
  desk.quote(100);
  desk.wait(2_000);
  expect(desk.pair.holding.quantity).toBe(0);
  const market = marketOf({ ...FILTERS, stepSize: 0.1, minQuantity: 0.1 });
  restart(desk, market);
  expect(desk.pair.market).toEqual(market);
});

test('a step that is finer than the unit has no market', () => {
  expect(() => withStep(0.00001)).toThrow(/finer than its unit/);
});
