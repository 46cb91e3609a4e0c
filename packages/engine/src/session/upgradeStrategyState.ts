import { decimalOf } from '../indicators/decimalWindow.ts';

/** A part of a strategy's state: an indicator or a container of indicators. */
type Part = Record<string, unknown>;

/**
 * Upgrades the state of a strategy from versions 1 and 2 of a saved session. An indicator over a window keeps its inputs, and
 * its sums are computed from them again. New fields are filled in later.
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

/** Returns a window that finds its scale at the next input, since `fresh` has none. */
function windowOf(fresh: Part, { items, at }: Ring): Part {
  return { ...fresh, items, at };
}

/** Converts typical prices of the CCI, which are a third of the values that it stores today. */
function threefold(saved: Ring): Ring {
  return { ...saved, items: saved.items.map((typical) => decimalOf(3 * typical)) };
}

function isRing(part: Part): part is Ring {
  return Array.isArray(part.items) && typeof part.at === 'number';
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
