import { availableParallelism } from 'node:os';
import { MAX_PASSWORD_LENGTH, normalisePassword, passwordLength } from '@heron/contract/accounts/password.ts';
import { hash, verify } from '@node-rs/argon2';
import { createConcurrencyLimit } from './concurrencyLimit.ts';

/**
 * argon2id. Of the five settings that OWASP's Password Storage Cheat Sheet calls equal, the one that takes the least memory:
 * where processors share little cache it takes two thirds of the time of 19 MiB and two passes. The algorithm is the library's
 * default.
 */
const COST = { memoryCost: 7_168, timeCost: 5, parallelism: 1 } as const;

/**
 * More at a time than there are processors take longer each. One of Node's four threads stays free at least: files and names
 * are read by the same ones, and would wait for every login of a flood.
 */
const inTurn = createConcurrencyLimit(Math.min(availableParallelism(), 3));

/** Checked when there is no such account, so that the answer takes as long. Nobody's password: its text is thrown away. */
const nobodysHash = hash(crypto.randomUUID(), COST);

/** @param password normalised */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/**
 * A typed password in the form in which it is checked. None is longer than what may be set: that becomes an empty one, which is
 * nobody's and takes as long to check as any.
 */
export function passwordToVerify(typed: string): string {
  const password = normalisePassword(typed);
  return passwordLength(password) > MAX_PASSWORD_LENGTH ? '' : password;
}

/**
 * Whether a password is right. Takes equally long for an account that does not exist.
 *
 * @param kept hash of the account; null when there is no such account
 * @param password from `checkedForm`
 */
export async function verifyPassword(kept: string | null, password: string): Promise<boolean> {
  const checked = kept ?? (await nobodysHash);
  const right = await inTurn(() => verify(checked, password));
  return right && kept !== null;
}

/** Whether a hash was made with other parameters than today's. @param kept in PHC form */
export function isHashOutdated(kept: string): boolean {
  return !kept.startsWith(`$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`);
}
