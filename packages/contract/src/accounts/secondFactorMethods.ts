import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';
import { newSession } from './entities.ts';
import { passkeyLoginAnswer } from './passkeyAnswer.ts';
import { sessionDelivery } from './sessionDelivery.ts';

/** Ten codes, shown only once. Each replaces the second factor once. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Proofs of the second factor. The platform rejects a payload with more than one, so their order never matters. */
export const factorProof = {
  /** Six digits of the authenticator app. */
  code: z.string().max(40).optional(),
  recoveryCode: z.string().max(40).optional(),
  /** Response to the options of `System.Passkey.beginLogin`. */
  passkey: passkeyLoginAnswer.optional(),
};

/** Second factors: one-time passwords of an app, and recovery codes. */
export const secondFactorMethods = {
  secondFactor: defineMethod({
    name: 'System.Login.secondFactor',
    summary:
      'Completes a login that returned `second_factor_needed`. The ticket is valid for ten minutes and five attempts',
    postOnly: true,
    success: 1,
    payload: z.object({ ticket: z.string().max(200), ...factorProof, session: sessionDelivery }),
    data: newSession,
  }),
  secondFactorState: defineMethod({
    name: 'System.SecondFactor.state',
    summary: "Returns the second factors of the caller's account, and whether its role requires one",
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({
      totp: z.boolean(),
      passkeys: z.number().int(),
      recoveryCodesLeft: z.number().int(),
      /** Whether the role requires a second factor. */
      required: z.boolean(),
      /** Whether this session was begun or confirmed with a second factor. */
      sessionHasSecondFactor: z.boolean().register(oldNames, { name: 'in_session' }),
    }),
  }),
  beginTotp: defineMethod({
    name: 'System.SecondFactor.beginTotp',
    summary: 'Creates the secret of an authenticator app, which `confirmTotp` enables with its first code',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({
      /** Base32, for typing it into an app. */
      secret: z.string(),
      /** `otpauth://…`, for a QR code. */
      uri: z.string(),
    }),
  }),
  confirmTotp: defineMethod({
    name: 'System.SecondFactor.confirmTotp',
    summary: 'Enables the authenticator app. Returns recovery codes once, with the first second factor only',
    postOnly: true,
    success: 0,
    payload: z.object({ code: z.string().max(40) }),
    data: recoveryCodes,
  }),
  removeTotp: defineMethod({
    name: 'System.SecondFactor.removeTotp',
    summary: 'Disables the authenticator app and ends all other sessions',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: z.object({}),
  }),
  newRecoveryCodes: defineMethod({
    name: 'System.SecondFactor.newRecoveryCodes',
    summary: 'Generates ten new recovery codes, which replace the old ones',
    postOnly: true,
    success: 0,
    payload: z.object({}),
    data: recoveryCodes,
  }),
} as const;
