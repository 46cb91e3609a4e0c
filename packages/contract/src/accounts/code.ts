import { z } from 'zod';

/** @see accounts.md 9 */
export const CODE_LENGTH = 6;
/** Time between two codes for the same purpose and recipient. @see accounts.md 4 */
export const CODE_RESEND_SECONDS = 120;

/** Answer to what sends a code. */
export const codeSent = z.object({
  /** Seconds until another one may be sent. */
  seconds: z.number().int(),
  /** False where the installation has no sender: the code lies in the outbox, where an administrator finds it. */
  sent: z.boolean(),
});

export type CodeSent = z.infer<typeof codeSent>;

/** A typed or pasted code as six digits, or null when it is none. */
export function parseCode(typed: string): string | null {
  const digits = typed.slice(0, 100).normalize('NFKC').replace(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}
