/**
 * Remembers the decimals of the asset unit of each pair, in which all bots count what they hold. A unit stays, whatever the
 * step size becomes, as long as a bot counts in it.
 *
 * @see docs/accounting.md#exact-amounts
 */
export interface AssetUnits {
  /** Returns the decimals of all pairs. A pair without any gets the proposed ones. */
  reserve(proposed: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
  /**
   * Gives pairs a finer unit, unless a bot counts in the present one. No process may still offer them in the present unit.
   *
   * @returns the decimals of all pairs
   */
  refine(finer: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
}

/** Remembers units as long as this process runs, where nothing is saved in them. */
export function openAssetUnits(): AssetUnits {
  const reserved = new Map<string, number>();
  return {
    async reserve(proposed) {
      for (const [pair, decimals] of proposed) if (!reserved.has(pair)) reserved.set(pair, decimals);
      return reserved;
    },
    // Bots of this process may count in the present units.
    refine: async () => reserved,
  };
}
