/**
 * Returns the address that the user opens on this machine, with `localhost` for a loopback address. Browsers make
 * passkeys for names only, and cookies of the one are not sent to the other.
 *
 * @param url address of the platform, or of a page of it
 */
export function addressToOpen(url: string): string {
  return url.replace(/^http:\/\/(127\.0\.0\.1|\[::1\])(?=[:/]|$)/, 'http://localhost');
}
