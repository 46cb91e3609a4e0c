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

/** Time that a person has to use the authenticator. */
const SECONDS = 300;
/** Exceeds the number of devices that a user has. */
const PASSKEYS_PER_USER = 20;
/** COSE algorithms of current authenticators: Ed25519, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];

type CreationOptions = z.input<typeof passkeyMethods.beginPasskeyRegistration.data>['options'];
type RequestOptions = z.input<typeof passkeyMethods.beginPasskeyLogin.data>['options'];

/**
 * Returns the options with which a browser creates a discoverable passkey. The challenge is a one-time ticket.
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
    // The model of the authenticator does not matter.
    attestation: 'none',
    excludeCredentials: own.map(({ id, transports }) => ({ id, transports, type: 'public-key' })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

/** Returns the options with which a browser offers the passkeys for this site. */
export async function requestOptions(database: Database, site: RelyingParty): Promise<RequestOptions> {
  const challenge = await issueTicket(database.orm, 'passkey-login', { seconds: SECONDS });
  return { challenge, rpId: site.rpId, timeout: SECONDS * 1_000, userVerification: 'required' };
}
