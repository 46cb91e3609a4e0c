import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { newSession } from './entities.ts';
import { sourceUid } from './registrationMethods.ts';
import { sessionDelivery } from './sessionDelivery.ts';

/** What WeChat gives the browser or the app: it counts once, for ten minutes. An openid proves nothing and is not asked for. */
export const wechatProof = {
  code: z.string().max(512),
  /** From `wechatState`, used by the same browser. */
  state: z.string().max(200),
};

/** What Apple gives: the token, the code, or both. `sns_openid` proves nothing and is not asked for. */
export const appleProof = {
  identity_token: z.string().max(8_192).optional(),
  code: z.string().max(2_048).optional(),
  /** From `appleNonce`, used by the same browser. Native apps may give Apple its SHA-256 in hex instead of itself. */
  nonce: z.string().max(200),
};

/** Logins by WeChat and Apple. `rules` tells which are on. */
export const providerMethods = {
  wechatState: defineMethod({
    name: 'System.Login.wechatState',
    summary: 'Begins a login or a link by WeChat: a state that counts once and only in this browser',
    postOnly: true,
    success: 0,
    payload: z.object({ kind: z.enum(['web', 'app']).default('web') }),
    data: z.object({
      state: z.string(),
      /** For the SDK of an app. */
      app_id: z.string(),
      /** Where the browser goes; it comes back to `/user-login/wechat/?code=…&state=…`. Null for an app. */
      url: z.string().nullable(),
    }),
  }),
  wechatLogin: defineMethod({
    name: 'System.Login.wechatLogin',
    summary: 'Begins a session by WeChat; registers whoever is new here',
    postOnly: true,
    success: 1,
    payload: z.object({ ...wechatProof, source_uid: sourceUid, session: sessionDelivery }),
    data: newSession,
  }),
  appleNonce: defineMethod({
    name: 'System.Login.appleNonce',
    summary: 'Begins a login or a link by Apple: a nonce that counts once and only in this browser',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({
      nonce: z.string(),
      /**
       * Where the browser goes; it comes back to `/user-login/apple/#code=…&state=…`, the nonce as state, at the first time
       * with `user`, JSON with the name; or with `error`. Null where only apps are on.
       */
      url: z.string().nullable(),
    }),
  }),
  snsLogin: defineMethod({
    name: 'System.Login.snsLogin',
    summary: 'Begins a session by Apple; registers whoever is new here',
    postOnly: true,
    success: 1,
    payload: z.object({
      sns_type: z.literal('apple'),
      ...appleProof,
      /** The name, which Apple tells only once. */
      nick_name: z.string().max(100).default(''),
      source_uid: sourceUid,
      session: sessionDelivery,
    }),
    data: newSession,
  }),
} as const;
