/**
 * Remembers the decimals of the asset unit of each pair. They never change, whatever the step size becomes, because bots count
 * what they hold in this unit.
 *
 * @see docs/accounting.md#exact-amounts
 */
export interface AssetUnits {
  /** Returns the decimals by pair. A pair without any gets the proposed ones for good. */
  fix(proposed: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}

/** Remembers units as long as this process runs, where nothing is saved in them. */
export function openAssetUnits(): AssetUnits {
  const fixed = new Map<string, number>();
  return {
    async fix(proposed) {
      for (const [pair, decimals] of proposed) if (!fixed.has(pair)) fixed.set(pair, decimals);
      return fixed;
    },
  };
}
