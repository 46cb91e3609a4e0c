import { randomBytes } from 'node:crypto';
import { recoveryCodes } from '@heron/database/schema/accounts.ts';
import { and, count, eq } from 'drizzle-orm';
import type { Queries } from '../core/queries.ts';
import type { SecretKeys } from '../core/secretKeys.ts';

const CODE_COUNT = 10;
/** 32 characters that people do not confuse: no 0, 1, l, o. Ten of them have 50 bits. */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 10;

/** Replaces the recovery codes of a user. @returns the codes, which are not stored */
export async function replaceRecoveryCodes(orm: Queries, keys: SecretKeys, userId: number): Promise<string[]> {
  const made = Array.from({ length: CODE_COUNT }, newCode);
  await orm.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await orm.insert(recoveryCodes).values(made.map((code) => ({ userId, codeHmac: hmacOf(keys, userId, code) })));
  return made;
}

/** Uses up a code in one statement, so that only one of several concurrent calls succeeds. */
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

/** Ignores case, spaces and hyphens. */
function hmacOf(keys: SecretKeys, userId: number, code: string): string {
  const plain = code.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '');
  return keys.hmac('recovery-codes', String(userId), plain);
}
