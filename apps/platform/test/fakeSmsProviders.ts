import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ALIYUN_KEY = { id: 'LTAI-stand-in', secret: 'secret of the stand-in' };
export const TWILIO_ACCOUNT = { sid: 'ACstandin', token: 'token of the stand-in' };

/** A message that a provider has accepted. */
export type AcceptedSms = Readonly<Record<string, string>>;

export type FakeSmsProvider = {
  readonly url: string;
  readonly accepted: AcceptedSms[];
  /** Error codes of rejected requests. */
  readonly refused: string[];
  /** Rejects the next messages with this code; null accepts them. */
  failWith: string | null;
  /** Redirects the next requests to this address; null disables it. */
  redirectTo: string | null;
  stop(): Promise<void>;
};

type Reply = { status: number; body: object; code?: string; sms?: AcceptedSms };

/** Why a provider rejects a request. */
type Fault = { status: number; code: string };

/** Fakes the SMS service of Alibaba Cloud. It checks a request like the real service, and the message last. */
export function startFakeAliyun(): Promise<FakeSmsProvider> {
  const nonces = new Set<string>();
  return serve((request, body, failWith) => {
    const sms = Object.fromEntries(addressOf(request).searchParams);
    const fault = aliyunRequestFault(request, body, nonces) ?? aliyunMessageFault(sms, failWith);
    if (fault === null) {
      return { status: 200, body: { Code: 'OK', Message: 'OK', BizId: '1^0', RequestId: 'stand-in' }, sms };
    }
    const { code } = fault;
    return { ...fault, body: { Code: code, Message: code, RequestId: 'stand-in', HostId: request.headers.host } };
  });
}

/** Returns the first fault of a request to Alibaba Cloud: of its key, time, nonce, signature or action. */
function aliyunRequestFault(request: IncomingMessage, body: string, nonces: Set<string>): Fault | null {
  const authorization = aliyunAuthorization(request);
  if (authorization === null) return { status: 400, code: 'MissingSecurityToken' };
  if (authorization.id !== ALIYUN_KEY.id) return { status: 404, code: 'InvalidAccessKeyId.NotFound' };
  const fault = freshnessFault(request, nonces) ?? signatureFault(request, body, authorization);
  if (fault !== null) return fault;
  const known = header(request, 'x-acs-action') === 'SendSms' && header(request, 'x-acs-version') === '2017-05-25';
  return known ? null : { status: 404, code: 'InvalidAction.NotFound' };
}

type AliyunAuthorization = { id: string; signedHeaders: string; signature: string };

function aliyunAuthorization(request: IncomingMessage): AliyunAuthorization | null {
  const read = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
    header(request, 'authorization'),
  );
  if (read === null) return null;
  const [, id = '', signedHeaders = '', signature = ''] = read;
  return { id, signedHeaders, signature };
}

/** Returns a fault of a request whose time is 15 minutes off, or whose nonce was used before. */
function freshnessFault(request: IncomingMessage, nonces: Set<string>): Fault | null {
  const date = header(request, 'x-acs-date');
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(date);
  if (!isTime || Math.abs(Date.now() - Date.parse(date)) > 900_000) {
    return { status: 400, code: 'InvalidTimeStamp.Expired' };
  }
  const nonce = header(request, 'x-acs-signature-nonce');
  if (nonce === '' || nonces.has(nonce)) return { status: 400, code: 'SignatureNonceUsed' };
  nonces.add(nonce);
  return null;
}

/** Returns a fault of the hash of the body, or of a signature that is wrong or covers too few headers. */
function signatureFault(
  request: IncomingMessage,
  body: string,
  { signedHeaders, signature }: AliyunAuthorization,
): Fault | null {
  if (header(request, 'x-acs-content-sha256') !== sha256(body)) return { status: 400, code: 'InvalidContentSha256' };
  // The signature must cover the host and all `x-acs-` headers.
  const needed = Object.keys(request.headers).filter((name) => name === 'host' || name.startsWith('x-acs-'));
  const names = signedHeaders.split(';');
  const covered = needed.every((name) => names.includes(name));
  const matches = covered && timingSafeEqual(aliyunSignature(request, body, names), Buffer.from(signature, 'hex'));
  return matches ? null : { status: 400, code: 'SignatureDoesNotMatch' };
}

