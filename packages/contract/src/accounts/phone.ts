/** Mainland: eleven digits, a 1 and then 3 to 9, the wider of the specification's two readings. @see accounts.md 5 */
const PHONE = /^1[3-9]\d{9}$/;

/** A mainland phone number as eleven digits, also when typed with +86, spaces or hyphens; null when it is none. */
export function parsePhone(typed: string): string | null {
  const digits = typed
    .normalize('NFKC')
    .replace(/[\s-]/g, '')
    .replace(/^(?:\+|00)86/, '');
  return PHONE.test(digits) ? digits : null;
}

/** How a number is shown where it stands for a name: first three digits, four stars, last four. @see accounts.md 5 */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}****${phone.slice(-4)}`;
}
