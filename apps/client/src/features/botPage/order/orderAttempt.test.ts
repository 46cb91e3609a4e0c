import type { ErrorCode } from '@heron/contract/http/errors.ts';
import { expect, test } from 'vitest';
import { ApiError, NoAnswer } from '../../../lib/api.ts';
import { attemptAfter, freshAttempt } from './orderAttempt.ts';

const lost = new NoAnswer('timeout');
const answered = (code: ErrorCode, status: number) => new ApiError(code, status, code, {});

test('an order whose response was lost keeps its id, whatever a gateway answers to the retry', () => {
  const first = freshAttempt();
  const afterLoss = attemptAfter(first, lost);
  expect(afterLoss).toEqual({ outcome: 'uncertain', requestId: first.requestId });
  for (const [code, status] of [
    ['too_many_requests', 429],
    ['not_logged_in', 401],
    ['forbidden', 403],
    ['bot_not_running', 409],
    ['unavailable', 503],
  ] as const) {
    expect(attemptAfter(afterLoss, answered(code, status)), code).toEqual(afterLoss);
  }
});

test('the bot’s own rejection ends an attempt, and so does any rejection of the first request', () => {
  const first = freshAttempt();
  const rejected = attemptAfter(attemptAfter(first, lost), answered('order_refused', 422));
  expect(rejected.outcome).toBe('fresh');
  expect(rejected.requestId).not.toBe(first.requestId);
  const limited = attemptAfter(first, answered('too_many_requests', 429));
  expect(limited.outcome).toBe('fresh');
  expect(limited.requestId).not.toBe(first.requestId);
});
