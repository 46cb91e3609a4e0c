import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exchangeErrorOf } from '../ccxt/ccxtErrors.ts';
import { loadErrors } from '../ccxt/library.ts';
import { openSignedClock } from '../http/clock.ts';
import type { RateBudget } from '../http/rateBudget.ts';
import { openSignedCalls } from './signedCalls.ts';

const errors = await loadErrors();
const LIFETIME_MS = 5_000;

/** A venue whose clock jumps, and what signs for it. */
function venue() {
  const state = { ahead: 0, measured: 0, accepted: [] as number[] };
  const now = () => 1_000_000;
  const clock = openSignedClock(async () => {
    state.measured += 1;
    return now() + state.ahead;
  }, now);
  const { call } = openSignedCalls({
    ...{ name: 'binance', errors, clock, now, markets: async () => [] },
    budget: { acquire: async () => {} } as unknown as RateBudget,
    errorOf: (error, write) => exchangeErrorOf(error, { exchange: 'binance', errors, write, fault: null, now: now() }),
  });
  /** Places an order that bears the time of its decision; the venue refuses one that is too old, or from its future. */
  const place = (decidedAt: number) =>
    call(1, 'order', true, async (venueTime) => {
      await turn();
      const age = now() + state.ahead - venueTime(decidedAt);
      if (age > LIFETIME_MS || age < -1_000) throw new errors.InvalidNonce('binance {"code":-1021,"msg":"Timestamp"}');
      state.accepted.push(venueTime(decidedAt));
      return 'taken';
    });
  return { state, now, place };
}

test.each([12_000, -12_000])(
  'the first order after the clock of the venue has jumped by %d ms is sent again after a new measurement',
  async (jump) => {
    const { state, now, place } = venue();
    expect(await place(now())).toBe('taken');
    state.ahead = jump;
    expect(await place(now())).toBe('taken');
    expect([state.measured, state.accepted]).toEqual([2, [now(), now() + jump]]);
  },
);

test('an order that was decided too long ago is given up after one more try, as one that the venue has not looked at', async () => {
  const { state, now, place } = venue();
  await expect(place(now() - 6_000)).rejects.toMatchObject({ kind: 'unreachable' });
  expect([state.measured, state.accepted]).toEqual([2, []]);
});
