import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSignedClock } from '../http/clock.ts';
import type { RateBudget } from '../http/rateBudget.ts';
import { wrongTime } from '../http/venueError.ts';
import { openSignedCalls } from './signedCalls.ts';

const LIFETIME_MS = 5_000;

/** A venue whose clock jumps, and the calls that are sent to it. */
function venue() {
  const state = { ahead: 0, measured: 0, accepted: [] as number[] };
  const now = () => 1_000_000;
  const clock = openSignedClock(async () => {
    state.measured += 1;
    return now() + state.ahead;
  }, now);
  const { call } = openSignedCalls({
    ...{ name: 'binance', clock, now, markets: async () => [] },
    budget: { acquire: async () => {} } as unknown as RateBudget,
  });
  /** Places an order that bears the time of its decision; the venue refuses one that is too old, or from its future. */
  const place = (decidedAt: number) =>
    call(1, 'order', async (venueTime) => {
      await nextTurn();
      const age = now() + state.ahead - venueTime(decidedAt);
      if (age > LIFETIME_MS || age < -1_000) throw wrongTime('binance', '{"code":-1021,"msg":"Timestamp"}');
      state.accepted.push(venueTime(decidedAt));
      return 'accepted';
    });
  return { state, now, place };
}

test.each([12_000, -12_000])(
  'the first order after a clock jump of %d ms is sent again after a measurement',
  async (jump) => {
    const { state, now, place } = venue();
    expect(await place(now())).toBe('accepted');
    state.ahead = jump;
    expect(await place(now())).toBe('accepted');
    expect([state.measured, state.accepted]).toEqual([2, [now(), now() + jump]]);
  },
);

test('an order that was decided too long ago is given up after one more try', async () => {
  const { state, now, place } = venue();
  await expect(place(now() - 6_000)).rejects.toMatchObject({ kind: 'unreachable' });
  expect([state.measured, state.accepted]).toEqual([2, []]);
});
