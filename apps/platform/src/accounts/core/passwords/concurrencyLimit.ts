/**
 * Limits how many tasks run at once. Further tasks wait in the order of their calls.
 *
 * @returns runs a task and returns its result
 */
export function createConcurrencyLimit(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // A finished task hands its slot to the next one, so that no later call overtakes it.
    if (running >= max) await new Promise<void>((turn) => waiting.push(turn));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
