import { FIELD_LABELS, INDICATOR_LABELS, OPERATOR_LABELS, OUTPUT_LABELS } from '@heron/contract/locales/ruleLabels.ts';
import { type Part, type Reference, targetOf } from '@heron/engine/strategies/custom/part.ts';
import { PART_KINDS } from '@heron/engine/strategies/custom/partKinds.ts';
import type { Locale } from '../../../lib/preferences.ts';
import type { Side } from './ruleParts.ts';

/** Returns the title of a part, such as "MACD (12, 26, 9)", with its place where another part has the same title. */
export function partTitle(part: Part, parts: readonly Part[], locale: Locale): string {
  const title = titleOf(part, locale);
  return parts.filter((each) => titleOf(each, locale) === title).length > 1
    ? `${title} #${parts.indexOf(part) + 1}`
    : title;
}

function titleOf({ indicator, input }: Part, { language, format }: Locale): string {
  const figures = Object.keys(PART_KINDS.get(indicator)?.inputs ?? {}).map((name) => {
    const figure = input[name];
    return figure !== undefined && Number.isFinite(figure) ? format.quantity(figure) : '—';
  });
  const title = INDICATOR_LABELS[indicator]?.[language] ?? indicator;
  return figures.length === 0 ? title : `${title} (${figures.join(', ')})`;
}

/** Returns the label of an output of a part. */
export function outputLabel(part: Part, output: string, parts: readonly Part[], locale: Locale): string {
  const title = partTitle(part, parts, locale);
  if ((PART_KINDS.get(part.indicator)?.outputs.length ?? 0) < 2) return title;
  return `${title} ${OUTPUT_LABELS[output]?.[locale.language] ?? output}`;
}

function referenceLabel(reference: Reference, part: Part, parts: readonly Part[], locale: Locale): string {
  const target = targetOf(reference, part, parts);
  if (target === null) return String(reference);
  if ('number' in target) return Number.isFinite(target.number) ? locale.format.quantity(target.number) : '—';
  if ('field' in target) return FIELD_LABELS[target.field][locale.language];
  const owner = parts.find(({ name }) => name === target.part);
  return owner ? outputLabel(owner, target.output, parts, locale) : String(reference);
}

/** Returns a sentence that says when a rule buys or sells. */
export function ruleSentence(parts: readonly Part[], side: Side, locale: Locale): string {
  const { t, language } = locale;
  let rule = '';
  for (const part of parts) {
    const point = part[side];
    if (point.connect === 'none') continue;
    const sentence = [
      referenceLabel(point.source, part, parts, locale),
      OPERATOR_LABELS[point.op][language],
      referenceLabel(point.target, part, parts, locale),
    ].join(' ');
    // A base condition replaces the conditions before it.
    rule =
      rule === '' || point.connect === 'base'
        ? sentence
        : t(point.connect === 'and' ? 'rule.joined_and' : 'rule.joined_or', { before: rule, next: sentence });
  }
  const buys = side === 'buyPoint';
  if (rule === '') return t(buys ? 'rule.neverBuys' : 'rule.neverSells');
  return t(buys ? 'rule.buys' : 'rule.sells', { rule });
}
