import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { PASSWORD_GREATEST } from '@heron/contract/accounts/password.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { persistentLimiter, take } from '../gateway/limits.ts';
import { type Answering, type Caller, forAnyone, forMembers } from '../gateway/methods.ts';
import type { Sessions } from '../gateway/sessions.ts';
import { logIn } from './login.ts';
import { createLoginThrottle } from './loginThrottle.ts';
import { leastPassword, register } from './register.ts';
import { createAdministrator, isSetupToken } from './setup.ts';
import { currentUserOf, type User, userById } from './users.ts';

/** New accounts and uses of the setup link by one address. */
const REGISTRATIONS = { name: 'register', points: 100, seconds: 3_600 };
const SETUPS = { name: 'setup', points: 100, seconds: 900 };

/** What answers the methods of accounts. */
export function answerAccounts(database: Database, sessions: Sessions): Answering[] {
  const { orm } = database;
  const throttle = createLoginThrottle(database);
  const registrations = persistentLimiter(database, REGISTRATIONS);
  const setups = persistentLimiter(database, SETUPS);

  /** Always a new token: one that was there before the login, perhaps planted, is ended. */
  async function begin(user: User, caller: Caller, wish: 'cookie' | 'token'): Promise<NewSession> {
    if (caller.session !== null) await sessions.end(caller.session.id);
    const token = await sessions.open(user.id);
    caller.handOver(token);
    const user_info = currentUserOf(user);
    return wish === 'token' ? { token, user_info } : { user_info };
  }

  return [
    forAnyone(accountMethods.login, async ({ username, password, session }, caller) => {
      const user = await logIn(database, throttle, { typed: username, password, address: caller.address });
      return begin(user, caller, session);
    }),
    forAnyone(accountMethods.logout, async ({ everywhere }, caller) => {
      if (caller.session !== null) {
        if (everywhere) await sessions.endAll(caller.session.userId);
        else await sessions.end(caller.session.id);
      }
      caller.takeBack();
      return {};
    }),
    forAnyone(accountMethods.usernameRegister, async ({ session, ...typed }, caller) => {
      await take(registrations, caller.address);
      return begin(await register(database, typed), caller, session);
    }),
    forAnyone(accountMethods.rules, async () => ({
      password_least: await leastPassword(orm),
      password_greatest: PASSWORD_GREATEST,
    })),
    forMembers(accountMethods.memberInfo, async ({ uid }, caller) => {
      const user = await userById(orm, caller.session.userId);
      if (uid !== undefined && uid !== user.uid) throw new CallError('forbidden');
      return { user_info: currentUserOf(user) };
    }),
    forAnyone(accountMethods.checkSetupToken, async ({ setup_token }, caller) => {
      await take(setups, caller.address);
      return { valid: await isSetupToken(database, setup_token) };
    }),
    forAnyone(accountMethods.createAdministrator, async ({ session, ...typed }, caller) => {
      await take(setups, caller.address);
      return begin(await createAdministrator(database, typed), caller, session);
    }),
  ];
}
