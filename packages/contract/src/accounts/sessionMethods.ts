import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { disabledIntegration } from './integrations.ts';
import { factorProof } from './secondFactorMethods.ts';

/** A session in the owner's list. */
const sessionEntry = z.object({
  /** Identifies the session; reveals nothing about its token. */
  id: z.uuid(),
  /** IP address from which the session began. */
  address: z.string(),
  /** Browser and operating system from the user agent, such as "Firefox" and "Windows"; empty when unknown. */
  browser: z.string(),
  system: z.string(),
  /** Unix seconds. */
  began: z.number().int(),
  /** Last use to the minute, unix seconds. */
  used: z.number().int(),
  /** Whether the device signs in automatically. */
  remembered: z.boolean(),
  /** Whether it is the session of this call. */
  current: z.boolean(),
});

/** Methods by which users manage their sessions. */
export const sessionMethods = {
  listSessions: defineMethod({
    name: 'System.Session.list',
    summary: 'Lists the sessions of the account, most recently used first',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({ sessions: z.array(sessionEntry) }),
  }),
  endSession: defineMethod({
    name: 'System.Session.end',
    summary: 'Ends a session of the caller and forgets its device',
    postOnly: true,
    success: 0,
    payload: z.object({ id: z.uuid() }),
    data: z.object({}),
  }),
  endOtherSessions: defineMethod({
    name: 'System.Session.endOthers',
    summary:
      'Ends all sessions of the caller except this one and forgets the other devices. Webhooks, Telegram chats, bot hosts and API tokens added by other sessions are disabled',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({ ended: z.number().int(), disabled: z.array(disabledIntegration) }),
  }),
  prove: defineMethod({
    name: 'System.Session.prove',
    summary:
      'Gives a fresh proof of identity, for calls that return `proof_needed`: with the password and, if there is one, the second factor. A passkey is both. The proof is valid for 30 minutes',
    postOnly: true,
    success: 0,
    payload: z.object({ password: z.string().optional(), ...factorProof }),
    data: z.object({}),
  }),
} as const;
