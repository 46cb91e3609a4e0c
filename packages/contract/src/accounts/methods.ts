import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { apiTokenMethods } from './apiTokenMethods.ts';
import { credentialMethods } from './credentialMethods.ts';
import { deviceMethods } from './deviceMethods.ts';
import { currentUser, newSession, sessionOwner } from './entities.ts';
import { identityMethods } from './identityMethods.ts';
import { disabledIntegration } from './integrations.ts';
import { outboxMethods } from './outboxMethods.ts';
import { passkeyMethods } from './passkeyMethods.ts';
import { peopleMethods } from './peopleMethods.ts';
import { providerMethods } from './providerMethods.ts';
import { proxyMethods } from './proxyMethods.ts';
import { recoveryMethods } from './recoveryMethods.ts';
import { registrationMethods } from './registrationMethods.ts';
import { secondFactorMethods } from './secondFactorMethods.ts';
import { sessionDelivery } from './sessionDelivery.ts';
import { sessionMethods } from './sessionMethods.ts';
import { settingMethods } from './settingMethods.ts';

const setupToken = z.string().max(200);

/** Methods of accounts. */
export const accountMethods = {
  ...sessionMethods,
  ...deviceMethods,
  ...registrationMethods,
  ...recoveryMethods,
  ...credentialMethods,
  ...outboxMethods,
  ...secondFactorMethods,
  ...passkeyMethods,
  ...peopleMethods,
  ...settingMethods,
  ...proxyMethods,
  ...providerMethods,
  ...identityMethods,
  ...apiTokenMethods,
  login: defineMethod({
    name: 'System.Login.login',
    summary:
      'Logs in and creates a session. The response and its delay are the same for a wrong password and an unknown account',
    postOnly: true,
    success: 1,
    payload: z.object({
      /** Name, uid, e-mail address or phone number. */
      username: z.string(),
      password: z.string(),
      session: sessionDelivery,
    }),
    data: newSession,
  }),
  logout: defineMethod({
    name: 'System.Login.logout',
    summary:
      'Ends this session, or all sessions of the account. With all sessions, the webhooks, Telegram chats, bot hosts and API tokens added by other sessions are disabled. Does nothing without a session',
    postOnly: true,
    success: 0,
    payload: z.object({
      /** Forms send it as text. */
      everywhere: z
        .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
        .transform((typed) => typed === true || typed === 'true' || typed === '1')
        .default(false),
    }),
    /** Integrations that were disabled; empty unless all sessions were ended. */
    data: z.object({ disabled: z.array(disabledIntegration) }),
  }),
  authentication: defineMethod({
    name: 'System.Member.authentication',
    summary: 'Returns the account of this session, as a list with one entry',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({ data: z.array(sessionOwner), total: z.literal(1) }),
  }),
  checkSetupToken: defineMethod({
    name: 'System.Setup.checkToken',
    summary: 'Returns whether a one-time setup link is still valid, without using it',
    postOnly: true,
    success: 0,
    payload: z.object({ setupToken }),
    data: z.object({ valid: z.boolean() }),
  }),
  createAdministrator: defineMethod({
    name: 'System.Setup.createAdministrator',
    summary: 'Registers the first super administrator and creates a session. The link works once',
    postOnly: true,
    success: 0,
    payload: z.object({
      setupToken,
      username: z.string(),
      password: z.string(),
      session: sessionDelivery,
    }),
    data: newSession,
  }),
  becomeAdministrator: defineMethod({
    name: 'System.Setup.becomeAdministrator',
    summary: 'Makes the caller the first super administrator and ends their other sessions. The link works once',
    postOnly: true,
    success: 0,
    payload: z.object({ setupToken }),
    data: z.object({ userInfo: currentUser }),
  }),
} as const;
