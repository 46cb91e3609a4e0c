import type { PasskeyLoginAnswer } from '@heron/contract/accounts/passkeyAnswer.ts';
import { passkeys, users } from '@heron/database/schema/accounts.ts';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Queries } from '../../core/queries.ts';
import { redeemTicket } from '../../core/tickets.ts';
import type { User } from '../../core/users.ts';
import { challengeOf } from './clientData.ts';
import type { RelyingParty } from './relyingParty.ts';
import { userHandleOf } from './userHandle.ts';

/**
 * Verifies the signature of an authenticator and uses up the challenge. Rejects a counter that does not grow, because
 * the key may have been copied.
 *
 * @returns the owner of the passkey; null when the signature is invalid
 */
export async function verifyPasskey(
  orm: Queries,
  site: RelyingParty,
  { id, rawId, type, response }: PasskeyLoginAnswer,
): Promise<User | null> {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  // The first passkey loads the library, before its challenge is used up.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const challenge = challengeOf(clientDataJSON);
  if (challenge === null || (await redeemTicket(orm, 'passkey-login', challenge)) === null) return null;
  // The database rejects NUL.
  if (id.includes('\0')) return null;
  const [row] = await orm
    .select({ kept: passkeys, owner: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.id, id));
  if (row === undefined) return null;
  const { kept, owner } = row;
  if (userHandle !== undefined && userHandle !== userHandleOf(owner.uid)) return null;
  const verified = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    credential: {
      id: kept.id,
      publicKey: new Uint8Array(Buffer.from(kept.publicKey, 'base64url')),
      counter: kept.counter,
    },
    // The library throws for every invalid signature.
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const counter = verified.authenticationInfo.newCounter;
  const counted = await orm
    .update(passkeys)
    .set({ counter, usedAt: sql`now()` })
    // Authenticators without a counter always send 0.
    .where(and(eq(passkeys.id, kept.id), counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)))
    .returning({ id: passkeys.id });
  return counted.length === 0 ? null : owner;
}
