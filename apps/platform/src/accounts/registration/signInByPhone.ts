import { CallError } from '@heron/contract/http/errors.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { Caller } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { accountDeleted } from '../core/deletedAccount.ts';
import { findReferrer } from '../core/referrer.ts';
import { getInstallationSettings } from '../core/settings.ts';
import { addUser, findUser, type User } from '../core/users.ts';
import { newPerson } from './registerByCode.ts';
import { signInCodeUse } from './signInCodeUse.ts';

/**
 * Returns the account of a phone number, verified by a code, or registers one.
 *
 * @throws CallError `way_closed`, `code_wrong`, `too_many_requests`, `account_deleted`; `phone_unknown` when
 *   registration by phone is disabled
 */
export async function signInByPhone(
  { database, codes, countRegistration }: AccountDeps,
  recipient: { readonly phone: string },
  typed: { code: string; referrerUid: number | undefined },
  caller: Caller,
): Promise<User> {
  const code = await codes.check(signInCodeUse(recipient), typed.code, caller);
  const { registerByPhone } = await getInstallationSettings(database.orm);
  const referrerUid = await findReferrer(database.orm, typed.referrerUid);
  // Runs outside the transaction, which would hold one connection and wait for another.
  if (registerByPhone && (await findUser(database.orm, recipient.phone)) === null)
    await countRegistration(caller.address);
  return inTransaction(database, async (tx) => {
    await code.redeem(tx);
    const known = await findUser(tx, recipient.phone);
    // The rollback leaves the code valid.
    if (known?.deletedAt != null) throw accountDeleted(known.deletedAt);
    if (known !== null) return known;
    if (!registerByPhone) throw new CallError('phone_unknown');
    return addUser(tx, { ...newPerson(recipient), referrerUid });
  });
}
