import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUNS } from '../invariants/runs.ts';
import { LiveHarness, MOVE } from './liveHarness.ts';

const MOVES = fc.array(MOVE, { minLength: 10, maxLength: 120, size: 'max' });

test('while no new orders are accepted none is sent, and no open stop is cancelled', () => {
  let kept = 0;
  const stops = fc.constantFrom('market' as const, 'limit' as const);
  const states = fc.constantFrom('cancel_only' as const, 'halted' as const);
  fc.assert(
    fc.property(fc.boolean(), stops, states, MOVES, MOVES, (maker, stop, suspended, before, after) => {
      const harness = new LiveHarness({ maker, share: null, stop });
      for (const move of before) harness.move(move);
      harness.settle();
      const { pair } = harness.market;
      const at = harness.settle().bot.pairs[0]?.quote?.at ?? 0;
      harness.feed({ type: 'ticker', at, pair, last: 0, volume24h: null, suspended });
      const known = new Set(harness.outgoing);
      const open = [...harness.exchange.orders.values()].filter(
        ({ status, request }) => status === 'open' && request.trigger,
      );
      for (const move of after) {
        harness.move(move);
        for (const request of harness.outgoing) {
          if (known.has(request)) continue;
          known.add(request);
          expect(request.type).not.toBe('place');
          if (request.type === 'cancel') expect(request.kind).not.toBe('stop');
        }
      }
      kept += open.length;
    }),
    { numRuns: RUNS / 4, seed: 20261123 },
  );
  expect(kept).toBeGreaterThan(RUNS / 100);
});

test('a manual sale rejected by a halt is not sent when trading resumes', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: null });
  harness.buy(1_000);
  harness.settle();
  const { held, price } = harness.exchange;
  harness.sell(100);
  while (harness.outgoing.length > 0) harness.perform(0, 'refused', 1);
  harness.deliverAll();
  const [pair] = harness.state.bot.pairs;
  expect(pair?.exit).toMatchObject({ reason: 'manual', order: null });
  const figures = {
    type: 'ticker',
    at: pair?.quote?.at ?? 0,
    pair: harness.market.pair,
    last: price,
    volume24h: null,
  } as const;
  harness.feed({ ...figures, suspended: 'halted' });
  expect(pair?.exit).toBeNull();
  harness.feed(figures);
  harness.wait(10_000);
  harness.settle();
  expect([held > 0, harness.exchange.held]).toEqual([true, held]);
});
