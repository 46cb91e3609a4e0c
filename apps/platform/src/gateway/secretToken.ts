import { hash, randomBytes } from 'node:crypto';

/** 256 random bits in base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text can be one of our tokens at all. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Under which a token is kept: SHA-256 in hex. The token has 256 random bits, so that no salt and no slow hash is needed. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
