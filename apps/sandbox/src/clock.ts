/** Where the sandbox gets its time. Everything it simulates is a function of its seed and of this. */
export type Clock = {
  /** epoch milliseconds */
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
  /** Moves time on by `ms`, calling what falls due in between, in order, each at its own time. */
  advance(ms: number): void;
};

/** A clock that stands still until it is told to move. @param start epoch milliseconds */
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
