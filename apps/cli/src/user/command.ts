import type { ListedUser } from '@heron/contract/accounts/peopleMethods.ts';
import type { GroupId, Role } from '@heron/contract/accounts/roles.ts';
import type { Database } from '@heron/database/connect.ts';
import { COMMAND_LINE } from '@heron/platform/accounts/core/audit.ts';
import { findUser, type User } from '@heron/platform/accounts/core/users.ts';
import { deletePerson } from '@heron/platform/accounts/people/deletePerson.ts';
import { listMembers } from '@heron/platform/accounts/people/listMembers.ts';
import { restorePerson } from '@heron/platform/accounts/people/restorePerson.ts';
import { setRole } from '@heron/platform/accounts/people/setRole.ts';
import { removeAllFactors } from '@heron/platform/accounts/secondFactors/removeAllFactors.ts';
import { Argument, Command } from 'commander';
import { type HostFlags, withHostOptions } from '../host/options.ts';
import { withAccounts } from './openAccounts.ts';

const MAX_LISTED = 100;

const GROUPS: Readonly<Record<Role, GroupId | null>> = {
  super_administrator: 1,
  advanced_editor: 2,
  editor: 3,
  teacher: 4,
  member: null,
};

/** `heron user` manages the accounts of the Heron that runs on this machine. */
export function userCommand(): Command {
  const user = new Command('user').description(
    'List, delete and restore accounts, assign roles, and remove second factors.',
  );
  user.addCommand(
    withHostOptions(new Command('list'), { forUser: false })
      .description(`List accounts, newest first, at most ${MAX_LISTED}.`)
      .argument('[search]', 'part of a name, nickname, uid, e-mail address or phone number', '')
      .option('--deleted', 'deleted accounts that are not erased yet', false)
      .action(async (searchKey: string, flags: HostFlags & { deleted: boolean }) => {
        const query = { page: 1, pageSize: MAX_LISTED, sort: 'reg_time', searchKey, deleted: flags.deleted } as const;
        const { data, total } = await withAccounts(flags, ({ database }) => listMembers(database.orm, query));
        for (const listed of data) console.log(line(listed));
        if (total > data.length) console.log(`… and ${total - data.length} more`);
      }),
  );
  user.addCommand(
    withHostOptions(new Command('role'), { forUser: false })
      .description('Assign a role to a user, and log the user out everywhere.')
      .argument('<who>', 'name, uid, e-mail address or phone number')
      .addArgument(new Argument('<role>').choices(Object.keys(GROUPS)))
      .action(async (who: string, role: Role, flags: HostFlags) => {
        await withAccounts(flags, async (accounts) =>
          setRole(accounts, await uidOf(accounts.database, who), GROUPS[role], {
            actorId: null,
            address: COMMAND_LINE,
          }),
        );
        console.log(`${who} now has the role ${role}.`);
      }),
  );
  user.addCommand(
    withHostOptions(new Command('delete'), { forUser: false })
      .description('Stop the bots of a user and delete the account, which is erased after 14 days.')
      .argument('<who>', 'name, uid, e-mail address or phone number')
      .action(async (who: string, flags: HostFlags) => {
        const by = { actorId: null, address: COMMAND_LINE, language: 'en' } as const;
        await withAccounts(flags, async (accounts) =>
          deletePerson(accounts, await uidOf(accounts.database, who), by, () => {}),
        );
        console.log(`Deleted ${who}. Restore the account within 14 days with "npx heron user restore".`);
      }),
  );
  user.addCommand(
    withHostOptions(new Command('restore'), { forUser: false })
      .description('Restore a deleted account that is not erased yet. Its bots stay stopped.')
      .argument('<who>', 'name, uid, e-mail address or phone number')
      .action(async (who: string, flags: HostFlags) => {
        await withAccounts(flags, async ({ database }) =>
          restorePerson(database, await uidOf(database, who), { actorUid: null, address: COMMAND_LINE }),
        );
        console.log(`Restored ${who}.`);
      }),
  );
  user.addCommand(
    withHostOptions(new Command('remove-factors'), { forUser: false })
      .description('Remove all second factors of a user who has lost them, and log the user out everywhere.')
      .argument('<who>', 'name, uid, e-mail address or phone number')
      .action(async (who: string, flags: HostFlags) => {
        await withAccounts(flags, async (accounts) =>
          removeAllFactors(accounts, (await accountOf(accounts.database, who)).id),
        );
        console.log(`Removed all second factors of ${who}, and ended all sessions of ${who}.`);
      }),
  );
  return user;
}

async function uidOf(database: Database, who: string): Promise<number> {
  return (await accountOf(database, who)).uid;
}

async function accountOf({ orm }: Database, who: string): Promise<User> {
  const found = await findUser(orm, who);
  if (found === null) throw new Error(`there is no account "${who}"; list them with "npx heron user list"`);
  return found;
}

function line({ uid, username, nickName, email, phone, role, registeredAt }: ListedUser): string {
  const known = [username, email, phone].filter((each) => each !== null);
  return [uid, nickName, role, ...known, new Date(registeredAt * 1_000).toISOString()].join('  ');
}
