import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What a key is for: one for each, so that none can be used in another's place. */
type Purpose = 'codes' | 'recovery-codes' | 'totp' | 'provider-tokens' | 'outbox' | 'notify' | 'hosts' | 'devices';

/** Keys of accounts, which are not in the database: whoever reads only that can neither guess codes nor open secrets. */
export type SecretKeys = {
  /** HMAC-SHA-256 in hex of texts, kept apart from each other. */
  hmac(purpose: Purpose, ...texts: readonly string[]): string;
  /** AES-256-GCM, bound to whose it is: a row that is copied to another account does not open. */
  seal(purpose: Purpose, owner: string, text: string): string;
  /** @throws Error when it was sealed with other keys, for somebody else, or was changed */
  open(purpose: Purpose, owner: string, sealed: string): string;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param secret of the installation, shared by all platforms of one database */
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
      // JSON keeps ("a", "bc") and ("ab", "c") apart.
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
