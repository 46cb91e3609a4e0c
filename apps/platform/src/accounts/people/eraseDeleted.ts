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

/** After this many days an account is erased even when a provider or exchange cannot be reached. */
const FORCED_AFTER_DAYS = 21;

/** An account whose erasure failed, with the error. */
export type FailedPerson = { readonly uid: number; readonly error: unknown };

/** Result of one round. */
export type ErasureResult = {
  readonly erased: number;
  readonly failed: readonly FailedPerson[];
};

/**
 * Erases all accounts that were deleted 14 days ago, with bots, history and exchange keys. The audit log keeps their
 * uids only. Concurrent processes erase each account once.
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
        // No order was open at the deletion. The user may have revoked the keys since.
        await bots.removeAll(person.id, isLate(person) ? 'leave' : 'cancel');
        await revokeTokens(accounts, person);
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

/** Revokes tokens first. A provider that does not respond delays the erasure by some days only. */
async function revokeTokens(
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
  return Date.now() - (deletedAt?.getTime() ?? 0) > FORCED_AFTER_DAYS * 86_400_000;
}

/** A locked account is being erased or restored by another process. */
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
  // Addresses of the user, also those of acts without a session, such as a reset by a code.
  const theirs = or(eq(audit.actorUid, uid), and(isNull(audit.actorUid), eq(audit.targetUid, uid)));
  await tx
    .update(audit)
    .set({ address: '' })
    .where(and(theirs, ne(audit.address, COMMAND_LINE)));
  await tx.update(users).set({ referrerUid: null }).where(eq(users.referrerUid, uid));
  // Deletes sessions, devices, identities and second factors by cascade.
  await tx.delete(users).where(eq(users.id, id));
  await writeAudit(tx, { action: 'user.erase', actorUid: null, targetUid: uid, address: '' });
}
