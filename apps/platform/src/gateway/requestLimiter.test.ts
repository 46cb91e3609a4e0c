import { expect, test } from 'vitest';
import { createRequestLimiter } from './requestLimiter.ts';

function limiter() {
  const clock = { at: 0 };
  return { clock, take: createRequestLimiter(2, () => clock.at) };
}

test('each address has its own limit, and a minute starts with its first request', () => {
  const { clock, take } = limiter();
  take('a');
  clock.at = 59_000;
  take('a');
  take('b');
  expect(() => take('a')).toThrow(expect.objectContaining({ code: 'too_many_requests', details: { seconds: 1 } }));
  clock.at = 60_000;
  take('a');
  take('a');
  expect(() => take('a')).toThrow(expect.objectContaining({ details: { seconds: 60 } }));
  take('b');
  expect(() => take('b')).toThrow(expect.objectContaining({ details: { seconds: 59 } }));
});

test('an address above its limit is rejected until its minute ends', () => {
  const { clock, take } = limiter();
  for (let n = 0; n < 2; n++) take('a');
  for (clock.at = 1_000; clock.at < 60_000; clock.at += 1_000) expect(() => take('a')).toThrow();
  take('a');
});
