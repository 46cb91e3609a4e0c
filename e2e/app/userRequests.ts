import { createHmac } from 'node:crypto';
import { PASSWORD } from './appTestbed.ts';
import type { RunningHeron } from './heron.ts';

/** Calls one method of the running Heron through its API. @throws with the response when it is no success */
export async function call<Data>(
  heron: Pick<RunningHeron, 'url'>,
  method: string,
  payload: object,
  token?: string,
): Promise<Data> {
  const answer = await fetch(new URL('/api.php', heron.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ method, ...payload }),
  });
  const { code, message, data } = (await answer.json()) as { code: number; message: string; data: string };
  if (code < 0) throw new Error(`${method}: ${message}`);
  return JSON.parse(data) as Data;
}

/** Creates the first super administrator, named Keeper, who opens registration again. @returns a session token */
export async function createAdministrator(heron: RunningHeron): Promise<string> {
  const setup_token = String(heron.setupLink).split('/').at(-1);
  const made = await call<{ token: string }>(heron, 'System.Setup.createAdministrator', {
    setup_token,
    username: 'Keeper',
    password: PASSWORD,
  });
  const open = { register_by_name: true, register_by_email: true, register_by_phone: true, register_by_provider: true };
  await call(heron, 'System.Setting.set', open, made.token);
  return made.token;
}

/** Registers a user through the API. @returns uid */
export async function registerUser(heron: Pick<RunningHeron, 'url'>, username: string): Promise<number> {
  const made = await call<{ user_info: { uid: number } }>(heron, 'System.Register.usernameRegister', {
    username,
    password: PASSWORD,
  });
  return made.user_info.uid;
}

/**
 * Returns the code in the newest message to a recipient, from the outbox. @param token session token of a super administrator
 */
export async function newestCode(heron: RunningHeron, token: string, recipient: string): Promise<string> {
  const { list } = await call<{ list: { recipient: string; body: string }[] }>(
    heron,
    'System.Outbox.list',
    { limit: 100 },
    token,
  );
  const code = /\b\d{6}\b/.exec(list.find((message) => message.recipient === recipient)?.body ?? '')?.[0];
  if (code === undefined) throw new Error(`No code was sent to ${recipient}`);
  return code;
}

/** Returns the current code of an authenticator app (RFC 6238). @param secret base32 */
export function totp(secret: string, atMs = Date.now()): string {
  const bits = [...secret.replace(/[\s=]/g, '')].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const mac = createHmac('sha1', key).update(step).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Enables the second factor of an authenticator app for a user through the API. */
export async function enableTotp(
  heron: Pick<RunningHeron, 'url'>,
  username: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const account = { username, password: PASSWORD };
  const { token } = await call<{ token: string }>(heron, 'System.Login.login', account);
  const { secret } = await call<{ secret: string }>(heron, 'System.SecondFactor.beginTotp', {}, token);
  const confirmation = { code: totp(secret) };
  const { recovery_codes: recoveryCodes } = await call<{ recovery_codes: string[] }>(
    heron,
    'System.SecondFactor.confirmTotp',
    confirmation,
    token,
  );
  return { secret, recoveryCodes };
}
