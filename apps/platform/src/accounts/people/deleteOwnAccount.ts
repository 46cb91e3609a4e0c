import { CallError } from '@heron/contract/http/errors.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import type { CodeUse } from '../core/codes.ts';
import { requireFreshProof, requireSecondFactor } from '../core/guards.ts';
import { verifyOwnPassword } from '../core/passwords/verifyOwnPassword.ts';
import { getUser, type User } from '../core/users.ts';
import { deletePerson } from './deletePerson.ts';

/** Destination of a code. */
type CodeChannel = 'email' | 'sms' | undefined;

/**
 * Returns the use of a code that deletes one account. The code is sent to its owner.
 *
 * @throws CallError `contact_missing`
 */
export function deletionCode({ id, email, phone }: User, way: CodeChannel): CodeUse {
  const byMail = way !== 'sms' && email !== null ? { email } : null;
  const recipient = byMail ?? (way !== 'email' && phone !== null ? { phone } : null);
  if (recipient === null) throw new CallError('contact_missing');
  return { purpose: 'delete', recipient, userId: id };
}

/**
 * Deletes the account of the caller. It needs a fresh proof, the password or a code. With a second factor it always
 * needs a fresh proof.
 *
 * @throws CallError `proof_needed`, `password_wrong`, `code_wrong`, and as `deletePerson`
 */
export async function deleteOwnAccount(
  accounts: AccountDeps,
  proof: { password?: string | undefined; code?: string | undefined; type?: CodeChannel },
  caller: Caller<Session>,
): Promise<void> {
  const { session } = caller;
  const { orm } = accounts.database;
  const self = await getUser(orm, session.userId);
  await requireSecondFactor(orm, session);
  const code =
    proof.code === undefined ? null : await accounts.codes.check(deletionCode(self, proof.type), proof.code, caller);
  if (proof.password !== undefined) await verifyOwnPassword(accounts, self, proof.password, caller.address);
  else if (code === null) await requireFreshProof(orm, session);
  const by = { actorId: self.id, address: caller.address, language: caller.language };
  await deletePerson(
    accounts,
    self.uid,
    by,
    () => {},
    async (tx) => code?.redeem(tx),
  );
}
