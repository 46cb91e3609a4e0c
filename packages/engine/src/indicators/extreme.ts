/**
 * Highest or lowest of the newest `length` inputs in progress: a queue of those inputs that can still become the extreme,
 * best first, in a ring.
 */
export interface Extreme {
  readonly length: number;
  values: number[];
  /** Which input each value was, from 0. */
  places: number[];
  head: number;
  count: number;
  seen: number;
  /** Extreme of the last `length` inputs; NaN before there were as many. */
  value: number;
}

export function extremeInit(length: number): Extreme {
  return {
    length,
    values: new Array<number>(length).fill(0),
    places: new Array<number>(length).fill(0),
    head: 0,
    count: 0,
    seen: 0,
    value: Number.NaN,
  };
}

/** Highest of the last n inputs. O(1) on average, no allocation. @returns NaN before the first full window */
export function highestNext(extreme: Extreme, x: number): number {
  expire(extreme);
  while (extreme.count > 0 && (extreme.values[tail(extreme)] as number) <= x) extreme.count -= 1;
  return append(extreme, x);
}

/** Lowest of the last n inputs. O(1) on average, no allocation. @returns NaN before the first full window */
export function lowestNext(extreme: Extreme, x: number): number {
  expire(extreme);
  while (extreme.count > 0 && (extreme.values[tail(extreme)] as number) >= x) extreme.count -= 1;
  return append(extreme, x);
}

/** Drops the first of the queue when the window has passed it. */
function expire(extreme: Extreme): void {
  if (extreme.count === 0 || (extreme.places[extreme.head] as number) > extreme.seen - extreme.length) return;
  extreme.head = extreme.head + 1 === extreme.length ? 0 : extreme.head + 1;
  extreme.count -= 1;
}

function tail(extreme: Extreme): number {
  const place = extreme.head + extreme.count - 1;
  return place >= extreme.length ? place - extreme.length : place;
}

function append(extreme: Extreme, x: number): number {
  extreme.count += 1;
  const place = tail(extreme);
  extreme.values[place] = x;
  extreme.places[place] = extreme.seen;
  extreme.seen += 1;
  if (extreme.seen >= extreme.length) extreme.value = extreme.values[extreme.head] as number;
  return extreme.value;
}
