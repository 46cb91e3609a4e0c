/**
 * Matches mainland numbers: eleven digits, the first 1, the second 3 to 9. This is the wider of the specification's two patterns.
 *
 */
const PHONE = /^1[3-9]\d{9}$/;

/** Returns a typed mainland phone number as eleven digits, without +86, spaces and hyphens; null when it is invalid. */
export function parsePhone(typed: string): string | null {
  const digits = typed
    .normalize('NFKC')
    .replace(/[\s-]/g, '')
    .replace(/^(?:\+|00)86/, '');
  return PHONE.test(digits) ? digits : null;
}

/** Masks a number that is shown as a name: first three digits, four stars, last four digits. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}****${phone.slice(-4)}`;
}
