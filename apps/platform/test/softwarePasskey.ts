import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** Flags of authenticator data (WebAuthn 6.1). */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

/** Data that the authenticator and the browser sign. Absent fields get honest values; tests of attacks set others. */
export type Ceremony = {
  /** Origin of the page. */
  origin: string;
  /** Relying party, which a browser checks against the page. */
  rpId?: string;
  type?: string;
  crossOrigin?: boolean;
  flags?: number;
  counter?: number;
  userHandle?: string;
};

/** An authenticator with one ES256 key, which signs any data. */
export type SoftwarePasskey = {
  readonly id: string;
  /** Returns a response to the options of a registration. */
  create(options: { challenge: string; rp: { id: string }; user: { id: string } }, how: Ceremony): object;
  /** Returns a response to the options of a login. */
  get(options: { challenge: string; rpId: string }, how: Ceremony): object;
};

export function softwarePasskey(): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(32);
  const id = base64url(rawId);
  let counter = 0;
  let userHandle = '';

  const described = (type: string, challenge: string, how: Ceremony) =>
    Buffer.from(
      JSON.stringify({ type: how.type ?? type, challenge, origin: how.origin, crossOrigin: how.crossOrigin ?? false }),
    );

  function authenticatorData(rpId: string, flags: number, count: number): Buffer {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags, 0);
    tail.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(rpId), tail]);
  }

  return {
    id,
    create(options, how) {
      userHandle = options.user.id;
      counter = how.counter ?? 0;
      const flags = (how.flags ?? PRESENT | VERIFIED) | WITH_KEY;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const authData = Buffer.concat([
        authenticatorData(how.rpId ?? options.rp.id, flags, counter),
        Buffer.alloc(16),
        length,
        rawId,
        coseKey(publicKey),
      ]);
      const attestation = new Map<string, string | Map<string, string> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(described('webauthn.create', options.challenge, how)),
          attestationObject: base64url(isoCBOR.encode(attestation)),
          transports: ['internal'],
        },
      };
    },
    get(options, how) {
      counter = how.counter ?? counter + 1;
      const clientData = described('webauthn.get', options.challenge, how);
      const authData = authenticatorData(how.rpId ?? options.rpId, how.flags ?? PRESENT | VERIFIED, counter);
      const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: how.userHandle ?? userHandle,
        },
      };
    },
  };
}

/** Encodes a P-256 key in COSE (RFC 9053 7.1.1). */
function coseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = (part: string) => new Uint8Array(Buffer.from(part, 'base64url'));
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}
