import { decimalOf } from '../indicators/decimalWindow.ts';

/** A part of a strategy's state: an indicator, or what holds some. */
type Part = Record<string, unknown>;

/**
 * The state of a strategy as versions 1 and 2 of a saved session had it, in the shape of today: of an indicator over a
 * window its inputs are kept, and its sums are taken from them again. What is only new is left to be filled in.
 *
 * @param fresh state of the same strategy before its first candle
 * @param saved with NaN in place
 */
export function upgradeStrategyState(fresh: unknown, saved: unknown): unknown {
  if (Array.isArray(saved)) {
    return saved.map((item, index) => upgradeStrategyState(Array.isArray(fresh) ? fresh[index] : undefined, item));
  }
  if (!isPart(fresh) || !isPart(saved)) return saved;
  if (isRing(saved)) {
    if ('scale' in fresh) return windowOf(fresh, saved);
    if ('coarse' in fresh) return { ...windowOf(fresh, saved), seen: saved.seen, same: saved.same };
    if (isPart(fresh.threefold)) return { threefold: windowOf(fresh.threefold, threefold(saved)) };
  }
  return Object.fromEntries(
    Object.entries(saved).map(([key, value]) => [key, upgradeStrategyState(fresh[key], value)]),
  );
}

interface Ring extends Part {
  items: number[];
  /** Place of the next input. */
  at: number;
}

/** Looks for a grid at the next input, since `fresh` has none. */
function windowOf(fresh: Part, { items, at }: Ring): Part {
  return { ...fresh, items, at };
}

/** The CCI held typical prices: a third part of what it holds today. */
function threefold(saved: Ring): Ring {
  return { ...saved, items: saved.items.map((typical) => decimalOf(3 * typical)) };
}

function isRing(part: Part): part is Ring {
  return Array.isArray(part.items) && typeof part.at === 'number';
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
