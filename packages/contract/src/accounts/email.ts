/**
 * Matches addresses that current mail servers accept: one @, a domain with a dot, no quotes, spaces or control characters
 * (RFC 5321 4.5.3.1). Excludes `%` and `!`, by which old servers relay mail to other domains, and `=?`, which begins an encoded
 * word. No server may interpret an address as another one.
 */
const EMAIL =
  /^(?=.{6,254}$)(?=.{1,64}@)(?!.*=\?)[A-Za-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9#$&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** Matches domains whose mailboxes often do not receive codes: `yahoo.` as the domain, not in other parts of the address. */
const YAHOO = /(?:^|\.)yahoo(?:\.[a-z]{2,3}){1,2}$/;

/** Returns a typed e-mail address in its stored form, with the domain in lower case; null when it is invalid. */
export function parseEmail(typed: string): string | null {
  const address = typed.normalize('NFKC').trim();
  if (!EMAIL.test(address)) return null;
  const at = address.lastIndexOf('@');
  return address.slice(0, at + 1) + address.slice(at + 1).toLowerCase();
}

/** Returns a key that is equal for equal addresses. Case is ignored, because mailboxes rarely differ in case only. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** Returns whether codes to this address are rejected. Compares the domain, not a substring. */
export function isYahoo(email: string): boolean {
  return YAHOO.test(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}

/** Returns a name for a user with only an e-mail address: its first three characters, without the domain. */
export function maskEmail(email: string): string {
  return `${email.slice(0, email.lastIndexOf('@')).slice(0, 3)}****`;
}
