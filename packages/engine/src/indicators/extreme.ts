/**
 * State of the highest or lowest of the newest `length` inputs. A ring buffer holds a queue of the inputs that can still become
 * the extreme, best first.
 */
export interface Extreme {
  readonly length: number;
  /** Size of the ring buffer less 1; the size is a power of two, so that a slot is `index & mask`. */
  readonly mask: number;
  values: number[];
  /** Index of the input of each value, from 0. */
  places: number[];
  /** Index of the first entry of the queue; `tail` is the index after its last entry. */
  head: number;
  tail: number;
  seen: number;
  /** Extreme of the last `length` inputs; NaN before the first full window. */
  value: number;
}

export function extremeInit(length: number): Extreme {
  const size = 2 ** Math.ceil(Math.log2(length));
  return {
    length,
    mask: size - 1,
    values: new Array<number>(size).fill(0),
    places: new Array<number>(size).fill(0),
    head: 0,
    tail: 0,
    seen: 0,
    value: Number.NaN,
  };
}

/** Returns the highest of the last n inputs. O(1) on average, no allocation. @returns NaN before the first full window */
export function highestNext(extreme: Extreme, x: number): number {
  const { values, mask } = extreme;
  const head = first(extreme);
  let { tail } = extreme;
  while (tail > head && (values[(tail - 1) & mask] as number) <= x) tail -= 1;
  return append(extreme, head, tail, x);
}

/** Returns the lowest of the last n inputs. O(1) on average, no allocation. @returns NaN before the first full window */
export function lowestNext(extreme: Extreme, x: number): number {
  const { values, mask } = extreme;
  const head = first(extreme);
  let { tail } = extreme;
  while (tail > head && (values[(tail - 1) & mask] as number) >= x) tail -= 1;
  return append(extreme, head, tail, x);
}

/** Returns the head of the queue without the input that leaves the window. */
function first({ head, tail, places, mask, seen, length }: Extreme): number {
  return head < tail && (places[head & mask] as number) <= seen - length ? head + 1 : head;
}

function append(extreme: Extreme, head: number, tail: number, x: number): number {
  const { values, mask, seen } = extreme;
  values[tail & mask] = x;
  extreme.places[tail & mask] = seen;
  extreme.head = head;
  extreme.tail = tail + 1;
  extreme.seen = seen + 1;
  if (seen + 1 >= extreme.length) extreme.value = values[head & mask] as number;
  return extreme.value;
}

/** Returns how many inputs ago the extreme of the window was; of equal ones the newest counts. */
export function ageOf({ places, head, mask, seen }: Extreme): number {
  return seen - 1 - (places[head & mask] as number);
}
