import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
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
    summary: 'Options for `navigator.credentials.create`',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({ options: passkeyRegistrationOptions }),
  }),
  finishPasskeyRegistration: defineMethod({
    name: 'System.Passkey.finishRegistration',
    summary: 'Adds a passkey. With the first second factor come recovery codes, shown once; otherwise there are none',
    postOnly: true,
    success: 0,
    payload: z.object({ response: passkeyRegistrationAnswer, name: passkeyName.default('') }),
    data: z.object({ id: z.string(), name: z.string(), recovery_codes: z.array(z.string()) }),
  }),
  listPasskeys: defineMethod({
    name: 'System.Passkey.list',
    summary: 'The own passkeys',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({
      passkeys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          /** Unix seconds. */
          made_at: z.number().int(),
          used_at: z.number().int().nullable(),
        }),
      ),
    }),
  }),
  renamePasskey: defineMethod({
    name: 'System.Passkey.rename',
    summary: 'Gives an own passkey another name',
    postOnly: true,
    success: 0,
    payload: z.object({ id: passkeyId, name: passkeyName }),
    data: z.object({ name: z.string() }),
  }),
  removePasskey: defineMethod({
    name: 'System.Passkey.remove',
    summary: 'Removes an own passkey, and ends all other sessions',
    postOnly: true,
    success: 0,
    payload: z.object({ id: passkeyId }),
    data: z.object({}),
  }),
  beginPasskeyLogin: defineMethod({
    name: 'System.Passkey.beginLogin',
    summary: 'Options for `navigator.credentials.get`, for a login or for the second step of one',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({ options: passkeyLoginOptions }),
  }),
  finishPasskeyLogin: defineMethod({
    name: 'System.Passkey.finishLogin',
    summary: 'Begins a session with a passkey, without any name or password',
    postOnly: true,
    success: 1,
    payload: z.object({ response: passkeyLoginAnswer, session: sessionDelivery }),
    data: newSession,
  }),
} as const;
