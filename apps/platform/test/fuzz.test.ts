import { ALL_METHODS } from '@heron/contract/allMethods.ts';
import { gatewayAnswer, gatewayFailure } from '@heron/contract/http/envelope.ts';
import { errorBody } from '@heron/contract/http/errors.ts';
import type { Method } from '@heron/contract/http/method.ts';
import { methodCall } from '@heron/contract/http/methodCall.ts';
import { renameSchemaFields } from '@heron/contract/http/oldFieldNames.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { FUZZ_RUNS, fromAnywhere, hostileDepth, hostileText, hostileValue, withDepth } from './hostileText.ts';
import { type HttpResponse, startTestPlatform, type TestPlatform } from './testPlatform.ts';

/** Number of requests per method, and per test of other endpoints. */
const RUNS = Math.ceil(FUZZ_RUNS / ALL_METHODS.length);
let host: FakeBotHost;
let heron: TestPlatform;
let token: string;
let joined = 0;
beforeAll(async () => {
  host = await startFakeBotHost();
  heron = await startTestPlatform({ bothostUrl: host.url, trustedProxies: ['127.0.0.1'] });
  ({ token } = await heron.signUp('Fuzz'));
});
afterAll(async () => {
  await heron.stop();
  await host.stop();
});

function oldFieldsOf(payload: z.ZodObject): string[] {
  const described = z.toJSONSchema(payload, { io: 'input', override: renameSchemaFields });
  return Object.keys(described.properties ?? {});
}

const anyOf = (fields: readonly string[]) =>
  fc.record(Object.fromEntries(fields.map((field) => [field, hostileValue])), { requiredKeys: [] });
/** Payloads of older clients with known and unknown fields in any shape. */
const oldPayload = fc
  .tuple(
    anyOf([...new Set(['token', 'lang', ...ALL_METHODS.flatMap(({ payload }) => oldFieldsOf(payload))])]),
    fc.dictionary(hostileText, hostileValue, { maxKeys: 3 }),
  )
  .map(([named, others]) => ({ ...others, ...named }));

function expectClear(answer: HttpResponse): void {
  expect(answer.status, answer.text).toBeLessThan(500);
  const body = JSON.parse(answer.text);
  if (answer.status === 200) gatewayAnswer.parse(body);
  else expect(gatewayFailure.parse(body).code).toBe(-answer.status);
}

/** Requests for a method by its typed call and by the generic send. */
function requestsFor(method: Method) {
  const typed = anyOf(Object.keys(method.payload.shape)).map((sent) => ({ path: methodCall(method).path, sent }));
  const old = oldPayload.map((sent) => ({ path: '/api.php', sent: { ...sent, method: method.name } }));
  return fc.oneof(typed, old);
}

function expectClearFrom(path: string, answer: HttpResponse): void {
  expect(answer.status, answer.text).toBeLessThan(500);
  if (path === '/api.php') expectClear(answer);
  else if (answer.status !== 200) errorBody.parse(JSON.parse(answer.text));
}

test.each(ALL_METHODS.map((method) => [method.name, method] as const))(
  '%s responds to random payloads without an internal error',
  async (_name, method) => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(requestsFor(method), fc.boolean(), hostileDepth, async ({ path, sent }, loggedIn, depth) => {
        // Without this, the rate limits would reject most requests.
        if (runs++ % 4 === 0) await heron.resetRateLimits();
        const credentials = loggedIn ? { authorization: `Bearer ${token}` } : {};
        const headers = { 'content-type': 'application/json', ...fromAnywhere(), ...credentials };
        expectClearFrom(path, await heron.request(path, { method: 'POST', headers, body: withDepth(sent, depth) }));
      }),
      // Half of the requests are typed calls.
      { numRuns: 2 * RUNS },
    );
    expect(runs).toBeGreaterThanOrEqual(2 * RUNS);
    // The requests may have changed the password, the session or the account, so the next method gets a new account.
    await heron.resetRateLimits();
    ({ token } = await heron.signUp(`Fuzz-${++joined}`));
  },
  120_000,
);

test('the gateway responds to random JSON and bytes with a clear error', async () => {
  const body = fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      expectClear(
        await heron.request('/api.php', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...fromAnywhere() },
          body: sent,
        }),
      );
    }),
    { numRuns: RUNS },
  );
}, 120_000);

test('random queries get a clear response', async () => {
  const query = fc.array(fc.tuple(fc.oneof(fc.constantFrom('method', 'uid', 'lang'), hostileText), hostileText), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(query, async (pairs) => {
      // URLSearchParams replaces characters that have no UTF-8 encoding.
      expectClear(
        await heron.request(`/api.php?method=System.Member.memberInfo&${new URLSearchParams(pairs)}`, {
          headers: fromAnywhere(),
        }),
      );
    }),
    { numRuns: RUNS },
  );
}, 120_000);

test('random requests to the bot host never cause an error of the platform', async () => {
  const path = fc.string({
    unit: fc.constantFrom('a', '/', '.', '%', '2', 'e', 'f', '?', '&', '=', ';', '\\', '@', ':', '~', '+'),
  });
  const header = fc.string({
    unit: fc.constantFrom('a', 'z', ' ', ',', ';', '=', '"', '0', '9', '*', '/', ':', '\t', 'é'),
  });
  await fc.assert(
    fc.asyncProperty(
      path,
      header,
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD'),
      async (way, noise, method) => {
        const { status, text } = await heron.request(`/bot/${way}`, {
          method,
          headers: {
            ...fromAnywhere(),
            authorization: `Bearer ${token}`,
            'accept-language': noise,
            'accept-encoding': noise,
            accept: noise,
            cookie: noise,
          },
        });
        expect(status, text).toBeLessThan(500);
        if (status >= 400 && method !== 'HEAD') errorBody.parse(JSON.parse(text));
      },
    ),
    { numRuns: RUNS },
  );
}, 120_000);
