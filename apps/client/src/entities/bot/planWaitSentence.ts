import type { BotSummary } from '@heron/contract/bots/entities.ts';
import type { Locale } from '../../lib/preferences.ts';

type NextPlan = NonNullable<BotSummary['nextPlan']>;

const DAY_MS = 86_400_000;

/** Returns when the plan of a strategy may start next, as one sentence. @param now present time, ms */
export function planWaitSentence(strategy: string, { by, at }: NextPlan, now: number, { t, format }: Locale): string {
  if (at <= now) return t('plan.closing');
  const when = { time: at - now < DAY_MS ? format.time(at) : format.dateTime(at), left: countdown(at - now) };
  if (by === 'signal') return t('plan.signalAt', when);
  if (by === 'schedule') return t('plan.entryAt', when);
  return t(strategy === 'grid' ? 'plan.gridAt' : 'plan.dealAt', when);
}

/** Returns a time span as `1:44` or `2:03:05`, rounded up to the second. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}
