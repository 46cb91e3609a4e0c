import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { WechatConfig } from '../../config.ts';
import { fetchJson } from '../core/fetchJson.ts';
import type { Wechat } from '../core/providers.ts';

/** Errors have status 200 too, with an `errcode`. */
const failure = z.object({ errcode: z.number().int().optional() });
const grant = failure.extend({
  access_token: z.string().optional(),
  openid: z.string().max(200).optional(),
  unionid: z.string().max(200).optional(),
});
const person = failure.extend({ nickname: z.string().optional(), unionid: z.string().max(200).optional() });

/** Error codes for this code: invalid, used, expired. */
const CODE_REFUSED = new Set([40_029, 40_163, 41_008, 42_003]);

/**
 * Creates the client of WeChat Login, for websites and apps.
 *
 * @see https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html
 */
export function createWechat(config: WechatConfig, log: FastifyBaseLogger): Wechat {
  async function call<Schema extends typeof failure>(path: string, query: Record<string, string>, schema: Schema) {
    const answered = await fetchJson(
      `${config.apiUrl}${path}?${new URLSearchParams(query)}`,
      { method: 'GET' },
      schema,
    );
    const errcode = answered === null ? null : (answered.answer.errcode ?? 0);
    if (answered !== null && errcode === 0) return answered.answer;
    if (errcode !== null && CODE_REFUSED.has(errcode)) throw new CallError('provider_refused', { provider: 'WeChat' });
    log.warn({ provider: 'wechat', path, errcode }, 'a provider did not answer as it should');
    throw new CallError('provider_unreachable', { provider: 'WeChat' });
  }

  return {
    appId: (kind) => config[kind]?.appId ?? null,
    loginUrl(appId, state, back) {
      const query = new URLSearchParams({
        appid: appId,
        redirect_uri: back,
        response_type: 'code',
        scope: 'snsapi_login',
        state,
      });
      return `${config.openUrl}/connect/qrconnect?${query}#wechat_redirect`;
    },
    async exchange(kind, code) {
      const app = config[kind];
      if (app === undefined) throw new CallError('provider_off');
      const { appId: appid, secret } = app;
      const granted = await call(
        '/sns/oauth2/access_token',
        { appid, secret, code, grant_type: 'authorization_code' },
        grant,
      );
      const { access_token, openid } = granted;
      if (access_token === undefined || openid === undefined)
        throw new CallError('provider_unreachable', { provider: 'WeChat' });
      const profile = await call('/sns/userinfo', { access_token, openid, lang: 'zh_CN' }, person);
      const unionid = profile.unionid ?? granted.unionid;
      return {
        by: 'wechat',
        keys: [
          { provider: `wechat:${appid}`, subject: openid },
          ...(unionid === undefined ? [] : [{ provider: 'wechat', subject: unionid }]),
        ],
        refreshToken: null,
        nickName: profile.nickname ?? '',
      };
    },
  };
}
