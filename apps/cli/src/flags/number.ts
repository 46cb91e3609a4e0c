/**
 * Reads a number of at least 0 from a flag.
 *
 * @throws Error naming the flag
 */
export function readNumber(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`${flag} ${text} must be a number from 0`);
  return value;
}
