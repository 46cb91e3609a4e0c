import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, jwtVerify } from 'jose';

/** Push subscription of a fake browser. */
export type FakeSubscription = { readonly endpoint: string; readonly p256dh: string; readonly auth: string };

/** A message as its browser has decrypted it. */
export type ReceivedPush = {
  readonly endpoint: string;
  /** Decrypted text. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Claims that the sender has signed. */
  readonly claims: JWTPayload;
  /** Public key of the sender, base64url. */
  readonly key: string;
};

/** A push service on loopback with its browsers. */
export type FakePushService = {
  /** Creates a browser with a subscription. */
  subscribe(): FakeSubscription;
  /** Accepted messages, oldest first. Messages with an invalid signature or encryption get a 400. */
  readonly received: ReceivedPush[];
  /** Responds to valid messages; accepts them by default. */
  respond(response: ServerResponse): void;
  stop(): Promise<void>;
};

export async function startFakePushService(): Promise<FakePushService> {
  const browsers = new Map<string, { pair: ECDH; auth: Buffer }>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const browser = browsers.get(request.url ?? '');
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(request.headers.authorization ?? '') ?? [];
    try {
      if (browser === undefined) throw new Error('nobody is there');
      const { payload } = await jwtVerify(token, publicKey(key), { algorithms: ['ES256'], audience: origin() });
      const text = decryptPush(Buffer.concat(chunks), browser).toString();
      service.received.push({ endpoint: origin() + request.url, text, headers: request.headers, claims: payload, key });
      service.respond(response);
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: FakePushService = {
    subscribe() {
      const pair = createECDH('prime256v1');
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString('hex')}`;
      const p256dh = pair.generateKeys().toString('base64url');
      browsers.set(path, { pair, auth });
      return { endpoint: origin() + path, p256dh, auth: auth.toString('base64url') };
    },
    received: [],
    respond: (response) => void response.writeHead(201).end(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

function publicKey(point: string) {
  const bytes = Buffer.from(point, 'base64url');
  const part = (from: number, to?: number) => bytes.subarray(from, to).toString('base64url');
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33) } });
}

/** Decrypts a message as a browser does. @see RFC 8291, section 3.4 */
export function decryptPush(body: Buffer, { pair, auth }: { pair: ECDH; auth: Buffer }): Buffer {
  const salt = body.subarray(0, 16);
  const length = body.readUInt8(20);
  const sender = body.subarray(21, 21 + length);
  const record = body.subarray(21 + length);
  const derive = (secret: Buffer, by: Buffer, info: string | Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const shared = derive(pair.computeSecret(sender), auth, info, 32);
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16);
  const decipher = createDecipheriv('aes-128-gcm', key, derive(shared, salt, 'Content-Encoding: nonce\0', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0) throw new Error('the record does not end');
  return padded.subarray(0, end);
}
