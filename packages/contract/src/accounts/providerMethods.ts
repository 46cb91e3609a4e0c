import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';
import { newSession } from './entities.ts';
import { referrerUid } from './registrationMethods.ts';
import { sessionDelivery } from './sessionDelivery.ts';

/** Proof that WeChat gives the browser or the app, valid once, for ten minutes. An openid proves nothing and is not requested. */
export const wechatProof = {
  code: z.string().max(512),
  /** State from `wechatState`, valid for the same browser only. */
  state: z.string().max(200),
};

/** Proof from Apple: the token, the code, or both. An `sns_openid` from older clients proves nothing and is not requested. */
export const appleProof = {
  identityToken: z.string().max(8_192).optional(),
  code: z.string().max(2_048).optional(),
  /** Nonce from `appleNonce`, valid for the same browser only. Native apps may send Apple its SHA-256 in hex instead. */
  nonce: z.string().max(200),
};

/** Methods for sign-in by WeChat and Apple. `rules` returns which are enabled. */
export const providerMethods = {
  wechatState: defineMethod({
    name: 'System.Login.wechatState',
    summary: 'Starts a login or a link with WeChat: returns a state that is valid once, in this browser only',
    postOnly: true,
    success: 0,
    payload: z.object({ kind: z.enum(['web', 'app']).default('web') }),
    data: z.object({
      state: z.string(),
      /** App id for the SDK of an app. */
      appId: z.string(),
      /** Page of WeChat, which redirects the browser to `/user-login/wechat/?code=…&state=…`. Null for an app. */
      url: z.string().nullable(),
    }),
  }),
  wechatLogin: defineMethod({
    name: 'System.Login.wechatLogin',
    summary: 'Creates a session with WeChat, and registers the user at the first login',
    postOnly: true,
    success: 1,
    payload: z.object({ ...wechatProof, referrerUid, session: sessionDelivery }),
    data: newSession,
  }),
  appleNonce: defineMethod({
    name: 'System.Login.appleNonce',
    summary: 'Starts a login or a link with Apple: returns a nonce that is valid once, in this browser only',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({
      nonce: z.string(),
      /**
       * Page of Apple, which returns the browser to `/user-login/apple/#code=…&state=…`. The state is the nonce. The first
       * time, `user` contains the name as JSON. A failure has `error` instead. Null where only apps are enabled.
       */
      url: z.string().nullable(),
    }),
  }),
  snsLogin: defineMethod({
    name: 'System.Login.snsLogin',
    summary: 'Creates a session with Apple, and registers the user at the first login',
    postOnly: true,
    success: 1,
    payload: z.object({
      provider: z.literal('apple').register(oldNames, { name: 'sns_type' }),
      ...appleProof,
      /** Name of the user, which Apple sends only once. */
      nickName: z.string().max(100).default(''),
      referrerUid,
      session: sessionDelivery,
    }),
    data: newSession,
  }),
} as const;
