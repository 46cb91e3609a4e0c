/** How much of what is asked for one by one is done at a time. */
export interface BatchLimits {
  /** Most items in one batch. */
  readonly most: number;
  /** Most batches under way. */
  readonly atOnce: number;
  /** Whether an error would have met any batch: then nothing is tried again here. */
  concernsAll(error: unknown): boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly answer: PromiseWithResolvers<Result>;
}

/**
 * Does together what is asked for while earlier batches are under way, so that a thousand askers cost a few ways to the
 * database and not a thousand. Who asks alone does not wait.
 *
 * A batch that fails by itself is done again item by item: what is wrong with one item is no fault of the others. So `run`
 * must bear being repeated.
 *
 * @param run gives one result for each item, in the same order
 */
export function createBatchLoader<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most, atOnce, concernsAll }: BatchLimits,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let planned = false;

  function plan(): void {
    if (planned || running >= atOnce || waiting.length === 0) return;
    planned = true;
    // Whoever asks in the same step comes along.
    queueMicrotask(() => {
      planned = false;
      running += 1;
      void settle(waiting.splice(0, most)).finally(() => {
        running -= 1;
        plan();
      });
      plan();
    });
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { answer }] of batch.entries()) answer.resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && !concernsAll(error)) for (const each of batch) await settle([each]);
      else for (const { answer } of batch) answer.reject(error);
    }
  }

  return (item) => {
    const answer = Promise.withResolvers<Result>();
    waiting.push({ item, answer });
    plan();
    return answer.promise;
  };
}
