import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';
import { codeSent } from './code.ts';
import { newSession } from './entities.ts';
import { sessionDelivery } from './sessionDelivery.ts';

/** uid of the referrer, also as text. An unknown uid is ignored. */
export const referrerUid = z.coerce
  .number<string | number>()
  .pipe(z.number().int().min(0).max(2_147_483_647))
  .optional()
  .register(oldNames, { name: 'source_uid' });

/** Methods of registration. `rules` returns the enabled ones. */
export const registrationMethods = {
  rules: defineMethod({
    name: 'System.Register.rules',
    summary: 'Returns the password rules and the enabled sign-up and login methods',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({
      passwordMinLength: z.number().int().register(oldNames, { name: 'password_least' }),
      passwordMaxLength: z.number().int().register(oldNames, { name: 'password_greatest' }),
      /** Whether the next account registered by name becomes the super administrator. */
      firstAccount: z.boolean(),
      registerByName: z.boolean(),
      registerByEmail: z.boolean(),
      registerByPhone: z.boolean(),
      loginByPhone: z.boolean(),
      /** Whether codes are sent. Otherwise they are in the outbox, which administrators can read. */
      sendsEmail: z.boolean(),
      sendsSms: z.boolean(),
      /** Enabled providers: WeChat in a browser and in an app, Apple in a browser and in an app. */
      wechatWeb: z.boolean(),
      wechatApp: z.boolean(),
      appleWeb: z.boolean(),
      appleApp: z.boolean(),
    }),
  }),
  usernameRegister: defineMethod({
    name: 'System.Register.usernameRegister',
    summary: 'Registers by name and creates a session',
    postOnly: true,
    success: 0,
    payload: z.object({ username: z.string(), password: z.string(), referrerUid, session: sessionDelivery }),
    data: newSession,
  }),
  sendRegisterEmailCode: defineMethod({
    name: 'System.Register.sendRegisterEmailCode',
    summary:
      'Sends a code to an e-mail address to be registered. The response does not reveal whether it is registered already',
    postOnly: true,
    success: 0,
    payload: z.object({ email: z.string() }),
    data: codeSent,
  }),
  sendRegisterMobileCode: defineMethod({
    name: 'System.Register.sendRegisterMobileCode',
    summary:
      'Sends a code to a phone number, to register it or to log in. The response does not reveal whether it is registered already',
    postOnly: true,
    success: 0,
    payload: z.object({ mobile: z.string() }),
    data: codeSent,
  }),
  checkRegisterEmailCode: defineMethod({
    name: 'System.Register.CheckRegisterEmailCode',
    summary: 'Returns whether a code is correct, without using it. Only a wrong code counts as an attempt',
    postOnly: true,
    success: 0,
    payload: z.object({ email: z.string(), code: z.string() }),
    data: z.object({}),
  }),
  checkRegisterMobileCode: defineMethod({
    name: 'System.Register.checkRegisterMobileCode',
    summary: 'Returns whether a code is correct, without using it. Only a wrong code counts as an attempt',
    postOnly: true,
    success: 0,
    payload: z.object({ mobile: z.string(), code: z.string() }),
    data: z.object({}),
  }),
  emailRegister: defineMethod({
    name: 'System.Register.emailRegister',
    summary: 'Registers by e-mail with a code and creates a session',
    postOnly: true,
    success: 0,
    payload: z.object({
      email: z.string(),
      password: z.string(),
      emailCode: z.string(),
      referrerUid,
      session: sessionDelivery,
    }),
    data: newSession,
  }),
  mobileRegister: defineMethod({
    name: 'System.Register.mobileRegister',
    summary: 'Registers by phone with a code and creates a session',
    postOnly: true,
    success: 0,
    payload: z.object({
      mobile: z.string(),
      password: z.string(),
      mobileCode: z.string(),
      referrerUid,
      session: sessionDelivery,
    }),
    data: newSession,
  }),
  sendMobileCode: defineMethod({
    name: 'System.Login.sendMobileCode',
    summary: 'Sends the same code as sendRegisterMobileCode, for a login by phone code',
    postOnly: true,
    success: 0,
    payload: z.object({ mobile: z.string() }),
    data: codeSent,
  }),
  mobileLogin: defineMethod({
    name: 'System.Login.mobileLogin',
    summary: 'Creates a session with a code that was sent to a phone, and registers an unknown number',
    postOnly: true,
    success: 1,
    payload: z.object({ mobile: z.string(), smsCaptcha: z.string(), referrerUid, session: sessionDelivery }),
    data: newSession,
  }),
} as const;
