import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { roleOf } from '@heron/contract/accounts/roles.ts';
import { persistentLimiter, take } from '../gateway/limits.ts';
import { type Answering, forAnyone, forMembers } from '../gateway/methods.ts';
import type { Accounts } from './accounts.ts';
import { answerContacts } from './contacts/answerContacts.ts';
import { answerDevices } from './devices/answerDevices.ts';
import { logIn } from './login.ts';
import { answerPasskeys } from './passkeys/answerPasskeys.ts';
import { answerPassword } from './password/answerPassword.ts';
import { answerPeople } from './people/answerPeople.ts';
import { answerIdentities } from './providers/answerIdentities.ts';
import { answerProviders } from './providers/answerProviders.ts';
import { answerRecovery } from './recovery/answerRecovery.ts';
import { answerRegistration } from './registration/answerRegistration.ts';
import { answerSecondFactor } from './secondFactor/answerSecondFactor.ts';
import { answerOutbox } from './senders/answerOutbox.ts';
import { answerSessions } from './sessions/answerSessions.ts';
import { logOut, logOutEverywhere } from './sessions/logOut.ts';
import { answerProxies } from './settings/answerProxies.ts';
import { answerSettings } from './settings/answerSettings.ts';
import { createAdministrator, isSetupToken } from './setup.ts';

/** Uses of the setup link by one address. */
const SETUPS = { name: 'setup', points: 100, seconds: 900 };

/** What answers the methods of accounts. */
export function answerAccounts(accounts: Accounts): Answering[] {
  const { database, entrance } = accounts;
  const setups = persistentLimiter(database, SETUPS);

  return [
    ...answerSessions(accounts),
    ...answerDevices(accounts),
    ...answerRegistration(accounts),
    ...answerRecovery(accounts),
    ...answerPassword(accounts),
    ...answerContacts(accounts),
    ...answerOutbox(accounts),
    ...answerSecondFactor(accounts),
    ...answerPasskeys(accounts),
    ...answerPeople(accounts),
    ...answerSettings(accounts),
    ...answerProxies(accounts),
    ...answerProviders(accounts),
    ...answerIdentities(accounts),
    forAnyone(accountMethods.login, async ({ username, password, session }, caller) => {
      const user = await logIn(accounts, { typed: username, password }, caller);
      return entrance.enter(user, caller, session, { secondFactor: false });
    }),
    forAnyone(accountMethods.logout, async ({ everywhere }, caller) => {
      const { session } = caller;
      const disabled = session !== null && everywhere ? await logOutEverywhere(accounts, { ...caller, session }) : [];
      if (session !== null && !everywhere) await logOut(accounts, session);
      caller.takeBack();
      return { disabled };
    }),
    forMembers(accountMethods.authentication, async (_payload, { session }) => ({
      data: [{ uid: session.uid, group_id: session.groupId, role: roleOf(session.groupId) }],
      total: 1 as const,
    })),
    forAnyone(accountMethods.checkSetupToken, async ({ setup_token }, caller) => {
      await take(setups, caller.address);
      return { valid: await isSetupToken(database, setup_token) };
    }),
    forAnyone(accountMethods.createAdministrator, async ({ session, ...typed }, caller) => {
      await take(setups, caller.address);
      return entrance.enter(await createAdministrator(database, typed, caller.address), caller, session, {
        secondFactor: false,
      });
    }),
  ];
}
