import { parseEmail } from '@heron/contract/accounts/email.ts';
import { parsePhone } from '@heron/contract/accounts/phone.ts';
import { errorText, type Language } from '@heron/contract/http/errors.ts';
import type { TargetKind } from '../codes/target.ts';

/** What a person typed who wants the account back. Any address will do: one that is refused today may be registered. */
export function recoveryTarget(
  kind: TargetKind,
  typed: string,
  language: Language,
): { target: string; fault: null } | { target: null; fault: string } {
  const target = kind === 'email' ? parseEmail(typed) : parsePhone(typed);
  if (target !== null) return { target, fault: null };
  return { target, fault: errorText(typed.trim() === '' ? `${kind}_empty` : `${kind}_invalid`, language) };
}
