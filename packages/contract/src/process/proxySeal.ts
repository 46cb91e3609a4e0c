import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const VERSION = 'sealed1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Seals the addresses of proxies in the database, so that a copy of the database does not reveal their passwords. */
export interface ProxySeal {
  /** Seals an address. It can be opened for the same scope only. */
  seal(scope: string, address: string): string;
  /** Returns the address, or null when it was sealed with another secret. Older versions have stored addresses unsealed. */
  open(scope: string, stored: string): string | null;
}

/** Returns whether a stored address is sealed. */
export function isSealedProxy(stored: string): boolean {
  return stored.startsWith(`${VERSION}.`);
}

/** @param secret of the installation, which the platform and all its bot hosts share */
export function proxySeal(secret: string): ProxySeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'heron proxy addresses', KEY_BYTES));
  return {
    seal(scope, address) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(scope));
      const text = Buffer.concat([cipher.update(address, 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
    },
    open(scope, stored) {
      if (!isSealedProxy(stored)) return stored;
      const bytes = Buffer.from(stored.slice(VERSION.length + 1), 'base64url');
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(scope))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
