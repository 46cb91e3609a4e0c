import { createHash, createHmac } from 'node:crypto';

/** A call of an Alibaba Cloud API with its parameters in the query and without a body. */
export type AliyunCall = {
  /** Base URL, such as `https://dysmsapi.aliyuncs.com`. */
  readonly url: string;
  /** Name of the action, such as `SendSms`. */
  readonly action: string;
  /** Version of the API, such as `2017-05-25`. */
  readonly version: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Random value, valid once. */
  readonly nonce: string;
  readonly at: Date;
};

export type SignedCall = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

const ALGORITHM = 'ACS3-HMAC-SHA256';

/**
 * Signs a call with version 3 of the signature, which Alibaba Cloud recommends.
 *
 * @see https://help.aliyun.com/document_detail/2593177.html
 */
export function signAliyunCall(call: AliyunCall, key: { id: string; secret: string }): SignedCall {
  const query = Object.entries(call.parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
  const { origin, host } = new URL(call.url);
  const bodyHash = sha256('');
  const headers = {
    host,
    'x-acs-action': call.action,
    'x-acs-content-sha256': bodyHash,
    'x-acs-date': call.at.toISOString().replace(/\.\d+Z$/, 'Z'),
    'x-acs-signature-nonce': call.nonce,
    'x-acs-version': call.version,
  };
  const names = Object.keys(headers).toSorted().join(';');
  const lines = Object.entries(headers)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}\n`);
  const request = ['POST', '/', query, lines.join(''), names, bodyHash].join('\n');
  const signature = createHmac('sha256', key.secret)
    .update(`${ALGORITHM}\n${sha256(request)}`)
    .digest('hex');
  const authorization = `${ALGORITHM} Credential=${key.id},SignedHeaders=${names},Signature=${signature}`;
  return { url: `${origin}/?${query}`, headers: { ...headers, authorization } };
}

/** Encodes by RFC 3986, which includes characters that `encodeURIComponent` leaves unencoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
