import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import { journalSentence } from '../../../entities/bot/journalSentence.ts';
import { label, reasonLabel } from '../../../entities/bot/labels.ts';
import type { Locale } from '../../../lib/preferences.ts';
import type { Decision } from './decisions.ts';

/** Returns a decision in one sentence: the outcome of an order with its reason, or the only entry. */
export function decisionTitle({ order, lines }: Decision, locale: Locale): string {
  const [first] = lines;
  if (first === undefined) return '';
  if (order === null) return journalSentence(first, locale);
  const { t, format } = locale;
  const known = lines.findLast(({ kind }) => kind === 'intent_end') ?? lines.findLast(({ data }) => 'reason' in data);
  const side = lines.find(({ data }) => data.side === 'buy' || data.side === 'sell')?.data.side;
  const isOutside = lines.some(({ kind, data }) => kind === 'command' && data.source === 'signal');
  const reason = isOutside ? t('journal.bySignal') : reasonLabel(known?.data.reason, locale);
  const { quantity, price } = filledOf(lines);
  if (quantity > 0) {
    const filled = { quantity: format.quantity(exactText(quantity)), price: format.price(price), reason };
    return t(side === 'sell' ? 'journal.sold' : 'journal.bought', filled);
  }
  const wanted =
    lines.find(({ kind }) => kind === 'intent')?.data.quantity ??
    lines.find(({ kind }) => kind === 'order')?.data.quantity;
  const of = { quantity: wanted == null ? '' : format.quantity(String(wanted)), reason };
  if (known?.kind !== 'intent_end') return t(side === 'sell' ? 'journal.selling' : 'journal.buying', of);
  return t(side === 'sell' ? 'journal.notSold' : 'journal.notBought', {
    ...of,
    how: label('end', known.data.how, locale),
  });
}

/** Returns the filled quantity and its average price: those of the finished order, or of the fills so far. */
function filledOf(lines: readonly JournalEntry[]): { quantity: number; price: number } {
  const end = lines.findLast(({ kind }) => kind === 'intent_end');
  if (end) return { quantity: Number(end.data.filled), price: Number(end.data.averagePrice) };
  let quantity = 0;
  let value = 0;
  for (const { kind, data } of lines) {
    if (kind !== 'fill') continue;
    quantity += Number(data.quantity);
    value += Number(data.quantity) * Number(data.price);
  }
  return { quantity, price: quantity === 0 ? 0 : value / quantity };
}

/** Returns a quantity without the rounding of sums in floating point. */
const exactText = (quantity: number) => Number(quantity.toFixed(8));
