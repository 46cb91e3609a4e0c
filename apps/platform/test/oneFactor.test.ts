import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hashToken } from '../src/gateway/secretToken.ts';
import { addApp, codeOf, stopClock } from './authenticatorApp.ts';
import { platformFixture } from './platformFixture.ts';
import { softwarePasskey } from './softwarePasskey.ts';
import { bearer, PASSWORD } from './testPlatform.ts';

const heron = platformFixture();
let origin: string;
beforeAll(() => {
  origin = heron.platform.url.replace('127.0.0.1', 'localhost');
});
beforeEach(() => stopClock());
afterAll(() => {
  vi.useRealTimers();
});

const sql = (query: string, values: unknown[] = []) => heron.database.pool.query(query, values);
const call = (method: string, payload: object, headers: object = {}) =>
  heron.send(`System.${method}`, payload, { host: new URL(origin).host, origin, ...headers });

const GIVEN = ['none', 'right', 'wrong'] as const;
type Given = (typeof GIVEN)[number];
interface Combination {
  readonly password: Given;
  readonly code: Given;
  readonly recovery: Given;
  readonly passkey: Given;
}
const COMBINATIONS: readonly Combination[] = GIVEN.flatMap((password) =>
  GIVEN.flatMap((code) => GIVEN.flatMap((recovery) => GIVEN.map((passkey) => ({ password, code, recovery, passkey })))),
);

/** A response that attackers can invent without an authenticator. */
const MADE_UP_PASSKEY = {
  ...{ id: 'x', rawId: 'x', type: 'public-key' },
  response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
};

/** Creates a user with a password, an app, recovery codes and a passkey. */
async function withEverything(name: string) {
  const { token, user } = await heron.signUp(name);
  const { uri, recoveryCodes } = await addApp(heron, token);
  const key = softwarePasskey();
  const { data } = await call('Passkey.beginRegistration', {}, bearer(token));
  const response = key.create(data.options as Parameters<typeof key.create>[0], { origin });
  await call('Passkey.finishRegistration', { response, name: 'phone' }, bearer(token));
  const { rows } = await sql('select code_hmac from accounts.recovery_codes where user_id = $1', [user.id]);

  /** Makes all codes unused again. */
  async function restore(): Promise<void> {
    await heron.resetRateLimits();
    await sql('update accounts.totps set last_step = 0');
    for (const { code_hmac } of rows)
      await sql('insert into accounts.recovery_codes (user_id, code_hmac) values ($1, $2) on conflict do nothing', [
        user.id,
        code_hmac,
      ]);
  }

  const code = codeOf(uri);
  const shows: Record<keyof Combination, Record<Exclude<Given, 'none'>, () => Promise<object>>> = {
    password: {
      right: async () => ({ password: PASSWORD }),
      wrong: async () => ({ password: 'not the one 12' }),
    },
    code: {
      right: async () => ({ code }),
      wrong: async () => ({ code: code === '000000' ? '000001' : '000000' }),
    },
    recovery: {
      right: async () => ({ recovery_code: recoveryCodes[0] }),
      wrong: async () => ({ recovery_code: 'aaaaa-aaaaa' }),
    },
    passkey: {
      right: async () => {
        const { data: begun } = await call('Passkey.beginLogin', {});
        return { passkey: key.get(begun.options as Parameters<typeof key.get>[0], { origin }) };
      },
      wrong: async () => ({ passkey: MADE_UP_PASSKEY }),
    },
  };
  async function payloadOf(combination: Partial<Combination>): Promise<object> {
    const parts = Object.entries(combination).map(async ([what, given]) =>
      given === 'none' ? {} : shows[what as keyof Combination][given](),
    );
    return Object.assign({}, ...(await Promise.all(parts)));
  }
  const codesLeft = async () =>
    (await sql('select 1 from accounts.recovery_codes where user_id = $1', [user.id])).rows.length;
  return { name, token, user, restore, payloadOf, codesLeft };
}

const factorsOf = ({ code, recovery, passkey }: Omit<Combination, 'password'>) =>
  [code, recovery, passkey].filter((given) => given !== 'none');

/** Returns the expected error of a proof by the rule alone: one correct factor, and a correct password unless it is a passkey. */
function answerExpected(given: Combination, hasPassword: boolean): string | null {
  const factors = factorsOf(given);
  if (factors.length > 1) return 'invalid_request';
  if (factors.length === 0) return given.password === 'none' ? 'proof_needed' : 'second_factor_proof';
  if (hasPassword && given.passkey === 'none') {
    if (given.password === 'none') return 'password_empty';
    if (given.password === 'wrong') return 'password_wrong';
  }
  return factors[0] === 'right' ? null : 'second_factor_wrong';
}

describe.each([true, false])('a user with app and passkey, and a password: %s,', (hasPassword) => {
  test('proves with each of 81 combinations exactly what the rule says', async () => {
    const person = await withEverything(`one-factor-${hasPassword}`);
    if (!hasPassword) await sql('update accounts.users set password_hash = null where id = $1', [person.user.id]);
    const hash = hashToken(person.token);
    for (const given of COMBINATIONS) {
      await person.restore();
      await sql(`update accounts.sessions set proven_at = 'epoch', second_factor = false where token_hash = $1`, [
        hash,
      ]);
      const { error } = await call('Session.prove', await person.payloadOf(given), bearer(person.token));
      const expected = answerExpected(given, hasPassword);
      expect({ given, error }).toEqual({ given, error: expected });
      const { rows } = await sql(`select proven_at > 'epoch' as proven from accounts.sessions where token_hash = $1`, [
        hash,
      ]);
      expect({ given, proven: rows[0].proven }).toEqual({ given, proven: expected === null });
      const isUsedUp = expected === null && given.recovery === 'right';
      expect({ given, left: await person.codesLeft() }).toEqual({ given, left: isUsedUp ? 9 : 10 });
    }
  });
});

test('signs in with exactly one correct factor, whatever else is sent', async () => {
  const person = await withEverything('one-step');
  for (const given of COMBINATIONS.filter(({ password }) => password === 'none')) {
    await person.restore();
    const first = await call('Login.login', { username: person.name, password: PASSWORD });
    const ticket = String(JSON.parse(first.text).error.details.ticket);
    const { password: _, ...factors } = given;
    const { error, data } = await call('Login.secondFactor', { ticket, ...(await person.payloadOf(factors)) });
    const shown = factorsOf(given);
    const expected = shown.length > 1 ? 'invalid_request' : shown[0] === 'right' ? null : 'second_factor_wrong';
    expect({ given, error, entered: data?.token !== undefined }).toEqual({
      given,
      error: expected,
      entered: expected === null,
    });
  }
});
