/** Limits of the delays between tries. */
export interface BackoffLimits {
  /** Longest first delay, in ms. */
  readonly minMs: number;
  /** Longest delay of all, in ms. */
  readonly maxMs: number;
  /** Returns a number from 0 up to, but not including, 1; `Math.random` unless a test gives another. */
  random?(): number;
}

/** The delays of one retry loop. */
export interface Backoff {
  /** Returns the delay before the next try, in ms, and doubles the one after it. */
  nextMs(): number;
  /** Waits for the next delay; returns at once when `signal` aborts. Never rejects. */
  wait(signal?: AbortSignal): Promise<void>;
  /** Starts again at the first delay, after a success. */
  reset(): void;
}

/**
 * Creates the delays of one retry loop: each limit is twice the one before, up to `maxMs`. A delay is random, from half
 * of its limit to the limit, so that many clients do not return to a server at once.
 */
export function createBackoff({ minMs, maxMs, random = Math.random }: BackoffLimits): Backoff {
  let limitMs = Math.min(minMs, maxMs);

  function nextMs(): number {
    const delayMs = limitMs * (0.5 + random() / 2);
    limitMs = Math.min(limitMs * 2, maxMs);
    return delayMs;
  }

  return {
    nextMs,
    wait: (signal) => sleep(nextMs(), signal),
    reset() {
      limitMs = Math.min(minMs, maxMs);
    },
  };
}

/** Settings of the retries of an action. */
export interface RetryOptions extends BackoffLimits {
  /** Decides whether an error is temporary; any other rejects. */
  isRetryable(error: unknown): boolean;
  /** Is called before each wait. */
  onRetry?(error: unknown): void;
  /** Ends the retries: the next failure rejects, and a wait ends at once. */
  readonly signal?: AbortSignal;
}

/**
 * Repeats `action` with back-off until it succeeds.
 *
 * @throws the error of `action` that is not retryable, or its last one once the signal has aborted
 */
export async function retryWithBackoff<Result>(
  action: () => Promise<Result>,
  { isRetryable, onRetry, signal, ...limits }: RetryOptions,
): Promise<Result> {
  const backoff = createBackoff(limits);
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (signal?.aborted || !isRetryable(error)) throw error;
      onRetry?.(error);
      await backoff.wait(signal);
      if (signal?.aborted) throw error;
    }
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
