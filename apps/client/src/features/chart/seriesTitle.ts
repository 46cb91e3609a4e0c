import { SERIES_LABELS } from '@heron/contract/locales/seriesLabels.ts';
import { paramTitle } from '@heron/contract/locales/strategyTexts.ts';
import { findParam } from '@heron/engine/strategies/catalogue.ts';
import type { Part } from '@heron/engine/strategies/custom/part.ts';
import { membersIn } from '../../entities/bot/setup/members.ts';
import { partsIn } from '../../entities/bot/setup/ruleParts.ts';
import { outputLabel } from '../../entities/bot/setup/ruleSentence.ts';
import { strategyTitle } from '../../entities/bot/strategyTitle.ts';
import type { Preferences } from '../../lib/preferences.ts';

/** Holds a strategy and its parameters. */
export interface Chosen {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Returns the title of a line `part.output` of an indicator. */
export function indicatorTitle(parts: readonly Part[], series: string, preferences: Preferences): string {
  const dot = series.indexOf('.');
  const part = parts.find(({ name }) => name === series.slice(0, dot));
  return part ? outputLabel(part, series.slice(dot + 1), parts, preferences) : series;
}

/**
 * Returns the title of a strategy's line. A rule uses the title of the part, a vote the title of the member and of its line.
 * All others use the title of the parameter with the same name, or their own title.
 */
export function seriesTitle({ id, params }: Chosen, series: string, preferences: Preferences): string {
  const { language } = preferences;
  const dot = series.indexOf('.');
  if (dot > 0 && id === 'vote') {
    const members = membersIn(params.members);
    const place = Number(series.slice(0, dot)) - 1;
    const member = members[place];
    if (member === undefined) return series;
    const title = strategyTitle(member.id, preferences);
    const twice = members.filter((other) => other.id === member.id).length > 1;
    const line = seriesTitle(member, series.slice(dot + 1), preferences);
    return `${title}${twice ? ` #${place + 1}` : ''}${line === title ? '' : ` · ${line}`}`;
  }
  if (dot > 0) {
    return indicatorTitle(partsIn(params.parts), series, preferences);
  }
  const param = findParam(id, series);
  return (param === undefined ? SERIES_LABELS[series] : paramTitle(param))?.[language] ?? series;
}
