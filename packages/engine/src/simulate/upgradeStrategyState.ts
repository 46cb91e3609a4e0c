/** A part of a strategy's state: an indicator, or what holds some. */
type Part = Record<string, unknown>;

/**
 * The state of a strategy as version 1 of a saved session had it, with what indicators keep beside it today: running sums
 * of the ring that were taken anew from the ring then. What is only new there is left to be filled in.
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
    if ('freshWeighted' in fresh) return upgradeWma(saved);
    if ('fresh' in fresh) return { ...saved, fresh: ringSum(saved, () => 1) };
    if ('moved' in fresh) return upgradeDeviation(saved);
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

function upgradeWma(saved: Ring): Part {
  return { ...saved, freshSum: ringSum(saved, () => 1), freshWeighted: ringSum(saved, (index) => index + 1) };
}

/** What the squares moved by since they were summed anew was at least the greatest value that they had. */
function upgradeDeviation({ same: _, peak, ...saved }: Ring): Part {
  return { ...saved, moved: peak };
}

/** Weighted sum of the inputs since the ring began anew, in the order in which they came. */
function ringSum({ items, at }: Ring, weight: (index: number) => number): number {
  return items.slice(0, at).reduce((sum, item, index) => sum + weight(index) * item, 0);
}

function isRing(part: Part): part is Ring {
  return Array.isArray(part.items) && typeof part.at === 'number';
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
