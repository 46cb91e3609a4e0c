import { floorTick } from '@heron/engine/market/market.ts';
import { mulDiv, SCALE, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUNS } from '../invariants/runs.ts';
import { CAPITAL, Line, MOVE } from './line.ts';

const STORY = fc.array(MOVE, { minLength: 30, maxLength: 250, size: 'max' });

test('whatever has happened, a position has exactly one stop of the right size and price once everything has arrived, or says why not', () => {
  let stops = 0;
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.constantFrom(null, CAPITAL / 2),
      fc.constantFrom('market' as const, 'limit' as const),
      STORY,
      (maker, share, stop, moves) => {
        const line = new Line({ maker, share, stop });
        for (const move of moves) line.move(move);
        const state = line.settle();
        const { exchange, market } = line;
        const [pair] = state.bot.pairs;
        const resting = [...exchange.orders.values()].filter(
          ({ status, ticket }) => status === 'open' && ticket.trigger,
        );
        const gap = state.stops[market.pair]?.gap ?? null;
        const { position, holding } = pair as NonNullable<typeof pair>;
        if (position === null) {
          expect(resting).toEqual([]);
          return;
        }
        if (resting.length === 0) {
          const rows = state.bot.options.stop_sell;
          expect(['no_row', 'row_fired', 'below_minimum']).toContain(gap);
          if (gap === 'no_row') expect(rows).toEqual([]);
          if (gap === 'row_fired') expect(position.fired.stopSell).toBeGreaterThan(0);
          return;
        }
        stops += 1;
        expect(gap).toBeNull();
        expect(resting).toHaveLength(1);
        const { ticket, filled } = resting[0] as (typeof resting)[number];
        const rows = [...state.bot.options.stop_sell].sort((a, b) => b.profit - a.profit);
        const outermost = rows[0]?.profit ?? 0;
        const level = mulDiv(holding.entryPrice, SCALE - toUnits(outermost / 100), SCALE, 'down');
        expect(ticket.trigger).toEqual({ price: floorTick(market, level), by: 'last' });
        expect(exchange.price).toBeGreaterThan(ticket.trigger?.price ?? 0);
        const rest = ticket.quantity - filled;
        expect(rest).toBeLessThanOrEqual(exchange.held);
        if (rows.length === 1) expect(rest).toBe(Math.floor(exchange.held / market.step) * market.step);
      },
    ),
    { numRuns: RUNS },
  );
  expect(stops).toBeGreaterThan(RUNS / 10);
});