/** Returns the signature that a request should have over the named headers. */
function aliyunSignature(request: IncomingMessage, body: string, names: readonly string[]): Buffer {
  const { pathname, searchParams } = addressOf(request);
  const query = [...searchParams]
    .map(([name, value]) => `${strictly(name)}=${strictly(value)}`)
    .toSorted()
    .join('&');
  const lines = names.map((name) => `${name}:${header(request, name).trim()}\n`).join('');
  const canonical = [request.method, pathname, query, lines, names.join(';'), sha256(body)].join('\n');
  return createHmac('sha256', ALIYUN_KEY.secret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest();
}

function aliyunMessageFault(sms: AcceptedSms, failWith: string | null): Fault | null {
  if (!/^1\d{10}$/.test(sms.PhoneNumbers ?? '')) return { status: 200, code: 'isv.MOBILE_NUMBER_ILLEGAL' };
  if (sms.SignName === undefined || sms.TemplateCode === undefined) {
    return { status: 200, code: 'isv.SMS_TEMPLATE_ILLEGAL' };
  }
  return failWith === null ? null : { status: 200, code: failWith };
}

function header(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? '');
}

function addressOf({ url }: IncomingMessage): URL {
  return new URL(url ?? '', 'http://stand-in');
}

/** Fakes the Messages resource of Twilio. */
export function startFakeTwilio(): Promise<FakeSmsProvider> {
  return serve((request, body, failWith) => {
    const refuse = (status: number, code: string): Reply => ({
      status,
      code,
      body: { code: Number(code), message: 'refused', more_info: `https://www.twilio.com/docs/errors/${code}`, status },
    });
    const [scheme, credentials = ''] = String(request.headers.authorization ?? '').split(' ');
    const login = Buffer.from(credentials, 'base64').toString();
    if (scheme !== 'Basic' || login !== `${TWILIO_ACCOUNT.sid}:${TWILIO_ACCOUNT.token}`) return refuse(401, '20003');
    if (request.url !== `/2010-04-01/Accounts/${TWILIO_ACCOUNT.sid}/Messages.json`) return refuse(404, '20404');
    if (!String(request.headers['content-type']).startsWith('application/x-www-form-urlencoded')) {
      return refuse(400, '21602');
    }
    const sms = Object.fromEntries(new URLSearchParams(body));
    if (!/^\+[1-9]\d{6,14}$/.test(sms.To ?? '')) return refuse(400, '21211');
    if (sms.From === undefined && sms.MessagingServiceSid === undefined) return refuse(400, '21603');
    if ((sms.Body ?? '') === '') return refuse(400, '21602');
    if (failWith !== null) return refuse(400, failWith);
    return { status: 201, body: { sid: 'SMstandin', status: 'queued', to: sms.To, body: sms.Body }, sms };
  });
}

async function serve(
  answer: (request: IncomingMessage, body: string, failWith: string | null) => Reply,
): Promise<FakeSmsProvider> {
  const accepted: AcceptedSms[] = [];
  const refused: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (standIn.redirectTo !== null) return response.writeHead(307, { location: standIn.redirectTo }).end();
      const { status, body, code, sms } = answer(request, Buffer.concat(chunks).toString(), standIn.failWith);
      if (sms !== undefined) accepted.push(sms);
      if (code !== undefined) refused.push(code);
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: FakeSmsProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted,
    refused,
    failWith: null,
    redirectTo: null,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return standIn;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Encodes text as RFC 3986 requires. */
function strictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
