/** The files of a build are stored under the name of the build. */
export interface KeptBuild {
  readonly name: string;
  /**
   * This is the order in which windows ran the builds, counted upwards; null for a build that no window has run yet.
   */
  readonly taken: number | null;
}

/**
 * Returns the stored builds that are no longer needed once `own` runs. Windows may still run the previous build, and a
 * newer one may be downloading.
 *
 * @param kept oldest first, in the order of `CacheStorage`
 */
export function surplus(kept: readonly KeptBuild[], own: string): string[] {
  const place = kept.findIndex(({ name }) => name === own);
  const before = kept
    .filter(({ name, taken }) => name !== own && taken !== null)
    .reduce<KeptBuild | null>((last, one) => ((last?.taken ?? 0) < (one.taken ?? 0) ? one : last), null);
  return kept
    .filter(({ name, taken }, at) => name !== own && name !== before?.name && (taken !== null || at < place))
    .map(({ name }) => name);
}
