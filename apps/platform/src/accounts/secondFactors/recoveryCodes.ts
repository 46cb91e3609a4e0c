import { randomBytes } from 'node:crypto';
import { recoveryCodes } from '@heron/database/schema/accounts.ts';
import { and, count, eq } from 'drizzle-orm';
import type { Queries } from '../core/queries.ts';
import type { SecretKeys } from '../core/secretKeys.ts';

const HOW_MANY = 10;
/** 32 signs that nobody misreads: no 0, 1, l, o. Ten of them are 50 bits. */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 10;

/** Makes new codes in place of the old ones. @returns the codes, which are kept nowhere */
export async function replaceRecoveryCodes(orm: Queries, keys: SecretKeys, userId: number): Promise<string[]> {
  const made = Array.from({ length: HOW_MANY }, newCode);
  await orm.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await orm.insert(recoveryCodes).values(made.map((code) => ({ userId, codeHmac: hmacOf(keys, userId, code) })));
  return made;
}

/** Uses a code up, in one statement: of any number of calls at once, one gets it. */
export async function useRecoveryCode(orm: Queries, keys: SecretKeys, userId: number, typed: string): Promise<boolean> {
  const used = await orm
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHmac, hmacOf(keys, userId, typed))))
    .returning({ userId: recoveryCodes.userId });
  return used.length > 0;
}

export async function countRecoveryCodes(orm: Queries, userId: number): Promise<number> {
  const [row] = await orm.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  return row?.left ?? 0;
}

function newCode(): string {
  const signs = [...randomBytes(LENGTH)].map((byte) => SIGNS[byte % SIGNS.length]);
  return `${signs.slice(0, LENGTH / 2).join('')}-${signs.slice(LENGTH / 2).join('')}`;
}

/** Case, spaces and hyphens do not matter. */
function hmacOf(keys: SecretKeys, userId: number, code: string): string {
  const plain = code.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '');
  return keys.hmac('recovery-codes', String(userId), plain);
}
