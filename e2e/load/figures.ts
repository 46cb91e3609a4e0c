import os from 'node:os';

/** Returns p50, p99 and the maximum of some figures, as text. */
export function percentiles(figures: readonly number[]): string {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]?.toFixed(1) ?? '-';
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`;
}

/** Returns the number of cores and the load average, without which the figures mean little. */
export function loadLine(): string {
  const [minute = 0] = os.loadavg();
  return `${os.availableParallelism()} cores, load of the last minute ${minute.toFixed(1)}`;
}
