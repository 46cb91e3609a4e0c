import { CallError } from '@heron/contract/http/errors.ts';
import { audit, codes, outbox, users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, inArray, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm';
import type { AccountDeps } from '../core/accountDeps.ts';
import { COMMAND_LINE, writeAudit } from '../core/audit.ts';
import { ERASED_AFTER_DAYS } from '../core/deletedAccount.ts';
import type { Queries } from '../core/queries.ts';
import { revokeAtProviders } from '../core/revokeTokens.ts';
import type { User } from '../core/users.ts';

/** After so many days somebody is erased even if a provider or an exchange cannot be asked any more. */
const OTHERS_TOLD_WITHIN_DAYS = 21;

/** Somebody with whom something could not be done this time, and why. */
export type FailedPerson = { readonly uid: number; readonly error: unknown };

/** What came of one round. */
export type ErasureResult = {
  readonly erased: number;
  readonly failed: readonly FailedPerson[];
};

/**
 * Erases everybody who was deleted 14 days ago: bots with their history, exchange keys, and all that accounts keep of them but
 * the audit, which then knows them by uid alone. Any number of processes may do it at once: each person is one's.
 */
export async function eraseDeleted(
  accounts: Pick<AccountDeps, 'database' | 'keys' | 'providers' | 'bots' | 'unpairHosts' | 'log'>,
): Promise<ErasureResult> {
  const { database, bots } = accounts;
  const tried: number[] = [];
  const failed: FailedPerson[] = [];
  for (;;) {
    let person: User | undefined;
    try {
      await inTransaction(database, async (tx) => {
        person = await nextDue(tx, tried);
        if (person === undefined) return;
        // Nothing rested when they were deleted. Since then they may have withdrawn their keys.
        await bots.removeAll(person.id, isLate(person) ? 'leave' : 'cancel');
        await leaveProviders(accounts, person);
        await accounts.unpairHosts(person.id);
        await erase(tx, person);
      });
    } catch (error) {
      if (person === undefined) throw error;
      failed.push({ uid: person.uid, error });
    }
    if (person === undefined) return { erased: tried.length - failed.length, failed };
    tried.push(person.id);
  }
}

/** Providers are told first. One that does not answer holds an erasure up for some days, not for ever. */
async function leaveProviders(
  accounts: Pick<AccountDeps, 'database' | 'keys' | 'providers' | 'log'>,
  person: User,
): Promise<void> {
  try {
    await revokeAtProviders(accounts, person.id);
  } catch (error) {
    if (!(error instanceof CallError) || !isLate(person)) throw error;
  }
}

function isLate({ deletedAt }: User): boolean {
  return Date.now() - (deletedAt?.getTime() ?? 0) > OTHERS_TOLD_WITHIN_DAYS * 86_400_000;
}

/** Whoever is locked is being erased by another process, or brought back. */
async function nextDue(tx: Queries, tried: readonly number[]): Promise<User | undefined> {
  const [due] = await tx
    .select()
    .from(users)
    .where(
      and(
        lt(users.deletedAt, sql`now() - make_interval(days => ${ERASED_AFTER_DAYS})`),
        notInArray(users.id, [...tried]),
      ),
    )
    .orderBy(users.deletedAt)
    .limit(1)
    .for('update', { skipLocked: true });
  return due;
}

async function erase(tx: Queries, { id, uid, email, emailKey, phone }: User): Promise<void> {
  const reachedAt = [email, emailKey, phone].filter((each) => each !== null);
  await tx.delete(codes).where(inArray(codes.target, reachedAt));
  await tx.delete(outbox).where(inArray(outbox.recipient, reachedAt));
  // Where they were, and from where somebody acted on their account without a session, such as by a code to their phone.
  const theirs = or(eq(audit.actorUid, uid), and(isNull(audit.actorUid), eq(audit.targetUid, uid)));
  await tx
    .update(audit)
    .set({ address: '' })
    .where(and(theirs, ne(audit.address, COMMAND_LINE)));
  await tx.update(users).set({ sourceUid: null }).where(eq(users.sourceUid, uid));
  // Sessions, devices, identities and second factors go with it.
  await tx.delete(users).where(eq(users.id, id));
  await writeAudit(tx, { action: 'user.erase', actorUid: null, targetUid: uid, address: '' });
}
