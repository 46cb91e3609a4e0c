/** The time of the sandbox. Its simulation depends on the seed and on this alone. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `callback` every `intervalMs`. @returns a function that stops it */
  every(intervalMs: number, callback: () => void): () => void;
};

/** The machine's clock. */
export const wallClock: Clock = {
  now: () => Date.now(),
  every(intervalMs, callback) {
    const timer = setInterval(callback, intervalMs);
    return () => clearInterval(timer);
  },
};

export type VirtualClock = Clock & {
  /** Advances the time by `ms` and calls the timers that fall due, in order, each at its own time. */
  advance(ms: number): void;
};

/** Creates a clock that moves only by `advance`. @param start epoch milliseconds */
export function virtualClock(start: number): VirtualClock {
  let now = start;
  let order = 0;
  const timers = new Set<{ due: number; interval: number; order: number; callback: () => void }>();
  return {
    now: () => now,
    every(interval, callback) {
      const timer = { due: now + interval, interval, order: order++, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        let next: { due: number; interval: number; order: number; callback: () => void } | undefined;
        for (const timer of timers) {
          if (timer.due > end) continue;
          if (!next || timer.due < next.due || (timer.due === next.due && timer.order < next.order)) next = timer;
        }
        if (!next) break;
        now = next.due;
        next.due += next.interval;
        next.callback();
      }
      now = end;
    },
  };
}
