import type { WorldEvent } from './world.ts';

/** The closed candles of each pair that the events of a world bring. A repeated candle counts once. */
export class ClosedCandles {
  private readonly times = new Map<string, { last: number; count: number }>();

  follow(event: WorldEvent): void {
    if (event.type === 'history') for (const { time } of event.candles) this.add(event.market.pair, time);
    if (event.type === 'candle') this.add(event.pair, event.candle.time);
  }

  /** Returns the open time of the last candle; 0 without one. */
  last(pair: string): number {
    return this.times.get(pair)?.last ?? 0;
  }

  count(pair: string): number {
    return this.times.get(pair)?.count ?? 0;
  }

  private add(pair: string, time: number): void {
    if (time > this.last(pair)) this.times.set(pair, { last: time, count: this.count(pair) + 1 });
  }
}
