import { providerMethods } from '@heron/contract/accounts/providerMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { consumePoint, persistentLimiter } from '../../gateway/limits.ts';
import { forAnyone, type MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { redirectUrl } from '../core/providers.ts';
import { startAuthorization } from './authorization.ts';
import { findOrCreateAccount } from './findOrCreateAccount.ts';
import { encodeWechatState, identifyByApple, identifyByWechat } from './identify.ts';

/** Limits authorizations that one address starts, and sign-ins by providers from one address. */
const AUTHORIZATIONS = { name: 'provider-begin', points: 300, seconds: 900 };
const LOGINS = { name: 'provider-login', points: 100, seconds: 900 };

/** Returns the handlers of sign-ins by WeChat and Apple. */
export function createProviderHandlers(accounts: AccountDeps): MethodHandler[] {
  const { database, signIn, providers, publicUrl } = accounts;
  const beginnings = persistentLimiter(database, AUTHORIZATIONS);
  const logins = persistentLimiter(database, LOGINS);

  return [
    forAnyone(providerMethods.wechatState, async ({ kind }, caller) => {
      const appId = providers.wechat?.appId(kind) ?? null;
      const back = redirectUrl(publicUrl, 'wechat');
      if (providers.wechat === null || appId === null || (kind === 'web' && back === null))
        throw new CallError('provider_off');
      await consumePoint(beginnings, caller.address);
      const state = encodeWechatState(await startAuthorization(database, 'wechat-state', caller, { kind }));
      const url = kind === 'app' || back === null ? null : providers.wechat.loginUrl(appId, state, back);
      return { state, appId, url };
    }),
    forAnyone(providerMethods.wechatLogin, async ({ code, state, referrerUid, session }, caller) => {
      await consumePoint(logins, caller.address);
      const person = await identifyByWechat(accounts, { code, state }, caller);
      const profile = { nickName: person.nickName, referrerUid };
      return signIn.createSession(await findOrCreateAccount(accounts, person, profile, caller), caller, session, {
        secondFactor: false,
      });
    }),
    forAnyone(providerMethods.appleNonce, async (_payload, caller) => {
      if (providers.apple === null) throw new CallError('provider_off');
      await consumePoint(beginnings, caller.address);
      const nonce = await startAuthorization(database, 'apple-nonce', caller);
      const back = redirectUrl(publicUrl, 'apple');
      return { nonce, url: back === null ? null : providers.apple.loginUrl(nonce, back) };
    }),
    forAnyone(providerMethods.snsLogin, async ({ nickName, referrerUid, session, ...proof }, caller) => {
      await consumePoint(logins, caller.address);
      const person = await identifyByApple(accounts, proof, caller);
      const profile = { nickName, referrerUid };
      return signIn.createSession(await findOrCreateAccount(accounts, person, profile, caller), caller, session, {
        secondFactor: false,
      });
    }),
  ];
}
