import { z } from 'zod';
import { oldNames } from '../http/oldFieldNames.ts';

/** Returns a schema for bytes in base64url with a maximum number of characters. */
const bytes = (longest: number) => z.string().max(longest);

/** Returns a schema for an object of WebAuthn, whose fields have the same names for older clients. */
function webAuthnObject<Shape extends z.core.$ZodShape>(shape: Shape) {
  for (const [name, field] of Object.entries(shape)) oldNames.add(field, { name });
  return z.object(shape);
}

/** Fields of every authenticator response (WebAuthn, `PublicKeyCredential.toJSON()`). */
const answered = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
};

/** Response of a browser to the options of a sign-in. */
export const passkeyLoginAnswer = webAuthnObject({
  ...answered,
  response: webAuthnObject({
    clientDataJSON: bytes(8_000),
    authenticatorData: bytes(8_000),
    signature: bytes(8_000),
    userHandle: bytes(200).optional(),
  }),
});

/** Response of a browser to the options of a registration. */
export const passkeyRegistrationAnswer = webAuthnObject({
  ...answered,
  response: webAuthnObject({
    clientDataJSON: bytes(8_000),
    attestationObject: bytes(60_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});

const knownPasskey = webAuthnObject({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});

/** Options for `navigator.credentials.get`, parsed by `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const passkeyLoginOptions = webAuthnObject({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  allowCredentials: z.array(knownPasskey).optional(),
  userVerification: z.literal('required'),
});

/** Options for `navigator.credentials.create`, parsed by `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const passkeyRegistrationOptions = webAuthnObject({
  challenge: z.string(),
  rp: webAuthnObject({ name: z.string(), id: z.string() }),
  user: webAuthnObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(webAuthnObject({ alg: z.number().int(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(knownPasskey),
  authenticatorSelection: webAuthnObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});

export type PasskeyLoginAnswer = z.infer<typeof passkeyLoginAnswer>;
export type PasskeyRegistrationAnswer = z.infer<typeof passkeyRegistrationAnswer>;
