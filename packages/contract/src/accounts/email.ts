/**
 * What a mail server of today takes: one @, a domain with a dot, no quotes, spaces or control characters (RFC 5321 4.5.3.1).
 * Neither `%` and `!`, by which old servers pass mail on to other domains, nor `=?`, which begins an encoded word: an address
 * must not be read as another one on its way.
 */
const EMAIL =
  /^(?=.{6,254}$)(?=.{1,64}@)(?!.*=\?)[A-Za-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9#$&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** Providers whose mailboxes often do not get our codes: `yahoo.` as the name of the domain, not as any part of the address. */
const YAHOO = /(?:^|\.)yahoo(?:\.[a-z]{2,3}){1,2}$/;

/** An e-mail address as it is kept and sent to, or null when it is none. */
export function parseEmail(typed: string): string | null {
  const address = typed.normalize('NFKC').trim();
  if (!EMAIL.test(address)) return null;
  const at = address.lastIndexOf('@');
  return address.slice(0, at + 1) + address.slice(at + 1).toLowerCase();
}

/** What makes two addresses the same: case tells no two mailboxes apart in practice, and a stranger must not get a second one. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** Whether codes to this address are refused. @see accounts.md 5; findings-identity.md: the domain, not the substring */
export function isYahoo(email: string): boolean {
  return YAHOO.test(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}

/** How somebody is called who is known by an e-mail address only: its first letters, without where it is. */
export function maskEmail(email: string): string {
  return `${email.slice(0, email.lastIndexOf('@')).slice(0, 3)}****`;
}
