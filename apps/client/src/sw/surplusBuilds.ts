/** The files of a build are stored under the name of the build. */
export interface StoredBuild {
  readonly name: string;
  /**
   * This is the order in which windows ran the builds, counted upwards; null for a build that no window has run yet.
   */
  readonly activation: number | null;
}

/**
 * Returns the stored builds that are no longer needed once `own` runs. Windows may still run the previous build, and a
 * newer one may be downloading.
 *
 * @param stored oldest first, in the order of `CacheStorage`
 */
export function surplusBuilds(stored: readonly StoredBuild[], own: string): string[] {
  const place = stored.findIndex(({ name }) => name === own);
  const before = stored
    .filter(({ name, activation }) => name !== own && activation !== null)
    .reduce<StoredBuild | null>((last, one) => ((last?.activation ?? 0) < (one.activation ?? 0) ? one : last), null);
  return stored
    .filter(({ name, activation }, at) => name !== own && name !== before?.name && (activation !== null || at < place))
    .map(({ name }) => name);
}
