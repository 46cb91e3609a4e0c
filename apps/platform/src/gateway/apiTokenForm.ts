export const API_TOKEN_PREFIX = 'heron_';

/** Form of an API token: the prefix and 256 bits in base64url. */
export const API_TOKEN_FORM = /^heron_[A-Za-z0-9_-]{43}$/;

/** Returns whether a text contains an API token. */
export function containsApiToken(text: string): boolean {
  return /heron_[\w-]{43}/i.test(text);
}

/** Replaces API tokens in a text that is logged. */
export function redactApiTokens(text: string): string {
  return text.replace(/heron_[\w-]{43}/gi, '[redacted]');
}
