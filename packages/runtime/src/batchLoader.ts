/** Limits of a batch loader, and what its errors mean. */
export interface BatchLimits {
  /** Largest number of items in one batch; no limit unless given. */
  readonly maxItems?: number;
  /** Largest number of batches that run at once. */
  readonly maxConcurrent: number;
  /** Whether an error would fail any batch; then its items are not retried one by one. */
  failsAnyBatch(error: unknown): boolean;
  /** Defers the first batch, so that calls made until then join it: `queueMicrotask` unless given. */
  defer?(start: () => void): void;
}

interface PendingCall<Item, Result> {
  readonly item: Item;
  readonly answer: PromiseWithResolvers<Result>;
}

/**
 * Creates a loader that collects items while earlier batches run, so that a thousand callers cost a few round trips. A call
 * that is alone does not wait. Nothing is cached: each call is answered by a batch that starts after it.
 *
 * A failed batch is repeated item by item, because one bad item must not fail the others. So `run` must be safe to repeat.
 *
 * @param run returns one result for each item, in the same order
 */
export function createBatchLoader<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxItems = Number.POSITIVE_INFINITY, maxConcurrent, failsAnyBatch, defer = queueMicrotask }: BatchLimits,
): (item: Item) => Promise<Result> {
  const pending: PendingCall<Item, Result>[] = [];
  let running = 0;
  let deferred = false;

  function schedule(): void {
    if (deferred || running >= maxConcurrent || pending.length === 0) return;
    deferred = true;
    defer(() => {
      deferred = false;
      running += 1;
      void settle(pending.splice(0, maxItems)).finally(() => {
        running -= 1;
        schedule();
      });
      schedule();
    });
  }

  async function settle(batch: readonly PendingCall<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { answer }] of batch.entries()) answer.resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && !failsAnyBatch(error)) for (const call of batch) await settle([call]);
      else for (const { answer } of batch) answer.reject(error);
    }
  }

  return (item) => {
    const answer = Promise.withResolvers<Result>();
    pending.push({ item, answer });
    schedule();
    return answer.promise;
  };
}
