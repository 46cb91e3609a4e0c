import { readAmount } from '../../../lib/amount.ts';
import type { AmountUnit } from '../../../lib/roundedAmount.ts';

/** The amount of an entry as the user enters it. */
export interface EntryAmount {
  readonly text: string;
  readonly unit: AmountUnit;
  /** The user chose all that is available, which may shrink until the order arrives. */
  readonly all: boolean;
}

export const NO_AMOUNT: EntryAmount = { text: '', unit: 'quote', all: false };

/** Returns the fields of an order for an amount; none while it is not a number above 0. */
export function amountFields({ text, unit, all }: EntryAmount) {
  const amount = readAmount(text);
  if (amount === null || !/[1-9]/.test(amount)) return {};
  return { ...(unit === 'quote' ? { value: amount } : { quantity: amount }), ...(all && { limitToAvailable: true }) };
}
