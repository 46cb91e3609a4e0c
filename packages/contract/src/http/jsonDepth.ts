import { CallError } from './errors.ts';

/** Maximum depth. No valid request or response nests deeper. */
const DEEPEST = 32;

/**
 * Rejects JSON that nests too deeply before it is parsed, so that code for the values may use recursion.
 *
 * @throws CallError `malformed`
 */
export function refuseDeepJson(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === 0x5c) at++;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > DEEPEST) throw new CallError('malformed');
    } else if (character === 0x7d || character === 0x5d) depth--;
  }
}
