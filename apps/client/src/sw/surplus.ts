/** The files of a build are stored under the name of the build. */
export interface StoredBuild {
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
 * @param stored oldest first, in the order of `CacheStorage`
 */
export function surplus(stored: readonly StoredBuild[], own: string): string[] {
  const place = stored.findIndex(({ name }) => name === own);
  const before = stored
    .filter(({ name, taken }) => name !== own && taken !== null)
    .reduce<StoredBuild | null>((last, one) => ((last?.taken ?? 0) < (one.taken ?? 0) ? one : last), null);
  return stored
    .filter(({ name, taken }, at) => name !== own && name !== before?.name && (taken !== null || at < place))
    .map(({ name }) => name);
}
