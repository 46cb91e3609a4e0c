/**
 * Does at most `most` pieces of work at a time; the others wait and are done in the order in which they came.
 *
 * @returns does a piece of work in its turn, and gives what it gives
 */
export function createConcurrencyLimit(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (work) => {
    // Who is done hands its place over, so that nobody who comes in between takes it.
    if (underWay >= most) await new Promise<void>((turn) => waiting.push(turn));
    else underWay++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay--;
      else next();
    }
  };
}
