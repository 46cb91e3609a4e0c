import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Each purpose has its own key, so that a value of one purpose is invalid for another. */
type Purpose = 'codes' | 'recovery-codes' | 'totp' | 'provider-tokens' | 'outbox' | 'notify' | 'hosts' | 'devices';

/**
 * Keys derived from the secret of the installation. They are not stored, so that a copy of the database reveals no
 * codes or secrets.
 */
export type SecretKeys = {
  /** Returns HMAC-SHA-256 in hex of a list of texts. */
  hmac(purpose: Purpose, ...texts: readonly string[]): string;
  /** Encrypts with AES-256-GCM, bound to the owner: a row copied to another account cannot be opened. */
  seal(purpose: Purpose, owner: string, text: string): string;
  /** @throws Error when the text was sealed with another key or for another owner, or was changed */
  open(purpose: Purpose, owner: string, sealed: string): string;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param secret of the installation, shared by all platforms on one database */
export function createSecretKeys(secret: string): SecretKeys {
  const keys = new Map<Purpose, Buffer>();
  function keyOf(purpose: Purpose): Buffer {
    const known = keys.get(purpose);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', secret, '', `heron accounts ${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  }
  return {
    hmac(purpose, ...texts) {
      // JSON distinguishes ("a", "bc") from ("ab", "c").
      return createHmac('sha256', keyOf(purpose)).update(JSON.stringify(texts)).digest('hex');
    },
    seal(purpose, owner, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(purpose), nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(purpose, owner, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', keyOf(purpose), nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(tag);
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
