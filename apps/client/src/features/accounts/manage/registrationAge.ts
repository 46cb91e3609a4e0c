import type { Language } from '../../../locales/texts.ts';

const DAY_S = 86_400;

/** The longest unit is first; a unit counts once it has passed. Months have 30 days and years 365. */
const UNITS = [
  { unit: 'year', seconds: 365 * DAY_S },
  { unit: 'month', seconds: 30 * DAY_S },
  { unit: 'day', seconds: DAY_S },
] as const;

/**
 * Returns the time since the registration, such as "3 years"; null for less than a day.
 *
 * @param registered unix seconds
 * @param now unix seconds
 */
export function registrationAge(registered: number, now: number, language: Language): string | null {
  const age = now - registered;
  const largest = UNITS.find(({ seconds }) => age >= seconds);
  if (largest === undefined) return null;
  const format = { style: 'unit', unit: largest.unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, format).format(Math.floor(age / largest.seconds));
}
