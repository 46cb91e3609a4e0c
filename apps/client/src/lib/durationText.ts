import type { Locale } from './preferences.ts';

/** Returns a length of time in its two largest units: "3d 4h", "5m 20s". @param ms at least 0 */
export function durationText(ms: number, { t }: Pick<Locale, 't'>): string {
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return t('duration.days', { days: Math.floor(hours / 24), hours: hours % 24 });
  if (hours > 0) return t('duration.hours', { hours, minutes: minutes % 60 });
  return t('duration.minutes', { minutes, seconds: seconds % 60 });
}
