import type { Figure } from './figures.ts';

/** Ratios by figure and by the contender that the figure is compared with. */
export type StoredRatios = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A ratio may fall to this share of the stored one before the check fails. */
const MIN_SHARE = 0.9;

/**
 * Compares measured ratios with stored ones. Ratios depend little on the machine, unlike rates.
 *
 * @returns one line for each ratio that is missing or below 90 % of the stored one
 */
export function ratiosBelow(stored: StoredRatios, figures: readonly Figure[]): string[] {
  return Object.entries(stored).flatMap(([name, ratios]) => {
    const measured = figures.find((figure) => figure.name === name)?.ratios ?? {};
    return Object.entries(ratios).flatMap(([against, expected]) => {
      const ratio = measured[against];
      if (ratio === undefined) return [`${name} × ${against} was not measured; stored is ${expected}`];
      if (ratio >= MIN_SHARE * expected) return [];
      const percent = Math.round((100 * ratio) / expected);
      return [`${name} is ${Number(ratio.toPrecision(3))} × ${against}, ${percent} % of the stored ${expected}`];
    });
  });
}
