import type { FaultDetail, OptionFault } from '@heron/engine/options/fault.ts';
import { faultText as en } from './en/optionFaults.ts';
import type { Text } from './text.ts';
import { faultText as zh } from './zh/optionFaults.ts';

/** A fault with its text, for API responses. */
export interface DescribedFault {
  readonly option: string;
  readonly isParam?: true;
  readonly message: Text;
  readonly range?: readonly [number, number];
}

/** Describes why a value was rejected, in both languages. */
export function faultText(fault: FaultDetail & { readonly option?: string }): Text {
  const named = { option: '', ...fault };
  return { zh: zh(named), en: en(named) };
}

/** Adds the text to a fault. */
export function describeFault(fault: OptionFault): DescribedFault {
  const { option, isParam, range } = fault;
  return { option, ...(isParam && { isParam }), message: faultText(fault), ...(range && { range }) };
}
