import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import type { Locale } from '../../lib/preferences.ts';
import { isFuture } from './futures.ts';
import { label, reasonLabel } from './labels.ts';

type LastOrder = NonNullable<PairView['lastOrder']>;

const FUTURES_ACTIONS = {
  entry: { long: 'decision.openLong', short: 'decision.openShort' },
  exit: { long: 'decision.closeLong', short: 'decision.closeShort' },
} as const;

/** Returns what a bot did last and what came of it, as one sentence. */
export function decisionSentence(bot: Pick<BotDetail, 'venue'>, order: LastOrder, locale: Locale): string {
  const { kind, direction } = order;
  const spot = kind === 'entry' ? 'decision.buy' : 'decision.sell';
  const action = locale.t(isFuture(bot) ? FUTURES_ACTIONS[kind][direction] : spot);
  return locale.t('decision.sentence', { action, outcome: outcomeOf(order, locale) });
}

function outcomeOf({ end, filled }: LastOrder, locale: Locale): string {
  if (end === null) return locale.t('decision.working');
  return end !== 'filled' && Number(filled) > 0 ? locale.t('decision.inPart') : label('end', end, locale);
}

/** Returns reason, quantity and price of the newest entry or exit, as names and values. */
export function decisionFacts(order: LastOrder, locale: Locale): { name: string; value: string }[] {
  const { reason, quantity, filled, price } = order;
  const { t, format } = locale;
  const facts = [{ name: t('decision.reason'), value: reasonLabel(reason, locale) }];
  if (quantity !== null) {
    const wanted = format.quantity(quantity);
    const done = Number(filled) === Number(quantity) ? wanted : `${format.quantity(filled)} / ${wanted}`;
    facts.push({ name: t('decision.quantity'), value: done });
  }
  if (price !== null) facts.push({ name: t('decision.price'), value: format.price(price) });
  return facts;
}
