import { z } from 'zod';

/** Matches an HMAC secret: one line of printable ASCII. */
const ONE_LINE = /^[\x21-\x7e]{8,200}$/;

/** Matches PEM text with or without line breaks, because password fields remove them. */
const PEM = /^-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----$/;

/** Base64 forms of an Ed25519 private key in PKCS #8, without and with its public key. */
const ED25519 = [/^MC4CAQAwBQYDK2VwBCIEI[A-Za-z0-9+/]{43}$/, /^MFECAQEwBQYDK2VwBCIEI[A-Za-z0-9+/]{90,91}={0,2}$/];

/** Maximum length of a parsed text. It covers an RSA key of 8,192 bits, so that its kind is reported. */
const LONGEST = 8_000;

/** The parsed secret of an exchange key. */
export type KeySecret =
  | { readonly kind: 'hmac' | 'ed25519'; readonly secret: string }
  /** `other_kind`: a private key that is not Ed25519, such as RSA, or one behind a passphrase. */
  | { readonly kind: 'invalid'; readonly why: 'unreadable' | 'other_kind' };

/** Parses a typed or pasted secret: a line of text (HMAC), or an Ed25519 private key as PEM. */
export function readKeySecret(typed: string): KeySecret {
  const text = typed.trim();
  if (text.length > LONGEST) return { kind: 'invalid', why: 'unreadable' };
  if (!text.startsWith('-----BEGIN')) {
    return ONE_LINE.test(text) ? { kind: 'hmac', secret: text } : { kind: 'invalid', why: 'unreadable' };
  }
  const [, label, body = ''] = PEM.exec(text.replaceAll('\\n', '\n')) ?? [];
  if (label === undefined) return { kind: 'invalid', why: 'unreadable' };
  const base64 = body.replace(/\s+/g, '');
  if (label !== 'PRIVATE KEY' || !ED25519.some((form) => form.test(base64)))
    return { kind: 'invalid', why: 'other_kind' };
  return { kind: 'ed25519', secret: `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----` };
}

/** The secret of a new key. Parsing normalises a private key to the form in which it is sealed. */
export const keySecret = z
  .string()
  .max(LONGEST)
  .refine((typed) => readKeySecret(typed).kind !== 'invalid', {
    error: 'a secret is one line of 8 to 200 letters, digits or signs, or an Ed25519 private key as PEM text',
  })
  .overwrite((typed) => {
    const read = readKeySecret(typed);
    return read.kind === 'invalid' ? typed : read.secret;
  });
