import { z } from 'zod';

/** */
export const CODE_LENGTH = 6;
/** Minimum time between two codes for the same purpose and recipient. */
export const CODE_RESEND_SECONDS = 120;

/** Response of methods that send a code. */
export const codeSent = z.object({
  /** Seconds until another code may be sent. */
  seconds: z.number().int(),
  /** False where the installation has no sender. The code is then in the outbox, which administrators can read. */
  sent: z.boolean(),
});

export type CodeSent = z.infer<typeof codeSent>;

/** Returns a typed or pasted code as six digits, or null when it is not a code. */
export function parseCode(typed: string): string | null {
  const digits = typed.slice(0, 100).normalize('NFKC').replace(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}
