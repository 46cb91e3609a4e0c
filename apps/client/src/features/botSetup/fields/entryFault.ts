import { faultText } from '@heron/contract/locales/optionFaultText.ts';
import type { StructureParam } from '@heron/engine/strategies/strategy.ts';

/** What is wrong with a value, and with which of its entries if it is one of them; null when nothing is. */
export function entryFault(
  param: StructureParam,
  value: unknown,
  language: 'zh' | 'en',
): { readonly message: string; readonly entry: number | undefined } | null {
  const completed = param.complete(value);
  return completed.ok
    ? null
    : { message: faultText({ option: param.name, ...completed.fault })[language], entry: completed.entry };
}
