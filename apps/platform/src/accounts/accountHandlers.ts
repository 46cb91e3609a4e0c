import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { roleOf } from '@heron/contract/accounts/roles.ts';
import { consumePoint, persistentLimiter } from '../gateway/limits.ts';
import { forAnyone, forMembers, type MethodHandler } from '../gateway/methods.ts';
import { createApiTokenHandlers } from './apiTokens/apiTokenHandlers.ts';
import { createContactHandlers } from './contacts/contactHandlers.ts';
import type { AccountDeps } from './core/accountDeps.ts';
import { currentUserView } from './core/currentUserView.ts';
import { createDeviceHandlers } from './devices/deviceHandlers.ts';
import { createPasswordHandlers } from './password/passwordHandlers.ts';
import { createPeopleHandlers } from './people/peopleHandlers.ts';
import { createIdentityHandlers } from './providers/identityHandlers.ts';
import { createProviderHandlers } from './providers/providerHandlers.ts';
import { createRecoveryHandlers } from './recovery/recoveryHandlers.ts';
import { createRegistrationHandlers } from './registration/registrationHandlers.ts';
import { becomeAdministrator, createAdministrator, isSetupToken } from './registration/setup.ts';
import { createPasskeyHandlers } from './secondFactors/passkeys/passkeyHandlers.ts';
import { createSecondFactorHandlers } from './secondFactors/secondFactorHandlers.ts';
import { createOutboxHandlers } from './senders/outboxHandlers.ts';
import { createSessionHandlers } from './sessions/sessionHandlers.ts';
import { signOut, signOutEverywhere } from './sessions/signOut.ts';
import { createProxyHandlers } from './settings/proxyHandlers.ts';
import { createSettingHandlers } from './settings/settingHandlers.ts';
import { signInByPassword } from './signIn/signInByPassword.ts';

/** Limits requests that use the setup link, per address. */
const SETUPS = { name: 'setup', points: 100, seconds: 900 };

/** Returns the handlers of all account methods. */
export function createAccountHandlers(accounts: AccountDeps): MethodHandler[] {
  const { database, signIn } = accounts;
  const setups = persistentLimiter(database, SETUPS);

  return [
    ...createSessionHandlers(accounts),
    ...createApiTokenHandlers(accounts),
    ...createDeviceHandlers(accounts),
    ...createRegistrationHandlers(accounts),
    ...createRecoveryHandlers(accounts),
    ...createPasswordHandlers(accounts),
    ...createContactHandlers(accounts),
    ...createOutboxHandlers(accounts),
    ...createSecondFactorHandlers(accounts),
    ...createPasskeyHandlers(accounts),
    ...createPeopleHandlers(accounts),
    ...createSettingHandlers(accounts),
    ...createProxyHandlers(accounts),
    ...createProviderHandlers(accounts),
    ...createIdentityHandlers(accounts),
    forAnyone(accountMethods.login, async ({ username, password, session }, caller) => {
      const user = await signInByPassword(accounts, { typed: username, password }, caller);
      return signIn.createSession(user, caller, session, { secondFactor: false });
    }),
    forAnyone(accountMethods.logout, async ({ everywhere }, caller) => {
      const { session } = caller;
      const disabled = session !== null && everywhere ? await signOutEverywhere(accounts, { ...caller, session }) : [];
      if (session !== null && !everywhere) await signOut(accounts, session);
      caller.clearSessionCookie();
      return { disabled };
    }),
    forMembers(accountMethods.authentication, async (_payload, { session }) => ({
      data: [{ uid: session.uid, groupId: session.groupId, role: roleOf(session.groupId) }],
      total: 1 as const,
    })),
    forAnyone(accountMethods.checkSetupToken, async ({ setupToken }, caller) => {
      await consumePoint(setups, caller.address);
      return { valid: await isSetupToken(database, setupToken) };
    }),
    forAnyone(accountMethods.createAdministrator, async ({ session, ...typed }, caller) => {
      await consumePoint(setups, caller.address);
      return signIn.createSession(await createAdministrator(database, typed, caller.address), caller, session, {
        secondFactor: false,
      });
    }),
    forMembers(accountMethods.becomeAdministrator, async ({ setupToken }, caller) => {
      await consumePoint(setups, caller.address);
      return { userInfo: currentUserView(await becomeAdministrator(accounts, setupToken, caller)) };
    }),
  ];
}
