import { hash, randomBytes } from 'node:crypto';

/** Returns 256 random bits in base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns whether a text has the form of our tokens. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/**
 * Returns the stored form of a token: SHA-256 in hex. A token with 256 random bits needs neither salt nor a slow hash.
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
