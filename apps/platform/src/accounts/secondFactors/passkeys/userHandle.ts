/** By which an authenticator knows whose passkey it holds, in base64url: nothing about the person (WebAuthn 14.6.1). */
export function userHandleOf(uid: number): string {
  return Buffer.from(`heron ${uid}`).toString('base64url');
}
