import type { Apply, Item } from '@heron/engine/options/item.ts';
import type { GivenSetup } from '@heron/engine/options/setup.ts';
import { OPTION_TABLE } from '@heron/engine/options/table.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { type Param, paramApply } from '@heron/engine/strategies/strategy.ts';
import { type SetupDraft, typedOptions, typedParams, typedSetup } from './setupDraft.ts';

/** Describes the change of one option or parameter. */
export type Difference = {
  /** Value before the change; undefined for a parameter that the previous strategy did not have. */
  readonly from: unknown;
  readonly to: unknown;
  /** The time at which the change takes effect. @see docs/bot-lifecycle.md#when-option-changes-act */
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
  const isSameStrategy = before.texts.strategy === after.texts.strategy;
  const wasParams = isSameStrategy ? typedParams(before) : {};
  for (const param of STRATEGIES.get(after.texts.strategy ?? '')?.params ?? []) {
    const [from, to] = [wasParams[param.name], params[param.name]];
    const acts = isSameStrategy ? paramApply(param) : 'reload';
    if (param.name in params && !isSame(from, to)) found.push({ param, from, to, acts });
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

/** Returns whether two values are equal as JSON. NaN, a number that is not typed yet, equals nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Number.isNaN(one) || Number.isNaN(other)) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
