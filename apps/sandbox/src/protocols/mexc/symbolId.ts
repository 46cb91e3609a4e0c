import { createHash } from 'node:crypto';

/** The 32 hexadecimal digits that MEXC has for a coin or a pair beside its name; here a digest of the name. */
export function nameDigest(name: string): string {
  return createHash('md5').update(name).digest('hex');
}
