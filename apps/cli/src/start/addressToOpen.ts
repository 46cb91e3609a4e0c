/**
 * What a person is told to open on this machine. `localhost` in place of a plain loopback address: browsers make passkeys for
 * names only, and what is kept for one of the two is not there under the other.
 *
 * @param url where the platform listens, or a page of it
 */
export function addressToOpen(url: string): string {
  return url.replace(/^http:\/\/(127\.0\.0\.1|\[::1\])(?=[:/]|$)/, 'http://localhost');
}
