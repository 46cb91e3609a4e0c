import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { codeSent } from './code.ts';
import { currentUser } from './entities.ts';
import { disabledIntegration } from './integrations.ts';

/** Methods by which users change their password, e-mail address and phone number. */
export const credentialMethods = {
  modifyPassword: defineMethod({
    name: 'System.Member.modifyPassword',
    summary:
      'Changes the own password, or sets one where there is none, ends all other sessions and devices, and disables what they have added of webhooks, Telegram chats and bot hosts',
    postOnly: true,
    success: 0,
    payload: z.object({
      /** Not required without a password. Setting a first password, and any change with a second factor, requires a fresh proof. */
      old_password: z.string().optional(),
      new_password: z.string(),
    }),
    data: z.object({ disabled: z.array(disabledIntegration) }),
  }),
  sendContactCode: defineMethod({
    name: 'System.Member.sendContactCode',
    summary:
      'Sends a code to an e-mail address or a phone number that is to be added to the own account. Takes a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ email: z.string().optional(), mobile: z.string().optional() }),
    data: codeSent,
  }),
  changeContact: defineMethod({
    name: 'System.Member.changeContact',
    summary:
      'Adds or changes the own e-mail address or phone number by the code that was sent there. Takes a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ email: z.string().optional(), mobile: z.string().optional(), code: z.string() }),
    data: z.object({ user_info: currentUser }),
  }),
} as const;
