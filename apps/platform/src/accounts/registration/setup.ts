import { SUPER_ADMINISTRATOR } from '@heron/contract/accounts/roles.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { setupLink, users } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { Caller } from '../../gateway/methods.ts';
import { createToken, hashToken } from '../../gateway/secretToken.ts';
import type { Session } from '../../gateway/sessions.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { endAccess } from '../core/endAccess.ts';
import { lockAccount } from '../core/lockAccount.ts';
import type { Queries } from '../core/queries.ts';
import { addUser, type User } from '../core/users.ts';
import { checkApplicant } from './checkApplicant.ts';
import { closeRegistration } from './closeRegistration.ts';

/**
 * Creates a one-time token for the first super administrator. It replaces the previous token.
 *
 * @returns null when there is a super administrator; then all earlier tokens are invalid
 */
export async function createSetupToken({ orm }: Database): Promise<string | null> {
  if (await hasAdministrator(orm)) {
    await orm.delete(setupLink);
    return null;
  }
  const token = createToken();
  const tokenHash = hashToken(token);
  await orm
    .insert(setupLink)
    .values({ tokenHash })
    .onConflictDoUpdate({ target: setupLink.single, set: { tokenHash, createdAt: new Date() } });
  return token;
}

/** Returns whether a token is valid, without using it up. */
export async function isSetupToken({ orm }: Database, token: string): Promise<boolean> {
  const found = await orm
    .select()
    .from(setupLink)
    .where(eq(setupLink.tokenHash, hashToken(token)));
  return found.length > 0 && !(await hasAdministrator(orm));
}

/**
 * Registers the first super administrator. One of several concurrent calls succeeds. A rejected name leaves the token
 * valid.
 *
 * @throws CallError `setup_link_used`, or as `checkApplicant`
 */
export async function createAdministrator(
  database: Database,
  { setupToken, ...typed }: { setupToken: string; username: string; password: string },
  address: string,
): Promise<User> {
  // Checked before the slow hash, so that strangers cannot load the server.
  if (!(await isSetupToken(database, setupToken))) throw new CallError('setup_link_used');
  const applicant = await checkApplicant(database.orm, typed);
  return inTransaction(database, async (tx) => {
    await useSetupToken(tx, setupToken);
    const added = await addUser(tx, { ...applicant, nickName: applicant.name, groupId: SUPER_ADMINISTRATOR });
    await writeAudit(tx, { action: 'administrator.create', actorUid: null, targetUid: added.uid, address });
    return added;
  });
}

/**
 * Makes the person of a session the first super administrator. Their other sessions end, as after every change of a role.
 *
 * @throws CallError `setup_link_used`
 */
export async function becomeAdministrator(
  { database, sessions }: Pick<AccountDeps, 'database' | 'sessions'>,
  setupToken: string,
  { session, address }: Caller<Session>,
): Promise<User> {
  if (!(await isSetupToken(database, setupToken))) throw new CallError('setup_link_used');
  const { promoted, ended } = await inTransaction(database, async (tx) => {
    await lockAccount(tx, session.userId);
    await useSetupToken(tx, setupToken);
    const [user] = await tx
      .update(users)
      .set({ groupId: SUPER_ADMINISTRATOR })
      .where(and(eq(users.id, session.userId), isNull(users.deletedAt)))
      .returning();
    if (user === undefined) throw new CallError('login_expired');
    await writeAudit(tx, { action: 'administrator.create', actorUid: user.uid, targetUid: user.uid, address });
    return { promoted: user, ended: await endAccess(sessions, tx, user.id, session.id) };
  });
  ended.afterCommit();
  return promoted;
}

/** Uses up the token of the set-up link and closes registration. @throws CallError `setup_link_used` */
async function useSetupToken(tx: Queries, token: string): Promise<void> {
  const used = await tx
    .delete(setupLink)
    .where(eq(setupLink.tokenHash, hashToken(token)))
    .returning();
  if (used.length === 0 || (await hasAdministrator(tx))) throw new CallError('setup_link_used');
  await closeRegistration(tx);
}

async function hasAdministrator(orm: Queries): Promise<boolean> {
  const found = await orm.select({ id: users.id }).from(users).where(eq(users.groupId, SUPER_ADMINISTRATOR)).limit(1);
  return found.length > 0;
}
