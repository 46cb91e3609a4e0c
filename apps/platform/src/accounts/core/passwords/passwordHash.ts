import { availableParallelism } from 'node:os';
import { MAX_PASSWORD_LENGTH, normalisePassword, passwordLength } from '@heron/contract/accounts/password.ts';
import { hash, verify } from '@node-rs/argon2';
import { createConcurrencyLimit } from './concurrencyLimit.ts';

/**
 * Parameters of argon2id: the setting with the least memory of five equivalent ones in OWASP's Password Storage Cheat
 * Sheet. On processors with a small shared cache it takes two thirds of the time of 19 MiB with two passes.
 */
const COST = { memoryCost: 7_168, timeCost: 5, parallelism: 1 } as const;

/**
 * More hashes than processors slow each other down. At least one of Node's four threads stays free for files and DNS.
 */
const limited = createConcurrencyLimit(Math.min(availableParallelism(), 3));

/**
 * Hash that is verified when the account does not exist, so that the response takes as long. Its password is discarded.
 */
const dummyHash = hash(crypto.randomUUID(), COST);

export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(password, COST));
}

/**
 * Normalises a typed password. A password above the maximum length becomes an empty one, which is never correct and
 * takes as long to verify.
 */
export function passwordToVerify(typed: string): string {
  const password = normalisePassword(typed);
  return passwordLength(password) > MAX_PASSWORD_LENGTH ? '' : password;
}

/**
 * Returns whether a password is correct. Takes equally long when the account does not exist.
 *
 * @param kept hash of the account; null when the account does not exist
 * @param password from `passwordToVerify`
 */
export async function verifyPassword(kept: string | null, password: string): Promise<boolean> {
  const checked = kept ?? (await dummyHash);
  const right = await limited(() => verify(checked, password));
  return right && kept !== null;
}

/** Returns whether a hash has other parameters than the current ones. @param kept in PHC form */
export function isHashOutdated(kept: string): boolean {
  return !kept.startsWith(`$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`);
}
