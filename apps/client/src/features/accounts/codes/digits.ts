import { CODE_LENGTH } from '@heron/contract/accounts/code.ts';

/** The digits of a code as typed or pasted, with spaces or words around it and also full width; never more than it has. */
export function codeDigits(typed: string): string {
  return typed.normalize('NFKC').replace(/\D/g, '').slice(0, CODE_LENGTH);
}
