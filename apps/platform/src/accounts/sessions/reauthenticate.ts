import { CallError } from '@heron/contract/http/errors.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { verifyOwnPassword } from '../core/passwords/verifyOwnPassword.ts';
import { type FactorFields, getSecondFactors, parseShownFactor } from '../core/secondFactors.ts';
import { getUser } from '../core/users.ts';

/**
 * Records a fresh proof in the session of the caller: the password, and the second factor when the account has one. A
 * passkey is two factors by itself. Uses up nothing when a part is missing or wrong.
 *
 * @throws CallError `invalid_request` for several factors; `proof_needed` without any proof; `second_factor_proof` when
 *   the second factor is missing; `password_empty`, `password_wrong`, `second_factor_wrong`, `too_many_requests`
 */
export async function reauthenticate(
  accounts: AccountDeps,
  { password, ...shown }: { password?: string | undefined } & FactorFields,
  caller: Caller<Session>,
): Promise<void> {
  const { database, sessions, factors } = accounts;
  const { session, address } = caller;
  const user = await getUser(database.orm, session.userId);
  const hasFactor = (await getSecondFactors(database.orm, user.id)).length > 0;
  const factor = parseShownFactor(shown);
  if (password === undefined && factor === null) throw new CallError('proof_needed');
  if (hasFactor && factor === null) throw new CallError('second_factor_proof');
  // Depends on the parsed factor, which is verified below, and on no other field.
  const isTwoInItself = factor?.kind === 'passkey';
  const byPassword = hasFactor ? user.passwordHash !== null && !isTwoInItself : password !== undefined;
  if (byPassword) await verifyOwnPassword(accounts, user, password ?? '', address);
  const byFactor = hasFactor || password === undefined;
  if (byFactor) await factors.verify(user, factor, caller);
  await sessions.recordProof(session.id, { second: byFactor });
}
