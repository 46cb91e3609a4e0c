/** Counts the events of a long run and measures its durations. */
export interface Tally {
  count(what: string): void;
  of(what: string): number;
  timed<T>(what: string, action: () => Promise<T>): Promise<T>;
  /** Prints the result of one of many steps, and the durations since the previous one. */
  printStep(what: string): void;
  /** Prints all counts and durations. */
  printTotals(head: string): void;
}

export function openTally(): Tally {
  const began = performance.now();
  const counts = new Map<string, number>();
  const spent = new Map<string, number>();
  let latest: string[] = [];
  const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

  return {
    count(what) {
      counts.set(what, (counts.get(what) ?? 0) + 1);
    },
    of: (what) => counts.get(what) ?? 0,
    async timed(what, action) {
      const from = performance.now();
      try {
        return await action();
      } finally {
        const took = performance.now() - from;
        spent.set(what, (spent.get(what) ?? 0) + took);
        latest.push(`${what} ${seconds(took)}`);
      }
    },
    printStep(what) {
      process.stdout.write(`${what} (${latest.join(', ')})\n`);
      latest = [];
    },
    printTotals(head) {
      const happened = [...counts].map(([what, times]) => `${what} ${times}`).join(', ');
      const times = [...spent].map(([what, ms]) => `${what} ${seconds(ms)}`).join(', ');
      process.stdout.write(`${head} in ${seconds(performance.now() - began)}\n  ${happened}\n  ${times}\n`);
    },
  };
}
