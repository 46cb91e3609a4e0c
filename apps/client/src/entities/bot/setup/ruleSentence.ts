import { FIELD_LABELS, INDICATOR_LABELS, OPERATOR_LABELS, OUTPUT_LABELS } from '@heron/contract/locales/ruleLabels.ts';
import { type Part, type Reference, targetOf } from '@heron/engine/strategies/custom/part.ts';
import { PART_KINDS } from '@heron/engine/strategies/custom/partKinds.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import type { Side } from './ruleParts.ts';

/** Returns the title of a part, such as "MACD (12, 26, 9)", with its place where another part has the same title. */
export function partTitle(part: Part, parts: readonly Part[], preferences: Preferences): string {
  const title = titleOf(part, preferences);
  return parts.filter((each) => titleOf(each, preferences) === title).length > 1
    ? `${title} #${parts.indexOf(part) + 1}`
    : title;
}

function titleOf({ indicator, input }: Part, { language, format }: Preferences): string {
  const figures = Object.keys(PART_KINDS.get(indicator)?.inputs ?? {}).map((name) => {
    const figure = input[name];
    return figure !== undefined && Number.isFinite(figure) ? format.quantity(figure) : '—';
  });
  const title = INDICATOR_LABELS[indicator]?.[language] ?? indicator;
  return figures.length === 0 ? title : `${title} (${figures.join(', ')})`;
}

/** Returns the label of an output of a part. */
export function outputLabel(part: Part, output: string, parts: readonly Part[], preferences: Preferences): string {
  const title = partTitle(part, parts, preferences);
  if ((PART_KINDS.get(part.indicator)?.outputs.length ?? 0) < 2) return title;
  return `${title} ${OUTPUT_LABELS[output]?.[preferences.language] ?? output}`;
}

function referenceLabel(reference: Reference, part: Part, parts: readonly Part[], preferences: Preferences): string {
  const target = targetOf(reference, part, parts);
  if (target === null) return String(reference);
  if ('number' in target) return Number.isFinite(target.number) ? preferences.format.quantity(target.number) : '—';
  if ('field' in target) return FIELD_LABELS[target.field][preferences.language];
  const owner = parts.find(({ name }) => name === target.part);
  return owner ? outputLabel(owner, target.output, parts, preferences) : String(reference);
}

/** Returns a sentence that says when a rule buys or sells. */
export function ruleSentence(parts: readonly Part[], side: Side, preferences: Preferences): string {
  const { t, language } = preferences;
  let rule = '';
  for (const part of parts) {
    const point = part[side];
    if (point.connect === 'none') continue;
    const sentence = [
      referenceLabel(point.source, part, parts, preferences),
      OPERATOR_LABELS[point.op][language],
      referenceLabel(point.target, part, parts, preferences),
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
