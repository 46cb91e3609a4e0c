import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
/** One record holds the whole message: push services take 4,096 bytes of it. */
const RECORD_BYTES = 4_096;
const TAG_BYTES = 16;
/** After the last byte of a message that is one record (RFC 8188, section 2). */
const LAST = Buffer.from([2]);

/** Longest text that fits, bytes: without the header, the mark at its end and the tag. */
export const PUSH_BYTES = RECORD_BYTES - (SALT_BYTES + 4 + 1 + POINT_BYTES) - LAST.length - TAG_BYTES;

/** What a browser gives to whoever may send to it, base64url: its public key and a secret. */
export interface PushReader {
  readonly p256dh: string;
  readonly auth: string;
}

/** Whether a message can be encrypted for a browser: its key is a point of the curve, its secret as long as it should be. */
export function isPushReader({ p256dh, auth }: PushReader): boolean {
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false;
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== POINT_BYTES) return false;
  try {
    newPair().computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/**
 * Encrypts a message so that only one browser can read it, and the push service between cannot (RFC 8291, `aes128gcm`).
 *
 * @param text at most `PUSH_BYTES`
 * @param made what is random for each message
 * @returns the body to post
 */
export function encryptPush(
  text: Buffer,
  { p256dh, auth }: PushReader,
  made: { readonly salt: Buffer; readonly pair: ECDH } = { salt: randomBytes(SALT_BYTES), pair: newPair() },
): Buffer {
  if (text.length > PUSH_BYTES) throw new RangeError('the message is too long to be pushed');
  const reader = Buffer.from(p256dh, 'base64url');
  const sender = made.pair.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), reader, sender]);
  const shared = derive(made.pair.computeSecret(reader), Buffer.from(auth, 'base64url'), info, 32);
  const key = derive(shared, made.salt, 'Content-Encoding: aes128gcm\0', KEY_BYTES);
  const nonce = derive(shared, made.salt, 'Content-Encoding: nonce\0', NONCE_BYTES);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const record = Buffer.concat([cipher.update(text), cipher.update(LAST), cipher.final(), cipher.getAuthTag()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([made.salt, size, Buffer.from([sender.length]), sender, record]);
}

function newPair(): ECDH {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
}

function derive(secret: Buffer, salt: Buffer, info: string | Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}
