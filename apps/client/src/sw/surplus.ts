/** Files of a build as they are kept. */
export interface KeptBuild {
  readonly name: string;
  /** Which of the builds that windows ran it was, counted up; null for one that none has run yet. */
  readonly taken: number | null;
}

/**
 * Which of the builds that are kept nobody needs any more, once `own` runs: windows may still run the one before, and a
 * newer one may be on its way.
 *
 * @param kept oldest first, as `CacheStorage` tells them
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
