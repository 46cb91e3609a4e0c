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
    summary: 'Sessions of the account, the one used last first',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({ sessions: z.array(sessionEntry) }),
  }),
  endSession: defineMethod({
    name: 'System.Session.end',
    summary: 'Ends one own session; its device no longer logs in by itself',
    postOnly: true,
    success: 0,
    payload: z.object({ id: z.uuid() }),
    data: z.object({}),
  }),
  endOtherSessions: defineMethod({
    name: 'System.Session.endOthers',
    summary:
      'Ends all own sessions but this one; other devices no longer log in by themselves, and what other sessions have added of webhooks, Telegram chats and bot hosts is disabled',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({ ended: z.number().int(), disabled: z.array(disabledIntegration) }),
  }),
  prove: defineMethod({
    name: 'System.Session.prove',
    summary:
      'Proves once more who is there, for what wants a fresh proof (`proof_needed`): by the password, and from who has a second factor by that as well. A passkey is both. It counts for 30 minutes',
    postOnly: true,
    success: 0,
    payload: z.object({ password: z.string().optional(), ...factorProof }),
    data: z.object({}),
  }),
} as const;
