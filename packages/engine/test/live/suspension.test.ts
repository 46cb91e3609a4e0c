import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUNS } from '../invariants/runs.ts';
import { Line, MOVE } from './line.ts';

const STORY = fc.array(MOVE, { minLength: 10, maxLength: 120, size: 'max' });

test('while the exchange takes no new order none is sent, through crashes too, and no open stop is cancelled', () => {
  let kept = 0;
  const stops = fc.constantFrom('market' as const, 'limit' as const);
  const states = fc.constantFrom('cancel_only' as const, 'halted' as const);
  fc.assert(
    fc.property(fc.boolean(), stops, states, STORY, STORY, (maker, stop, suspended, before, after) => {
      const line = new Line({ maker, share: null, stop });
      for (const move of before) line.move(move);
      line.settle();
      const { pair } = line.market;
      const at = line.settle().bot.pairs[0]?.quote?.at ?? 0;
      line.feed({ type: 'ticker', at, pair, last: 0, volume24h: null, suspended });
      const known = new Set(line.outgoing);
      const resting = [...line.exchange.orders.values()].filter(
        ({ status, ticket }) => status === 'open' && ticket.trigger,
      );
      for (const move of after) {
        line.move(move);
        for (const request of line.outgoing) {
          if (known.has(request)) continue;
          known.add(request);
          expect(request.type).not.toBe('place');
          if (request.type === 'cancel') expect(request.kind).not.toBe('stop');
        }
      }
      kept += resting.length;
    }),
    { numRuns: RUNS / 4, seed: 20261123 },
  );
  expect(kept).toBeGreaterThan(RUNS / 100);
});

test('a sale by hand that the exchange refuses because the pair is halted is not made when trading resumes', () => {
  const line = new Line({ maker: false, share: null, stop: null });
  line.buy(1_000);
  line.settle();
  const { held, price } = line.exchange;
  line.sell(100);
  while (line.outgoing.length > 0) line.perform(0, 'refused', 1);
  line.hearAll();
  const [pair] = line.state.bot.pairs;
  expect(pair?.exit).toMatchObject({ reason: 'manual', order: null });
  const figures = {
    type: 'ticker',
    at: pair?.quote?.at ?? 0,
    pair: line.market.pair,
    last: price,
    volume24h: null,
  } as const;
  line.feed({ ...figures, suspended: 'halted' });
  expect(pair?.exit).toBeNull();
  line.feed(figures);
  line.wait(10_000);
  line.settle();
  expect([held > 0, line.exchange.held]).toEqual([true, held]);
});
