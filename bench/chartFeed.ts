import type { CandleHistory } from '@heron/contract/bots/entities.ts';

/** Maximum rate of updates of a bot with one pair: four a second. */
export const UPDATES_A_MINUTE = 240;

/** Returns the history of a bot after days: the same candles with more before them, `candles` in all. */
export function lengthened(history: CandleHistory, candles: number): CandleHistory {
  const missing = candles - history.time.length;
  const before = <Value>(column: Value[], of: (n: number) => Value) => [
    ...Array.from({ length: missing }, (_, index) => of(missing - index)),
    ...column,
  ];
  const again = (column: number[]) => before(column, (n) => column[n % column.length] ?? 1);
  const { time, open, high, low, close, volume, series } = history;
  const [first = 0] = time;
  return {
    ...history,
    ...{ time: before(time, (n) => first - n * 60_000), open: again(open), high: again(high), low: again(low) },
    ...{ close: again(close), volume: again(volume) },
    series: series.map((line) => ({ ...line, values: before(line.values, (n) => close[n % close.length] ?? 1) })),
  };
}

/** Drops prices of the server, so that all updates come from the benchmark. */
interface Tapped {
  receive(message: object): void;
  push(): void;
  pushMinute(): void;
}

/** Runs in the page before its own programs. */
export function tapStream(): void {
  const tapped: Partial<Tapped> = {};
  globalThis.WebSocket = class extends WebSocket {
    override set onmessage(listener: ((event: MessageEvent) => void) | null) {
      super.onmessage = (event: MessageEvent) => {
        if (!/"type":"(quote|candle)"/.test(event.data)) listener?.(event);
      };
      tapped.receive = (message) => listener?.(new MessageEvent('message', { data: JSON.stringify(message) }));
    }
  };
  Object.assign(globalThis, { tapped });
}

/** Runs in the page: from now on it can push, quotes and the forming candle in turn, which closes with its minute. */
export function feedStream(of: {
  id: string;
  pair: string;
  begins: number;
  price: number;
  series: number;
  minuteUpdates: number;
}): void {
  const { tapped } = globalThis as unknown as { tapped: Tapped };
  const { id, pair } = of;
  let n = 0;
  tapped.push = () => {
    n++;
    const now = of.price * (1 + (n % 100) / 10_000);
    const said = now.toFixed(2);
    if (n % 2 === 1) tapped.receive({ type: 'quote', id, pair, at: Date.now(), bid: said, ask: said, last: said });
    else {
      const closed = n % of.minuteUpdates === 0;
      const time = of.begins + Math.floor((n - 1) / of.minuteUpdates) * 60_000;
      const candle = { time, open: of.price, high: now, low: of.price, close: now, volume: n };
      const values = closed ? Array.from({ length: of.series }, () => now) : null;
      tapped.receive({ type: 'candle', id, pair, closed, candle, values });
    }
  };
  tapped.pushMinute = () => {
    for (let pushed = 0; pushed < of.minuteUpdates; pushed++) tapped.push();
  };
}

/** Runs in the page: an hour, drawn once a minute. */
export async function pushHour(): Promise<void> {
  const { tapped } = globalThis as unknown as { tapped: Tapped };
  for (let minute = 0; minute < 60; minute++) {
    tapped.pushMinute();
    await new Promise(requestAnimationFrame);
  }
}

/** Runs in the page: measures ms between frames while updates arrive at an interval. */
export function framesOf({ during, every }: { during: number; every: number }): Promise<number[]> {
  const { tapped } = globalThis as unknown as { tapped: Tapped };
  const pushing = setInterval(tapped.push, every);
  return new Promise((resolve) => {
    const gaps: number[] = [];
    const began = performance.now();
    let before: number | null = null;
    requestAnimationFrame(function next(at) {
      if (before !== null) gaps.push(at - before);
      before = at;
      if (at - began < during) return void requestAnimationFrame(next);
      clearInterval(pushing);
      resolve(gaps);
    });
  });
}
