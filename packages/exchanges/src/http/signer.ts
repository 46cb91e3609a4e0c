import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** Whether a secret is a private key instead of the text of an HMAC key. */
export function isPrivateKey(secret: string): boolean {
  return secret.includes('PRIVATE KEY-----');
}

/**
 * Signs a text: HMAC-SHA-256 in hexadecimal digits, or Ed25519 in base64 when the secret is an Ed25519 private key.
 *
 * @throws TypeError for a private key of another kind
 */
export function signText(secret: string, text: string): string {
  if (!isPrivateKey(secret)) return createHmac('sha256', secret).update(text).digest('hex');
  return sign(null, Buffer.from(text), ed25519KeyOf(secret)).toString('base64');
}

/** @throws TypeError when a secret is a private key that is not Ed25519 */
export function checkSecret(secret: string): void {
  if (isPrivateKey(secret)) ed25519KeyOf(secret);
}

function ed25519KeyOf(pem: string): KeyObject {
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The cause may quote the text.
  }
  if (key?.asymmetricKeyType !== 'ed25519') throw new TypeError('the private key is no Ed25519 key');
  return key;
}
