import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';
import { codeSent } from './code.ts';

/**
 * Methods of password recovery: identify, prove by code, reset. They reveal whether an account exists only after a proof of the
 * mailbox or phone, unless a setting of the installation allows more.
 */
export const recoveryMethods = {
  findPassword: defineMethod({
    name: 'System.Password.findPassword',
    summary: 'Starts the recovery of a password by e-mail address or phone number',
    postOnly: true,
    success: 0,
    payload: z.object({
      /** E-mail address or phone number. */
      recipient: z.string().register(oldNames, { name: 'info' }),
      type: z.enum(['mobile', 'email']),
    }),
    data: z.object({
      /** The normalised recipient. */
      recipient: z.string().register(oldNames, { name: 'info' }),
      type: z.enum(['mobile', 'email']),
    }),
  }),
  sendFindPasswordCode: defineMethod({
    name: 'System.Password.sendFindPasswordCode',
    summary: 'Sends a code for the recovery of a password',
    postOnly: true,
    success: 0,
    payload: z.object({
      /** E-mail address or phone number. */
      recipient: z.string().register(oldNames, { name: 'send_param' }),
      type: z.enum(['email', 'sms']),
    }),
    data: codeSent,
  }),
  checkFindPasswordCode: defineMethod({
    name: 'System.Password.checkFindPasswordCode',
    summary: 'Verifies a code and returns a ticket that resets the password once, within ten minutes',
    postOnly: true,
    success: 0,
    payload: z.object({
      type: z.enum(['email', 'sms']).register(oldNames, { name: 'send_type' }),
      /** E-mail address or phone number, as in `sendFindPasswordCode`. */
      recipient: z.string().register(oldNames, { name: 'send_param' }),
      /**
       * Older clients do not send it: they have no field for both a recipient and a code. There is no session that could store the
       * recipient. Clients without this field can call the reset directly, which accepts the code itself.
       */
      code: z.string(),
    }),
    data: z.object({ ticket: z.string() }),
  }),
  passwordReset: defineMethod({
    name: 'System.Password.passwordReset',
    summary:
      'Sets a new password with the code, or with the ticket of a verified code. Ends all sessions and remembered devices of the account, and disables its webhooks, Telegram chats, bot hosts and API tokens',
    postOnly: true,
    success: 1,
    payload: z.object({
      /** E-mail address or phone number. */
      account: z.string(),
      password: z.string(),
      type: z.enum(['mobile', 'email']),
      appCode: z.string().optional(),
      ticket: z.string().max(200).optional(),
    }),
    /** Number of disabled integrations. Without a session their details are not revealed. */
    data: z.object({ disabled: z.number().int() }),
  }),
} as const;
