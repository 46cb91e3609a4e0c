import { createHash } from 'node:crypto';

/** Returns the 32 hexadecimal digits that MEXC assigns to a coin or a pair; here a digest of its name. */
export function nameDigest(name: string): string {
  return createHash('md5').update(name).digest('hex');
}
