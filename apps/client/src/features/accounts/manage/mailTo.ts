/** The address of a link that begins a message. An e-mail address may hold `?` and `&`, after which a copy could be asked for. */
export function mailTo(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
}
