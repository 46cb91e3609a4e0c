import { expect, test } from 'vitest';
import { callPace } from '../src/control/callPace.ts';

test('each caller has so many turns a minute, and is told when there are new ones', () => {
  let now = 1_800_000_000_000;
  const take = callPace(2, () => now);
  take('a');
  now += 30_000;
  take('a');
  take('b');
  expect(() => take('a')).toThrow(expect.objectContaining({ code: 'too_many_requests', details: { seconds: 30 } }));
  take('b');
  now += 30_000;
  take('a');
});
