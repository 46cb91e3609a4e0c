import { providerMethods } from '@heron/contract/accounts/providerMethods.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { persistentLimiter, take } from '../../gateway/limits.ts';
import { type Answering, forAnyone } from '../../gateway/methods.ts';
import type { Accounts } from '../accounts.ts';
import { accountOf } from './accountOf.ts';
import { identifyByApple, identifyByWechat, wechatStateOf } from './identify.ts';
import { wayBack } from './providers.ts';
import { beginRoundTrip } from './roundTrip.ts';

/** Round trips that one address begins, and logins by providers of one address. */
const BEGINNINGS = { name: 'provider-begin', points: 300, seconds: 900 };
const LOGINS = { name: 'provider-login', points: 100, seconds: 900 };

/** What answers the methods of logins by WeChat and Apple. */
export function answerProviders(accounts: Accounts): Answering[] {
  const { database, entrance, providers, publicUrl } = accounts;
  const beginnings = persistentLimiter(database, BEGINNINGS);
  const logins = persistentLimiter(database, LOGINS);

  return [
    forAnyone(providerMethods.wechatState, async ({ kind }, caller) => {
      const appId = providers.wechat?.appId(kind) ?? null;
      const back = wayBack(publicUrl, 'wechat');
      if (providers.wechat === null || appId === null || (kind === 'web' && back === null))
        throw new CallError('provider_off');
      await take(beginnings, caller.address);
      const state = wechatStateOf(await beginRoundTrip(database, 'wechat-state', caller, { kind }));
      const url = kind === 'app' || back === null ? null : providers.wechat.loginUrl(appId, state, back);
      return { state, app_id: appId, url };
    }),
    forAnyone(providerMethods.wechatLogin, async ({ code, state, source_uid, session }, caller) => {
      await take(logins, caller.address);
      const person = await identifyByWechat(accounts, { code, state }, caller);
      const told = { nickName: person.nickName, sourceUid: source_uid };
      return entrance.enter(await accountOf(accounts, person, told, caller), caller, session, { secondFactor: false });
    }),
    forAnyone(providerMethods.appleNonce, async (_payload, caller) => {
      if (providers.apple === null) throw new CallError('provider_off');
      await take(beginnings, caller.address);
      const nonce = await beginRoundTrip(database, 'apple-nonce', caller);
      const back = wayBack(publicUrl, 'apple');
      return { nonce, url: back === null ? null : providers.apple.loginUrl(nonce, back) };
    }),
    forAnyone(providerMethods.snsLogin, async ({ nick_name, source_uid, session, ...proof }, caller) => {
      await take(logins, caller.address);
      const person = await identifyByApple(accounts, proof, caller);
      const told = { nickName: nick_name, sourceUid: source_uid };
      return entrance.enter(await accountOf(accounts, person, told, caller), caller, session, { secondFactor: false });
    }),
  ];
}
