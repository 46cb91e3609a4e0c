/** Returns a `mailto:` address. An e-mail address may contain `?` and `&`, which could add a recipient of a copy. */
export function mailTo(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
}
