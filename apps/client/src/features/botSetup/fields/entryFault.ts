import { fieldFaultText } from '@heron/contract/locales/fieldFaultText.ts';
import type { StructureParam } from '@heron/engine/strategies/strategy.ts';

/** Returns the error of a value and the index of the entry it belongs to; null when the value is valid. */
export function entryFault(
  param: StructureParam,
  value: unknown,
  language: 'zh' | 'en',
): { readonly message: string; readonly entry: number | undefined } | null {
  const completed = param.complete(value);
  return completed.ok
    ? null
    : { message: fieldFaultText({ option: param.name, ...completed.fault })[language], entry: completed.entry };
}
