import { isYahoo, parseEmail } from '@heron/contract/accounts/email.ts';
import { parsePhone } from '@heron/contract/accounts/phone.ts';
import { errorText, type Language } from '@heron/contract/http/errors.ts';

export type TargetKind = 'email' | 'phone';

/**
 * Parses a typed e-mail address or phone number for the server, or returns its error.
 *
 */
export function targetFault(
  kind: TargetKind,
  typed: string,
  language: Language,
): { target: string; fault: null } | { target: null; fault: string } {
  const wrong = (code: Parameters<typeof errorText>[0]) => ({ target: null, fault: errorText(code, language) });
  if (typed.trim() === '') return wrong(`${kind}_empty`);
  const target = kind === 'email' ? parseEmail(typed) : parsePhone(typed);
  if (target === null) return wrong(`${kind}_invalid`);
  return kind === 'email' && isYahoo(target) ? wrong('email_yahoo') : { target, fault: null };
}
