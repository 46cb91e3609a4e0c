import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** Whether a secret is a private key rather than a text that signs by HMAC. */
export function isPrivateKey(secret: string): boolean {
  return secret.includes('PRIVATE KEY-----');
}

/** Signs a text: HMAC-SHA-256 in hexadecimal digits, or Ed25519 in base64 where the secret is such a key. */
export function signText(secret: string, text: string): string {
  if (!isPrivateKey(secret)) return createHmac('sha256', secret).update(text).digest('hex');
  return sign(null, Buffer.from(text), ed25519KeyOf(secret)).toString('base64');
}

/**
 * A secret as the library reads it: of an Ed25519 key the shortest PEM text, since longer ones count as RSA there.
 *
 * @throws TypeError for a private key of another kind
 */
export function librarySecret(secret: string): string {
  if (!isPrivateKey(secret)) return secret;
  const seed = ed25519KeyOf(secret).export({ format: 'jwk' }).d ?? '';
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(seed, 'base64url')]);
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----`;
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
