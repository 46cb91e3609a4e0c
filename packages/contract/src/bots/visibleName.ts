import { z } from 'zod';

/**
 * Excludes control characters, line breaks, unpaired surrogates, invisible characters, and characters that change the direction
 * of the surrounding text. Allows the joiners of emoji and of some scripts.
 */
const VISIBLE = /^(?:[\u200c\u200d]|[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0])*$/u;

/** Returns whether a text is one line without invisible characters. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** A name that a user chooses and that is shown within texts of Heron. */
export const visibleName = z.string().trim().min(1).max(40).regex(VISIBLE);
