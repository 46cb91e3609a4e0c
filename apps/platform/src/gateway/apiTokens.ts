import type { TokenScope } from '@heron/contract/bots/tokenScopes.ts';
import type { Database } from '@heron/database/connect.ts';
import { apiTokens, users } from '@heron/database/schema/accounts.ts';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { API_TOKEN_FORM, API_TOKEN_PREFIX } from './apiTokenForm.ts';
import { createToken, hashToken } from './secretToken.ts';

/** A valid API token. It is no session: it opens only the calls of its scopes. */
export type ApiToken = {
  readonly id: string;
  readonly userId: number;
  /** Public number of the owner. */
  readonly uid: number;
  readonly scopes: readonly TokenScope[];
};

export type ApiTokens = {
  /** Returns a valid token and records its use; null for one that is unknown, expired, revoked or disabled. */
  find(secret: string, address: string): Promise<ApiToken | null>;
};

/** Returns 256 random bits with a prefix, by which people and scanners recognise a token of Heron. */
export function createApiToken(): string {
  return `${API_TOKEN_PREFIX}${createToken()}`;
}

/** Returns the API token of the `Authorization` header; null when the header has none, or there is no header. */
export function sentApiToken({ headers }: FastifyRequest): string | null {
  const [, sent = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return sent.startsWith(API_TOKEN_PREFIX) ? sent : null;
}

/** Opens the API tokens in the database, which all processes share and restarts keep. */
export function openApiTokens({ orm }: Database): ApiTokens {
  const isValid = and(
    isNull(apiTokens.disabledAt),
    or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, sql`now()`)),
  );

  return {
    async find(secret, address) {
      if (!API_TOKEN_FORM.test(secret)) return null;
      // Looks up the hash, which nobody can choose, so that the response time reveals nothing about tokens.
      const [found] = await orm
        .select({
          id: apiTokens.id,
          userId: apiTokens.userId,
          uid: users.uid,
          scopes: apiTokens.scopes,
          usedAddress: apiTokens.usedAddress,
          isStale: sql<boolean>`coalesce(${apiTokens.usedAt} < now() - interval '1 minute', true)`,
        })
        .from(apiTokens)
        .innerJoin(users, eq(users.id, apiTokens.userId))
        .where(and(eq(apiTokens.tokenHash, hashToken(secret)), isValid, isNull(users.deletedAt)));
      if (found === undefined) return null;
      const { usedAddress, isStale, ...token } = found;
      if (isStale || usedAddress !== address) {
        await orm.update(apiTokens).set({ usedAt: sql`now()`, usedAddress: address }).where(eq(apiTokens.id, token.id));
      }
      return token;
    },
  };
}
