import type { passkeyMethods } from '@heron/contract/accounts/passkeyMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { passkeys } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { issueTicket } from '../../core/tickets.ts';
import type { User } from '../../core/users.ts';
import type { RelyingParty } from './relyingParty.ts';
import { userHandleOf } from './userHandle.ts';

/** How long a person may take to find the finger or the key. */
const SECONDS = 300;
/** More than anybody has devices. */
const PASSKEYS_PER_USER = 20;
/** What today's authenticators sign with: Ed25519, ES256, RS256 (COSE). */
export const ALGORITHMS = [-8, -7, -257];

type CreationOptions = z.input<typeof passkeyMethods.beginPasskeyRegistration.data>['options'];
type RequestOptions = z.input<typeof passkeyMethods.beginPasskeyLogin.data>['options'];

/**
 * What a browser needs to make a passkey that logs in by itself. The challenge is a ticket, so that it counts once.
 *
 * @throws CallError `passkey_limit`
 */
export async function creationOptions(database: Database, site: RelyingParty, user: User): Promise<CreationOptions> {
  const own = await database.orm
    .select({ id: passkeys.id, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, user.id));
  if (own.length >= PASSKEYS_PER_USER) throw new CallError('passkey_limit', { greatest: PASSKEYS_PER_USER });
  const challenge = await issueTicket(database.orm, 'passkey-registration', { userId: user.id, seconds: SECONDS });
  return {
    challenge,
    rp: { name: 'Heron', id: site.rpId },
    user: {
      id: userHandleOf(user.uid),
      name: user.username ?? user.email ?? String(user.uid),
      displayName: user.nickName,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: SECONDS * 1_000,
    // Which make it is does not matter here.
    attestation: 'none',
    excludeCredentials: own.map(({ id, transports }) => ({ id, transports, type: 'public-key' })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

/** What a browser needs to show the passkeys that its person has here. */
export async function requestOptions(database: Database, site: RelyingParty): Promise<RequestOptions> {
  const challenge = await issueTicket(database.orm, 'passkey-login', { seconds: SECONDS });
  return { challenge, rpId: site.rpId, timeout: SECONDS * 1_000, userVerification: 'required' };
}
