import { emailKey, parseEmail } from '@heron/contract/accounts/email.ts';
import { isValidName, nameKey, normaliseName } from '@heron/contract/accounts/name.ts';
import { parsePhone } from '@heron/contract/accounts/phone.ts';

/** A normalised identifier of an account. The account need not exist, and each spelling of an identifier gives the same key. */
export type Identifier = {
  readonly kind: 'uid' | 'phone' | 'email' | 'name' | 'nothing';
  readonly key: string;
};

/** Parses a typed text, so that all spellings of one phone number, address or name give the same identifier. */
export function parseIdentifier(typed: string): Identifier {
  const name = normaliseName(typed);
  if (/^[1-9]\d{8}$/.test(name)) return { kind: 'uid', key: name };
  const phone = parsePhone(name);
  if (phone !== null) return { kind: 'phone', key: phone };
  const email = parseEmail(name);
  if (email !== null) return { kind: 'email', key: emailKey(email) };
  return { kind: isValidName(name) ? 'name' : 'nothing', key: nameKey(name) };
}

/** Returns all identifiers of an account. */
export function getIdentifiers({
  uid,
  username,
  email,
  phone,
}: {
  uid: number;
  username: string | null;
  email: string | null;
  phone: string | null;
}): [Identifier, ...Identifier[]] {
  const others = [username, email, phone].filter((each) => each !== null);
  return [parseIdentifier(String(uid)), ...others.map(parseIdentifier)];
}
