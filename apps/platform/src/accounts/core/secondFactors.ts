import type { PasskeyLoginAnswer } from '@heron/contract/accounts/passkeyAnswer.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { passkeys, totps } from '@heron/database/schema/accounts.ts';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Caller } from '../../gateway/methods.ts';
import type { Queries } from './queries.ts';
import type { User } from './users.ts';

/** Kinds of second factors, in the order in which the client offers them. */
const SECOND_FACTORS = ['totp', 'passkey'] as const;
export type SecondFactorKind = (typeof SECOND_FACTORS)[number];

/** A second factor that a caller presents. */
export type ShownFactor =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: string }
  | { readonly kind: 'passkey'; readonly answer: PasskeyLoginAnswer };

/** Fields of a payload that present a second factor. */
export type FactorFields = {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly passkey?: PasskeyLoginAnswer | undefined;
};

export type SecondFactors = {
  /**
   * Verifies a second factor and uses it up.
   *
   * @throws CallError `second_factor_wrong`, `too_many_requests`, `passkey_address`
   */
  verify(user: User, factor: ShownFactor | null, caller: Caller): Promise<void>;
  /**
   * Runs a check of a six-digit code within the limit of tries. A correct code resets the limit.
   *
   * @throws CallError `too_many_requests`, and errors of `check`
   */
  withTryLimit(userId: number, check: () => Promise<boolean>): Promise<boolean>;
};

/** Returns the second factors that a user has set up and confirmed. */
export async function getSecondFactors(orm: Queries, userId: number): Promise<SecondFactorKind[]> {
  const byApp = orm
    .select({ kind: sql<SecondFactorKind>`'totp'` })
    .from(totps)
    .where(and(eq(totps.userId, userId), isNotNull(totps.confirmedAt)));
  const byKey = orm
    .select({ kind: sql<SecondFactorKind>`'passkey'` })
    .from(passkeys)
    .where(eq(passkeys.userId, userId));
  const set = new Set((await unionAll(byApp, byKey)).map(({ kind }) => kind));
  return SECOND_FACTORS.filter((kind) => set.has(kind));
}

/**
 * Returns the second factor that a payload presents, or null.
 *
 * @throws CallError `invalid_request` for several factors, because one could be verified and another be recorded
 */
export function parseShownFactor({ code, recoveryCode, passkey }: FactorFields): ShownFactor | null {
  const shown: ShownFactor[] = [];
  if (code !== undefined) shown.push({ kind: 'code', code });
  if (recoveryCode !== undefined) shown.push({ kind: 'recovery', code: recoveryCode });
  if (passkey !== undefined) shown.push({ kind: 'passkey', answer: passkey });
  if (shown.length > 1) throw new CallError('invalid_request', { reason: 'code, recoveryCode, passkey' });
  return shown[0] ?? null;
}
