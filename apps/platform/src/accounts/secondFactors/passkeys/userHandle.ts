/**
 * Returns the id of an account in an authenticator, base64url. It reveals nothing about the person (WebAuthn 14.6.1).
 */
export function userHandleOf(uid: number): string {
  return Buffer.from(`heron ${uid}`).toString('base64url');
}
