import type { Apply, Item } from '@heron/engine/options/item.ts';
import type { GivenSetup } from '@heron/engine/options/setup.ts';
import { OPTION_TABLE } from '@heron/engine/options/table.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import { type SetupDraft, typedOptions, typedParams, typedSetup } from './setupDraft.ts';

/** One option or parameter that is to be different. */
export type Difference = {
  /** As it was; undefined for a parameter that the strategy before did not have. */
  readonly from: unknown;
  readonly to: unknown;
  /** When the change acts. @see docs/bot-lifecycle.md#when-option-changes-act */
  readonly acts: Apply;
} & ({ readonly item: Item } | { readonly param: Param });

/** Returns the visible differences between two drafts, in the order of the form. */
export function differences(before: SetupDraft, after: SetupDraft): Difference[] {
  const was: Readonly<Record<string, unknown>> = typedOptions(before);
  const { options, params } = typedSetup(after);
  const found: Difference[] = [];
  for (const item of OPTION_TABLE as readonly Item[]) {
    const [from, to] = [was[item.name], options[item.name]];
    if (item.name in options && !isSame(from, to)) found.push({ item, from, to, acts: item.apply });
  }
  const wasParams = before.texts.strategy === after.texts.strategy ? typedParams(before) : {};
  for (const param of STRATEGIES.get(after.texts.strategy ?? '')?.params ?? []) {
    const [from, to] = [wasParams[param.name], params[param.name]];
    if (param.name in params && !isSame(from, to)) found.push({ param, from, to, acts: 'reload' });
  }
  return found;
}

/** Returns the request body for the differences. */
export function changeOf(found: readonly Difference[]): GivenSetup {
  const options: Record<string, unknown> = {};
  const params: Record<string, unknown> = {};
  for (const difference of found) {
    if ('item' in difference) options[difference.item.name] = difference.to;
    else params[difference.param.name] = difference.to;
  }
  return { options, params };
}

/** Whether two values are the same as JSON; what is no number yet is like nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Number.isNaN(one) || Number.isNaN(other)) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
