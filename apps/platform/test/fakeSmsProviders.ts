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

/** Fakes the SMS service of Alibaba Cloud. It checks a request like the real service, and the message last. */
export function startFakeAliyun(): Promise<FakeSmsProvider> {
  const nonces = new Set<string>();
  return serve((request, body, failWith) => {
    const refuse = (status: number, code: string): Reply => ({
      status,
      code,
      body: { Code: code, Message: code, RequestId: 'stand-in', HostId: request.headers.host },
    });
    const header = (name: string) => String(request.headers[name] ?? '');
    const read = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      header('authorization'),
    );
    if (read === null) return refuse(400, 'MissingSecurityToken');
    const [, id = '', signedHeaders = '', signature = ''] = read;
    if (id !== ALIYUN_KEY.id) return refuse(404, 'InvalidAccessKeyId.NotFound');
    const sentAt = Date.parse(header('x-acs-date'));
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(header('x-acs-date')) || Math.abs(Date.now() - sentAt) > 900_000) {
      return refuse(400, 'InvalidTimeStamp.Expired');
    }
    const nonce = header('x-acs-signature-nonce');
    if (nonce === '' || nonces.has(nonce)) return refuse(400, 'SignatureNonceUsed');
    nonces.add(nonce);
    const bodyHash = sha256(body);
    if (header('x-acs-content-sha256') !== bodyHash) return refuse(400, 'InvalidContentSha256');
    // The signature must cover the host and all `x-acs-` headers.
    const needed = Object.keys(request.headers).filter((name) => name === 'host' || name.startsWith('x-acs-'));
    const names = signedHeaders.split(';');
    if (needed.some((name) => !names.includes(name))) return refuse(400, 'SignatureDoesNotMatch');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
    const query = [...searchParams]
      .map(([name, value]) => `${strictly(name)}=${strictly(value)}`)
      .toSorted()
      .join('&');
    const lines = names.map((name) => `${name}:${header(name).trim()}\n`).join('');
    const canonical = [request.method, pathname, query, lines, signedHeaders, bodyHash].join('\n');
    const expected = createHmac('sha256', ALIYUN_KEY.secret)
      .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
      .digest();
    if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return refuse(400, 'SignatureDoesNotMatch');
    if (header('x-acs-action') !== 'SendSms' || header('x-acs-version') !== '2017-05-25') {
      return refuse(404, 'InvalidAction.NotFound');
    }
    const sms = Object.fromEntries(searchParams);
    if (!/^1\d{10}$/.test(sms.PhoneNumbers ?? '')) return refuse(200, 'isv.MOBILE_NUMBER_ILLEGAL');
    if (sms.SignName === undefined || sms.TemplateCode === undefined) return refuse(200, 'isv.SMS_TEMPLATE_ILLEGAL');
    if (failWith !== null) return refuse(200, failWith);
    return { status: 200, body: { Code: 'OK', Message: 'OK', BizId: '1^0', RequestId: 'stand-in' }, sms };
  });
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
