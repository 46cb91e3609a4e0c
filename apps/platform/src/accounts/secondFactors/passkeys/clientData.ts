import { z } from 'zod';

/** What the browser itself says of a ceremony (WebAuthn 5.8.1). */
const clientData = z.object({ challenge: z.string(), crossOrigin: z.boolean().optional() });

/**
 * The challenge that an authenticator has answered, to find out whether it is one of ours.
 *
 * @param encoded `clientDataJSON` in base64url
 * @returns null when it cannot be read, or comes from a page within a page of another site
 */
export function challengeOf(encoded: string): string | null {
  try {
    const parsed = clientData.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')));
    return parsed.success && parsed.data.crossOrigin !== true ? parsed.data.challenge : null;
  } catch {
    return null;
  }
}
