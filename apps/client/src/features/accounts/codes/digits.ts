import { CODE_LENGTH } from '@heron/contract/accounts/code.ts';

/**
 * Returns the digits of a typed or pasted code. Drops spaces and words, converts full-width digits, and limits the
 * length.
 */
export function codeDigits(typed: string): string {
  return typed.normalize('NFKC').replace(/\D/g, '').slice(0, CODE_LENGTH);
}
