/** State of the sum of the newest `length` inputs, for inputs of very different magnitudes. */
export interface RollingSum {
  readonly length: number;
  /** Ring buffer of the newest inputs; zeros before the first full window. */
  items: number[];
  /** Index of the next input, which is that of the oldest one. */
  at: number;
  seen: number;
  /** Sums of the three parts of every input; see {@link addParts}. */
  coarse: number;
  middle: number;
  fine: number;
  /** Number of further inputs until the window has no input beyond {@link LIMIT} and the parts can be summed again. */
  untilExact: number;
  /** Number of newest inputs that are equal. */
  same: number;
}

/** Limit below which the parts of up to 2^13 inputs have exact sums. */
const LIMIT = 2 ** 65;
/** Adding and subtracting these constants rounds to a multiple of 2^26, 2^-14 and 2^-54. */
const TO_COARSE = 1.5 * 2 ** 78;
const TO_MIDDLE = 1.5 * 2 ** 38;
const TO_FINE = 1.5 * 2 ** -2;

export function rollingSumInit(length: number): RollingSum {
  const items = new Array<number>(length).fill(0);
  return { length, items, at: 0, seen: 0, coarse: 0, middle: 0, fine: 0, untilExact: length, same: 0 };
}

/**
 * Returns the sum of the last n inputs, the same to the last bit wherever the history began. O(1), no allocation. Every input is
 * split into multiples of three powers of two, whose sums are exact; parts below 2^-55 are dropped. A window of equal inputs gives
 * exactly n times the input.
 *
 * @returns NaN before the first full window
 */
export function rollingSumNext(rolling: RollingSum, x: number): number {
  const { items, at, length } = rolling;
  rolling.same = x === items[at === 0 ? length - 1 : at - 1] ? rolling.same + 1 : 1;
  const old = items[at] as number;
  items[at] = x;
  rolling.at = at + 1 === length ? 0 : at + 1;
  if (rolling.seen < length) rolling.seen += 1;
  if (rolling.untilExact > 0 || !(Math.abs(x) < LIMIT)) return sumSlow(rolling, x);
  addParts(rolling, x, 1);
  addParts(rolling, old, -1);
  return rolling.same >= length ? x * length : rolling.coarse + rolling.middle + rolling.fine;
}

function addParts(rolling: RollingSum, x: number, sign: number): void {
  const coarse = x + TO_COARSE - TO_COARSE;
  const rest = x - coarse;
  const middle = rest + TO_MIDDLE - TO_MIDDLE;
  rolling.coarse += sign * coarse;
  rolling.middle += sign * middle;
  rolling.fine += sign * (rest - middle + TO_FINE - TO_FINE);
}

function sumSlow(rolling: RollingSum, x: number): number {
  const { items, length, at } = rolling;
  rolling.untilExact = Math.abs(x) < LIMIT ? Math.max(0, rolling.untilExact - 1) : length;
  if (rolling.untilExact === 0) {
    rolling.coarse = 0;
    rolling.middle = 0;
    rolling.fine = 0;
    for (const item of items) addParts(rolling, item, 1);
  }
  if (rolling.seen < length) return Number.NaN;
  if (rolling.same >= length) return x * length;
  if (rolling.untilExact === 0) return rolling.coarse + rolling.middle + rolling.fine;
  let sum = 0;
  for (let i = 0; i < length; i++) sum += items[(at + i) % length] as number;
  return sum;
}
