import type { CodeSent } from '@heron/contract/accounts/code.ts';
import { MAX_PASSWORD_LENGTH } from '@heron/contract/accounts/password.ts';
import { registrationMethods } from '@heron/contract/accounts/registrationMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { type Caller, forAnyone, type MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { enabledProviders } from '../core/providers.ts';
import { newEmailRecipient, phoneRecipient } from '../core/recipients.ts';
import { getInstallationSettings } from '../core/settings.ts';
import { isFirstAccountDue, registerFirst } from './firstAccount.ts';
import { register } from './register.ts';
import { registerByCode } from './registerByCode.ts';
import { signInByPhone } from './signInByPhone.ts';
import { signInCodeUse } from './signInCodeUse.ts';

type RegistrationSetting = 'registerByName' | 'registerByEmail' | 'registerByPhone' | 'loginByPhone';

/** Returns the handlers of registration, and of the sign-in that also registers. */
export function createRegistrationHandlers(accounts: AccountDeps): MethodHandler[] {
  const { database, signIn, codes, messenger, countRegistration } = accounts;
  const { orm } = database;

  /** @throws CallError `way_closed` when all of these methods are disabled */
  async function requireEnabled(...ways: RegistrationSetting[]): Promise<void> {
    const all = await getInstallationSettings(orm);
    if (!ways.some((way) => all[way])) throw new CallError('way_closed');
  }

  async function sendPhoneCode(mobile: string, caller: Caller): Promise<CodeSent> {
    await requireEnabled('registerByPhone', 'loginByPhone');
    return codes.send(signInCodeUse(phoneRecipient(mobile)), caller);
  }

  return [
    forAnyone(registrationMethods.rules, async () => {
      const all = await getInstallationSettings(orm);
      return {
        passwordMinLength: all.passwordMinLength,
        passwordMaxLength: MAX_PASSWORD_LENGTH,
        firstAccount: await isFirstAccountDue(accounts),
        registerByName: all.registerByName,
        registerByEmail: all.registerByEmail,
        registerByPhone: all.registerByPhone,
        loginByPhone: all.loginByPhone,
        sendsEmail: messenger.sends.email,
        sendsSms: messenger.sends.sms,
        ...enabledProviders(accounts),
      };
    }),
    forAnyone(registrationMethods.usernameRegister, async ({ session, ...typed }, caller) => {
      await requireEnabled('registerByName');
      await countRegistration(caller.address);
      // A forwarded request may come from elsewhere, although Heron listens on this machine only.
      const isDue = !caller.isForwarded && (await isFirstAccountDue(accounts));
      const first = isDue ? await registerFirst(database, typed, caller.address) : null;
      return signIn.createSession(first ?? (await register(orm, typed)), caller, session, { secondFactor: false });
    }),
    forAnyone(registrationMethods.sendRegisterEmailCode, async ({ email }, caller) => {
      await requireEnabled('registerByEmail');
      return codes.send(signInCodeUse(newEmailRecipient(email)), caller);
    }),
    forAnyone(registrationMethods.sendRegisterMobileCode, ({ mobile }, caller) => sendPhoneCode(mobile, caller)),
    forAnyone(registrationMethods.checkRegisterEmailCode, async ({ email, code }, caller) => {
      await codes.check(signInCodeUse(newEmailRecipient(email)), code, caller);
      return {};
    }),
    forAnyone(registrationMethods.checkRegisterMobileCode, async ({ mobile, code }, caller) => {
      await codes.check(signInCodeUse(phoneRecipient(mobile)), code, caller);
      return {};
    }),
    forAnyone(registrationMethods.emailRegister, async (typed, caller) => {
      await requireEnabled('registerByEmail');
      const recipient = newEmailRecipient(typed.email);
      await countRegistration(caller.address);
      const { emailCode: code, password, referrerUid } = typed;
      const user = await registerByCode(accounts, recipient, { code, password, referrerUid }, caller);
      return signIn.createSession(user, caller, typed.session, { secondFactor: false });
    }),
    forAnyone(registrationMethods.mobileRegister, async (typed, caller) => {
      await requireEnabled('registerByPhone');
      const recipient = phoneRecipient(typed.mobile);
      await countRegistration(caller.address);
      const { mobileCode: code, password, referrerUid } = typed;
      const user = await registerByCode(accounts, recipient, { code, password, referrerUid }, caller);
      return signIn.createSession(user, caller, typed.session, { secondFactor: false });
    }),
    forAnyone(registrationMethods.sendMobileCode, ({ mobile }, caller) => sendPhoneCode(mobile, caller)),
    forAnyone(registrationMethods.mobileLogin, async (typed, caller) => {
      await requireEnabled('loginByPhone');
      const { smsCaptcha: code, referrerUid } = typed;
      const user = await signInByPhone(accounts, phoneRecipient(typed.mobile), { code, referrerUid }, caller);
      return signIn.createSession(user, caller, typed.session, { secondFactor: false });
    }),
  ];
}
