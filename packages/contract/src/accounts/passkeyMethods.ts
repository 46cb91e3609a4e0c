import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';
import { newSession } from './entities.ts';
import {
  passkeyLoginAnswer,
  passkeyLoginOptions,
  passkeyRegistrationAnswer,
  passkeyRegistrationOptions,
} from './passkeyAnswer.ts';
import { sessionDelivery } from './sessionDelivery.ts';

/** Name that the owner has chosen; empty for the name of the browser. */
const passkeyName = z.string().max(60);
const passkeyId = z.string().max(1_400);

/** Passkeys (WebAuthn). A passkey counts as two factors: the device, and the fingerprint, face or PIN that unlocks it. */
export const passkeyMethods = {
  beginPasskeyRegistration: defineMethod({
    name: 'System.Passkey.beginRegistration',
    summary: 'Returns the options for `navigator.credentials.create`',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({ options: passkeyRegistrationOptions }),
  }),
  finishPasskeyRegistration: defineMethod({
    name: 'System.Passkey.finishRegistration',
    summary: 'Adds a passkey. Returns recovery codes once, with the first second factor only',
    postOnly: true,
    success: 0,
    payload: z.object({ response: passkeyRegistrationAnswer, name: passkeyName.default('') }),
    data: z.object({ id: z.string(), name: z.string(), recoveryCodes: z.array(z.string()) }),
  }),
  listPasskeys: defineMethod({
    name: 'System.Passkey.list',
    summary: "Lists the caller's passkeys",
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({
      passkeys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          /** Unix seconds. */
          createdAt: z.number().int().register(oldNames, { name: 'made_at' }),
          usedAt: z.number().int().nullable(),
        }),
      ),
    }),
  }),
  renamePasskey: defineMethod({
    name: 'System.Passkey.rename',
    summary: 'Renames a passkey of the caller',
    postOnly: true,
    success: 0,
    payload: z.object({ id: passkeyId, name: passkeyName }),
    data: z.object({ name: z.string() }),
  }),
  removePasskey: defineMethod({
    name: 'System.Passkey.remove',
    summary: 'Removes a passkey of the caller and ends all other sessions',
    postOnly: true,
    success: 0,
    payload: z.object({ id: passkeyId }),
    data: z.object({}),
  }),
  beginPasskeyLogin: defineMethod({
    name: 'System.Passkey.beginLogin',
    summary: 'Returns the options for `navigator.credentials.get`, for a login or its second step',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({ options: passkeyLoginOptions }),
  }),
  finishPasskeyLogin: defineMethod({
    name: 'System.Passkey.finishLogin',
    summary: 'Creates a session with a passkey, without a name and a password',
    postOnly: true,
    success: 1,
    payload: z.object({ response: passkeyLoginAnswer, session: sessionDelivery }),
    data: newSession,
  }),
} as const;
