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
      "Changes or sets the caller's password. Ends all other sessions and remembered devices, and disables the webhooks, Telegram chats, bot hosts and API tokens that they added",
    postOnly: true,
    success: 0,
    payload: z.object({
      /** Not required without a password. Setting a first password, and any change with a second factor, requires a fresh proof. */
      oldPassword: z.string().optional(),
      newPassword: z.string(),
    }),
    data: z.object({ disabled: z.array(disabledIntegration) }),
  }),
  sendContactCode: defineMethod({
    name: 'System.Member.sendContactCode',
    summary:
      "Sends a code to an e-mail address or phone number to be added to the caller's account. Requires a fresh proof",
    postOnly: true,
    success: 0,
    payload: z.object({ email: z.string().optional(), mobile: z.string().optional() }),
    data: codeSent,
  }),
  changeContact: defineMethod({
    name: 'System.Member.changeContact',
    summary:
      "Adds or changes the caller's e-mail address or phone number with the code that was sent there. Requires a fresh proof",
    postOnly: true,
    success: 0,
    payload: z.object({ email: z.string().optional(), mobile: z.string().optional(), code: z.string() }),
    data: z.object({ userInfo: currentUser }),
  }),
} as const;
