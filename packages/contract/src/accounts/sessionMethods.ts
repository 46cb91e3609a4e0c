import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { disabledIntegration } from './integrations.ts';
import { factorProof } from './secondFactorMethods.ts';

/** A session as its owner sees it in the list. */
const sessionEntry = z.object({
  /** Names the session; says nothing of its token. */
  id: z.uuid(),
  /** From where it began. */
  address: z.string(),
  /** What its program said it is, such as "Firefox" and "Windows"; empty when it did not say. */
  browser: z.string(),
  system: z.string(),
  /** Unix seconds. */
  began: z.number().int(),
  /** To the minute, unix seconds. */
  used: z.number().int(),
  /** The device logs in by itself. */
  remembered: z.boolean(),
  /** The one that asks. */
  current: z.boolean(),
});

/** Methods by which people look after their sessions. */
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
