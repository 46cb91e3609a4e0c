import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Answer } from './signedClient.ts';

/** A push as ccxt's decoder of MEXC returns it. */
export type Decoded = { channel: string; symbol: string; sendTime?: number; [body: string]: unknown };

const decoder = createRequire(import.meta.url)(
  new URL('./src/protobuf/mexc/compiled.cjs', import.meta.resolve('ccxt')).pathname,
) as {
  PushDataV3ApiWrapper: { decode(bytes: Uint8Array): object; toObject(message: object, options: object): object };
};

/** Reads a push with the decoder that ccxt ships, generated from MEXC's own description. */
export function decodePush(bytes: Uint8Array): Decoded {
  const { PushDataV3ApiWrapper } = decoder;
  // The decoder has no types.
  return PushDataV3ApiWrapper.toObject(PushDataV3ApiWrapper.decode(bytes), { longs: Number }) as Decoded;
}

type Values = Record<string, string | number>;

/** A minimal client of MEXC's REST interface: it signs requests and returns whole responses. */
export function mexcClient({ rest, key, secret }: { rest: string; key: string; secret: string }, now: () => number) {
  const send = async (method: string, target: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(rest + target, { method, ...init });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  return {
    send,
    sign,
    public: (path: string, values: Values = {}) => send('GET', `${path}?${form(values)}`),
    signed(method: string, path: string, values: Values = {}) {
      const query = form({ timestamp: now(), recvWindow: 60_000, ...values });
      return send(method, `${path}?${query}&signature=${sign(query)}`, { headers: { 'X-MEXC-APIKEY': key } });
    },
  };
}

/** Writes values as a query. */
export function form(values: Values): string {
  return new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
}
