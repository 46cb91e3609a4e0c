import { parseEmail } from '@heron/contract/accounts/email.ts';
import { parsePhone } from '@heron/contract/accounts/phone.ts';
import type { TargetKind } from './codes/target.ts';

/** This is the length of the longest possible e-mail address. */
const MAX_NAME_LENGTH = 254;

/** Control and format characters are invisible, so that two different names would look the same. */
const INVISIBLE = /\p{C}/u;

/**
 * Returns the account that a link names, to fill a field with; empty for none. A link never submits a form.
 *
 * @param parameter of the query: `username` of the login, `initUser` of the recovery
 */
export function accountInAddress(parameter: 'username' | 'initUser', search = location.search): string {
  const name = new URLSearchParams(search).get(parameter)?.trim() ?? '';
  return name.length > MAX_NAME_LENGTH || INVISIBLE.test(name) ? '' : name;
}

/**
 * Returns the kind of account in a recovery link: by `type`, else by the format of `initUser`; null when neither
 * decides it.
 *
 */
export function recoveryKindInAddress(search = location.search): TargetKind | null {
  const type = new URLSearchParams(search).get('type');
  if (type === 'email') return 'email';
  if (type === 'mobile') return 'phone';
  const account = accountInAddress('initUser', search);
  if (parsePhone(account) !== null) return 'phone';
  return parseEmail(account) === null ? null : 'email';
}
