/** Steps of a run over several pairs: every open time that any of them has, ascending. */
export interface Timeline {
  readonly time: Float64Array;
  /** Step of each candle by pair; null when candle i is step i. */
  readonly steps: readonly (Int32Array | null)[];
}

/** Merges the open times of several pairs, each ascending. Pairs with the same times share the steps. */
export function timelineOf(times: readonly Float64Array[]): Timeline {
  const [first] = times;
  if (first === undefined) return { time: new Float64Array(0), steps: [] };
  if (times.every((time) => isSame(time, first))) return { time: first, steps: times.map(() => null) };
  const time = mergeTimes(times);
  return { time, steps: times.map((own) => (isSame(own, time) ? null : stepsOf(own, time))) };
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function mergeTimes(times: readonly Float64Array[]): Float64Array {
  const merged = new Float64Array(times.reduce((sum, { length }) => sum + length, 0));
  const at = new Int32Array(times.length);
  let length = 0;
  for (;;) {
    let next = Number.POSITIVE_INFINITY;
    for (let k = 0; k < times.length; k++) {
      const time = times[k]?.[at[k] as number];
      if (time !== undefined && time < next) next = time;
    }
    if (next === Number.POSITIVE_INFINITY) return merged.subarray(0, length);
    for (let k = 0; k < times.length; k++) if (times[k]?.[at[k] as number] === next) at[k] = (at[k] as number) + 1;
    merged[length++] = next;
  }
}

function stepsOf(own: Float64Array, all: Float64Array): Int32Array {
  const steps = new Int32Array(own.length);
  let step = 0;
  for (let i = 0; i < own.length; i++) {
    while (all[step] !== own[i]) step += 1;
    steps[i] = step;
  }
  return steps;
}
