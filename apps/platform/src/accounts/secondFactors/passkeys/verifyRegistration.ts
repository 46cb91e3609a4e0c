import type { PasskeyRegistrationAnswer } from '@heron/contract/accounts/passkeyAnswer.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { passkeys } from '@heron/database/schema/accounts.ts';
import type { Queries } from '../../core/queries.ts';
import { redeemTicket } from '../../core/tickets.ts';
import type { User } from '../../core/users.ts';
import { ALGORITHMS } from './ceremony.ts';
import { challengeOf } from './clientData.ts';
import type { RelyingParty } from './relyingParty.ts';

type NewPasskey = Pick<typeof passkeys.$inferInsert, 'id' | 'userId' | 'publicKey' | 'counter' | 'transports'>;

/**
 * Verifies a new passkey and uses up the challenge, which is valid only for the user who requested it.
 *
 * @throws CallError `passkey_refused`
 */
export async function verifyRegistration(
  orm: Queries,
  site: RelyingParty,
  user: User,
  { id, rawId, type, response }: PasskeyRegistrationAnswer,
): Promise<NewPasskey> {
  const { clientDataJSON, attestationObject, transports = [] } = response;
  // The first passkey loads the library, before its challenge is used up.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const challenge = challengeOf(clientDataJSON);
  const ticket = challenge === null ? null : await redeemTicket(orm, 'passkey-registration', challenge);
  if (challenge === null || ticket?.userId !== user.id) throw new CallError('passkey_refused');
  const verified = await verifyRegistrationResponse({
    response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
    // The library throws for every invalid response.
  }).catch(() => null);
  if (verified?.registrationInfo === undefined) throw new CallError('passkey_refused');
  const { credential } = verified.registrationInfo;
  return {
    id: credential.id,
    userId: user.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: transports.filter((transport) => /^[a-z-]+$/.test(transport)),
  };
}
