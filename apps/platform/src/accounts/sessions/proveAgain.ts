import { CallError } from '@heron/contract/http/errors.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { Accounts } from '../accounts.ts';
import { secondFactorsOf } from '../entrance.ts';
import { checkOwnPassword } from '../ownPassword.ts';
import { type ShownFactors, shownFactor } from '../secondFactor/proveSecondFactor.ts';
import { userById } from '../users.ts';

/**
 * Notes in a session that its owner has proven once more who they are, as fully as at a login: by the password, and by the
 * second factor of who has one. A passkey is two factors in itself. Nothing is used up when a part of it is missing or wrong.
 *
 * @throws CallError `invalid_request` when several factors are shown; `proof_needed` when nothing is shown; `second_factor_proof` when the second factor is missing;
 *   `password_empty`, `password_wrong`, `second_factor_wrong`, `too_many_requests`
 */
export async function proveAgain(
  accounts: Accounts,
  { password, ...shown }: { password?: string | undefined } & ShownFactors,
  caller: Caller<Session>,
): Promise<void> {
  const { database, sessions, factors } = accounts;
  const { session, address } = caller;
  const user = await userById(database.orm, session.userId);
  const hasFactor = (await secondFactorsOf(database.orm, user.id)).length > 0;
  const factor = shownFactor(shown);
  if (password === undefined && factor === null) throw new CallError('proof_needed');
  if (hasFactor && factor === null) throw new CallError('second_factor_proof');
  // The factor that is checked below: nothing else that was sent makes a passkey of it.
  const isTwoInItself = factor?.kind === 'passkey';
  const byPassword = hasFactor ? user.passwordHash !== null && !isTwoInItself : password !== undefined;
  if (byPassword) await checkOwnPassword(accounts, user, password ?? '', address);
  const byFactor = hasFactor || password === undefined;
  if (byFactor) await factors.prove(user, factor, caller);
  await sessions.noteProof(session.id, { second: byFactor });
}
