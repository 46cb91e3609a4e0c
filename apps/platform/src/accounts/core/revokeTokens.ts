import { CallError } from '@heron/contract/http/errors.ts';
import { identities } from '@heron/database/schema/accounts.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import { z } from 'zod';
import type { AccountDeps } from './accountDeps.ts';
import type { SecretKeys } from './secretKeys.ts';

const refreshToken = z.object({ clientId: z.string(), token: z.string() });

/**
 * Revokes our tokens at Apple before an account is erased, as Apple requires. Does nothing without tokens or when Apple
 * is disabled. Each token is revoked once.
 *
 * @throws CallError `provider_unreachable`; try again later
 */
export async function revokeAtProviders(
  accounts: Pick<AccountDeps, 'database' | 'keys' | 'providers' | 'log'>,
  userId: number,
): Promise<void> {
  const { orm } = accounts.database;
  const rows = await orm
    .select()
    .from(identities)
    .where(and(eq(identities.userId, userId), isNotNull(identities.refreshToken)));
  for (const row of rows) {
    await revokeToken(accounts, userId, row.refreshToken);
    await orm
      .update(identities)
      .set({ refreshToken: null })
      .where(and(eq(identities.provider, row.provider), eq(identities.subject, row.subject)));
  }
}

/**
 * Revokes one token.
 *
 * @param sealed from the row of an identity
 * @throws CallError `provider_unreachable`
 */
export async function revokeToken(
  { keys, providers, log }: Pick<AccountDeps, 'keys' | 'providers' | 'log'>,
  userId: number,
  sealed: string | null,
): Promise<void> {
  if (sealed === null || providers.apple === null) return;
  const held = openToken(keys, userId, sealed);
  if (held === null) {
    log.warn({ userId }, 'Apple cannot be notified of a deleted account: its token was sealed with another secret');
    return;
  }
  try {
    await providers.apple.revoke(held);
  } catch (error) {
    // Apple no longer knows the token, because its owner has revoked it.
    if (error instanceof CallError && error.code === 'provider_refused') return;
    throw error;
  }
}

/** @returns null when the token was sealed with an earlier secret. It is unusable, and must not block the erasure */
function openToken({ open }: SecretKeys, userId: number, sealed: string): z.output<typeof refreshToken> | null {
  try {
    return refreshToken.parse(JSON.parse(open('provider-tokens', `user ${userId}`, sealed)));
  } catch {
    return null;
  }
}
