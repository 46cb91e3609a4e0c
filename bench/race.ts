import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One side of a comparison. */
export interface Contender {
  /** Amount of work of one run: candles, rows or operations. */
  readonly amount: number;
  /** Does the work once. */
  readonly run: () => unknown;
  /**
   * The same work on little input, for the warm-up. After only a few calls, V8 compiles a function in the middle of its loop
   * again in each call, which is slower.
   */
  readonly little?: () => unknown;
}

export interface Lap<Result> {
  /** Median of the timed runs, in `amount` a second. */
  readonly rate: number;
  /** Result of the last run. */
  readonly result: Result;
}

type Laps<Sides extends Readonly<Record<string, Contender>>> = {
  readonly [Name in keyof Sides]: Lap<Awaited<ReturnType<Sides[Name]['run']>>>;
};

const ROUNDS = 7;
/** Minimum duration of the warm-up runs, which are not timed. */
const WARM_UP_MS = 400;
const WARM_UP_RUNS = 2;
/** Shorter work is repeated for this long and averaged, so that one interruption does not decide its figure. */
const LEAST_MS = 50;

setFlagsFromString('--expose-gc');
// Or collecting garbage so often would throw compiled code away as long unused.
setFlagsFromString('--no-flush-bytecode');
// And with the last object of a shape the shape, and all code compiled for it: each turn would begin cold.
setFlagsFromString('--retain-maps-for-n-gc=1000000');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Times contenders against each other: a warm-up of each, then seven rounds with a rotating order. Garbage is
 * collected before each run, so that no contender pays for another.
 */
export async function race<Sides extends Readonly<Record<string, Contender>>>(sides: Sides): Promise<Laps<Sides>> {
  const runners = Object.entries(sides).map(([name, contender]) => ({
    name,
    ...contender,
    times: [] as number[],
    result: undefined as unknown,
  }));
  for (const { run, little } of runners) {
    for (const work of little === undefined ? [run] : [little, run]) {
      const began = performance.now();
      for (let runs = 0; runs < WARM_UP_RUNS || performance.now() - began < WARM_UP_MS; runs++) await work();
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    const order = [...runners.slice(round % runners.length), ...runners.slice(0, round % runners.length)];
    for (const runner of order) {
      runner.result = undefined;
      collectGarbage();
      const began = performance.now();
      let runs = 0;
      let elapsed = 0;
      for (; elapsed < LEAST_MS; runs++) {
        runner.result = await runner.run();
        elapsed = performance.now() - began;
      }
      runner.times.push(elapsed / runs);
    }
  }
  const laps = runners.map(({ name, amount, times, result }) => {
    const median = times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number;
    return [name, { rate: (1000 * amount) / median, result }];
  });
  return Object.fromEntries(laps) as Laps<Sides>;
}
