import { parseEmail } from '@heron/contract/accounts/email.ts';
import { parsePhone } from '@heron/contract/accounts/phone.ts';
import { errorText, type Language } from '@heron/contract/http/errors.ts';
import type { TargetKind } from '../codes/target.ts';

/**
 * Parses the typed phone number or e-mail address, or returns its error. Addresses that registration refuses are accepted,
 * because they may have been registered earlier.
 */
export function recoveryTarget(
  kind: TargetKind,
  typed: string,
  language: Language,
): { target: string; fault: null } | { target: null; fault: string } {
  const target = kind === 'email' ? parseEmail(typed) : parsePhone(typed);
  if (target !== null) return { target, fault: null };
  return { target, fault: errorText(typed.trim() === '' ? `${kind}_empty` : `${kind}_invalid`, language) };
}
