import { ApiError, isRefusal } from '../../../lib/api.ts';

/**
 * One decision to trade. The bot executes a request id once, so an order that is sent again keeps its id while its outcome
 * is unknown.
 */
export interface OrderAttempt {
  readonly outcome: 'fresh' | 'uncertain';
  readonly requestId: string;
}

/** Returns an attempt of which the bot has received nothing. */
export function freshAttempt(): OrderAttempt {
  return { outcome: 'fresh', requestId: crypto.randomUUID() };
}

/**
 * Returns the attempt after a failed request. A rejection of a fresh attempt proves that nothing was executed. An uncertain
 * one ends only when the bot itself rejects the order: a gateway rejects a request without knowing of the earlier one.
 */
export function attemptAfter(attempt: OrderAttempt, error: unknown): OrderAttempt {
  const isFinal = attempt.outcome === 'fresh' ? isRefusal(error) : isRejectedByBot(error);
  // The bot returns the same result again for the same id.
  return isFinal ? freshAttempt() : { ...attempt, outcome: 'uncertain' };
}

function isRejectedByBot(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'order_refused';
}
