import { peopleMethods } from '@heron/contract/accounts/peopleMethods.ts';
import { type GroupId, hasRole, mayManage } from '@heron/contract/accounts/roles.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { forAnyone, forMembers, type MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { currentUserView } from '../core/currentUserView.ts';
import { createEditorGuard, requireFreshProof } from '../core/guards.ts';
import type { Queries } from '../core/queries.ts';
import { tierNames } from '../core/tierNames.ts';
import { getUser, type User } from '../core/users.ts';
import { changeProfile } from './changeProfile.ts';
import { deleteOwnAccount, deletionCode } from './deleteOwnAccount.ts';
import { deletePerson } from './deletePerson.ts';
import { listAudit } from './listAudit.ts';
import { listMembers } from './listMembers.ts';
import { publicUserView } from './publicUserView.ts';
import { restorePerson } from './restorePerson.ts';
import { setRole } from './setRole.ts';

/** Returns the handlers of methods about people. */
export function createPeopleHandlers(accounts: AccountDeps): MethodHandler[] {
  const { database } = accounts;
  const { orm } = database;
  const forEditors = createEditorGuard(database);

  return [
    forAnyone(peopleMethods.memberInfo, async ({ uid }, { session }) => {
      const self = session === null ? null : await getUser(orm, session.userId);
      if (uid === undefined && self === null) throw new CallError('not_logged_in');
      const isSelf = self !== null && (uid === undefined || uid === self.uid);
      const user = isSelf ? self : await livingByUid(orm, uid ?? 0);
      const today = new Date().toISOString().slice(0, 10);
      return {
        userInfo: isSelf ? currentUserView(user) : publicUserView(user, today),
        memberInfo: { tier: user.tier, tierLevel: user.tierLevel },
        ...tierNames(user),
      };
    }),
    forEditors(peopleMethods.memberList, 'editor', async (query, { session }) => {
      if (query.deleted && !hasRole(session.groupId, 'admin')) throw new CallError('admins_only');
      return listMembers(orm, query);
    }),
    forMembers(peopleMethods.updateMemberInformation, async (change, { session }) => ({
      userInfo: currentUserView(await changeProfile(orm, session.userId, change)),
    })),
    forEditors(peopleMethods.deleteUser, 'editor', async ({ uid }, { session, address, language }) => {
      await requireFreshProof(orm, session);
      await deletePerson(accounts, uid, { actorId: session.userId, address, language }, ({ actor, target }) => {
        if (actor === null || actor.deletedAt !== null) throw new CallError('not_logged_in');
        if (!mayManage(actor.groupId, target?.groupId ?? null)) throw new CallError('rank_too_high');
      });
      return {};
    }),
    forEditors(peopleMethods.restoreUser, 'admin', async ({ uid }, { session, address }) => {
      await requireFreshProof(orm, session);
      await restorePerson(database, uid, { actorUid: session.uid, address });
      return {};
    }),
    forEditors(peopleMethods.setRole, 'admin', async ({ uid, groupId }, caller) => {
      const { session, address } = caller;
      await requireFreshProof(orm, session);
      // The contract accepts ids of groups only.
      await setRole(accounts, uid, groupId as GroupId | null, { actorId: session.userId, address });
      return {};
    }),
    forMembers(peopleMethods.sendDeleteCode, async ({ type }, caller) => {
      const self = await getUser(orm, caller.session.userId);
      return accounts.codes.send(deletionCode(self, type), caller);
    }),
    forMembers(peopleMethods.deleteAccount, async ({ uid, ...proof }, caller) => {
      if (uid !== caller.session.uid) throw new CallError('forbidden');
      await deleteOwnAccount(accounts, proof, caller);
      caller.clearSessionCookie();
      return {};
    }),
    forEditors(peopleMethods.listAudit, 'admin', (query) => listAudit(orm, query)),
  ];
}

async function livingByUid(orm: Queries, uid: number): Promise<User> {
  const [found] = await orm
    .select()
    .from(users)
    .where(and(eq(users.uid, uid), isNull(users.deletedAt)));
  if (found === undefined) throw new CallError('not_found');
  return found;
}
