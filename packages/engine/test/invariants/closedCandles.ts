import { expect } from 'vitest';
import type { WorldEvent } from './world.ts';

/** The closed candles of each pair that the events of a world bring. A repeated candle counts once. */
export class ClosedCandles {
  private readonly times = new Map<string, { last: number; count: number }>();

  follow(event: WorldEvent): void {
    if (event.type === 'history') for (const { time } of event.candles) this.add(event.market.pair, time);
    if (event.type === 'candle') this.add(event.pair, event.candle.time);
  }

  /** Returns the open time of the last candle; 0 without one. */
  private last(pair: string): number {
    return this.times.get(pair)?.last ?? 0;
  }

  private count(pair: string): number {
    return this.times.get(pair)?.count ?? 0;
  }

  /** Expects a pair to have enough candles for its indicators and to miss none, which entries need. */
  expectCurrent(pair: string, at: number, warmup: number): void {
    expect(this.count(pair)).toBeGreaterThanOrEqual(warmup);
    // A candle counts as missed 10 s after the close of the next one.
    expect(at).toBeLessThanOrEqual(this.last(pair) + 2 * 60_000 + 10_000);
  }

  private add(pair: string, time: number): void {
    if (time > this.last(pair)) this.times.set(pair, { last: time, count: this.count(pair) + 1 });
  }
}
