import { z } from 'zod';

/**
 * No control characters, no line ends, no halves of a character, nothing invisible, and nothing that turns the direction of
 * the text around it. What joins emoji and the letters of some scripts may be there.
 */
const VISIBLE = /^(?:[\u200c\u200d]|[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0])*$/u;

/** Whether a text shows all that is in it, on one line. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** A name that its owner gives to something of theirs, and that is shown among texts of ours. */
export const visibleName = z.string().trim().min(1).max(40).regex(VISIBLE);
