import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate with its key, both as PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority for tests. */
export interface TestAuthority {
  /** Its own certificate, for those who are to trust it. */
  readonly cert: string;
  /** Makes a certificate for names and addresses. @param days how long it is valid from yesterday on; negative: expired */
  issue(names: readonly string[], days?: number): TestCertificate;
}

const DAY_MS = 86_400_000;
const ECDSA_SHA256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2));

/** Creates a certificate authority. Nothing trusts it unless it is configured to. */
export function makeAuthority(): TestAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = 'Heron test authority';
  const isAuthority = extension(oid(2, 5, 29, 19), sequence(der(0x01, Buffer.from([0xff]))));
  const cert = makeCertificate(
    { subject: name, issuer: name, publicKey: keys.publicKey, days: 30 },
    isAuthority,
    keys.privateKey,
  );
  return {
    cert,
    issue(names, days = 30) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const alternatives = names.map((text) =>
        isIPv4(text) ? der(0x87, Buffer.from(text.split('.').map(Number))) : der(0x82, Buffer.from(text)),
      );
      const extensions = extension(oid(2, 5, 29, 17), sequence(...alternatives));
      const parts = { subject: names[0] ?? '', issuer: name, publicKey: own.publicKey, days };
      return {
        cert: makeCertificate(parts, extensions, keys.privateKey),
        key: String(own.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      };
    },
  };
}

interface CertificateOptions {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly days: number;
}

function makeCertificate(parts: CertificateOptions, extensions: Buffer, signer: KeyObject): string {
  const end = Date.now() + parts.days * DAY_MS;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_SHA256,
    nameOf(parts.issuer),
    sequence(time(Math.min(Date.now(), end) - DAY_MS), time(end)),
    nameOf(parts.subject),
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extensions)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, signer)]);
  const text = sequence(body, ECDSA_SHA256, der(0x03, signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}(?!$)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

/** A value of ASN.1 in DER: a tag, a length, the content. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = rest.flatMap((part) => {
    const digits = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, der(0x04, value));
}

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(text)))));
}

function time(at: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
}
