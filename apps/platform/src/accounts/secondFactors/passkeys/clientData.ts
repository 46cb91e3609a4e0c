import { z } from 'zod';

/** Data that the browser adds to a ceremony (WebAuthn 5.8.1). */
const clientData = z.object({ challenge: z.string(), crossOrigin: z.boolean().optional() });

/**
 * Returns the challenge that an authenticator has signed.
 *
 * @param encoded `clientDataJSON` in base64url
 * @returns null when it cannot be parsed, or comes from a frame within a page of another site
 */
export function challengeOf(encoded: string): string | null {
  try {
    const parsed = clientData.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')));
    return parsed.success && parsed.data.crossOrigin !== true ? parsed.data.challenge : null;
  } catch {
    return null;
  }
}
