import { ERRORS, errorBody } from '@heron/contract/http/errors.ts';
import type { JsonSchema, OpenApiDocument } from '@heron/contract/http/openApi.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeApi } from '../src/apiDescription.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { FUZZ_RUNS, fromAnywhere, hostileDepth, hostileText, hostileValue, withDepth } from './hostileText.ts';
import { type HttpResponse, PASSWORD, startTestPlatform, type TestPlatform } from './testPlatform.ts';

let host: FakeBotHost;
let heron: TestPlatform;
let people = 0;
/** Tokens of a stranger (null), a member and a super administrator. */
let tokens: (string | null)[] = [];
beforeAll(async () => {
  host = await startFakeBotHost();
  heron = await startTestPlatform({ bothostUrl: host.url, trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => {
  await heron.stop();
  await host.stop();
});

const { paths } = describeApi();
type Operation = NonNullable<OpenApiDocument['paths'][string][string]>;
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([http, operation]): [string, { path: string; http: string; operation: Operation }] => [
    operation.operationId,
    { path, http, operation },
  ]),
);
const RUNS = Math.ceil(FUZZ_RUNS / operations.length);

/** Values that a user would send, so that requests pass the first checks. */
const knownText = fc.constantFrom(
  PASSWORD,
  'Fuzz',
  'fuzz@mail.example',
  '13812345678',
  '123456',
  '100000000',
  'BTC-USDT',
);

/** Generates values of the shape that a schema describes, and sometimes other values. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: shaped(schema) }, { weight: 1, arbitrary: hostileValue });
}

function shaped(schema: JsonSchema): fc.Arbitrary<unknown> {
  // Schemas of OpenAPI 3.1 are JSON Schema 2020-12. These are keywords that `openApi.test.ts` allows.
  const {
    const: constant,
    enum: oneOf,
    anyOf,
    oneOf: exactly,
    items,
    minimum,
    maximum,
    pattern,
    maxLength,
  } = schema as {
    const?: unknown;
    enum?: unknown[];
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    items?: JsonSchema;
    minimum?: number;
    maximum?: number;
    pattern?: string;
    maxLength?: number;
  };
  if (constant !== undefined) return fc.constant(constant);
  if (oneOf !== undefined) return fc.constantFrom(...oneOf);
  const alternatives = anyOf ?? exactly;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(valuesOf));
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const fields = Object.entries(properties).map(([name, property]) => [name, valuesOf(property)] as const);
      const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields);
      return fc.record(model, { requiredKeys: [...required] });
    }
    case 'array':
      return fc.array(valuesOf(items ?? {}), { maxLength: 4 });
    case 'string':
      return fc.oneof(knownText, texts(pattern, maxLength));
    case 'integer':
      return fc.integer({ min: Math.max(minimum ?? -9, -(2 ** 31)), max: Math.min(maximum ?? 2 ** 31, 2 ** 40) });
    case 'number':
      return fc.double({ noDefaultInfinity: true, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function texts(pattern: string | undefined, maxLength = 40): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.oneof(fc.string({ maxLength }), hostileText);
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    // The generator does not support look-ahead.
    return hostileText;
  }
}

async function join(name: string, groupId: number | null): Promise<string> {
  const { token, user } = await heron.signUp(`${name}-${++people}`);
  await heron.database.pool.query('update accounts.users set group_id = $1 where uid = $2', [groupId, user.uid]);
  return token;
}

test.each(operations)(
  '%s responds to payloads of its own shape without an internal error',
  async (_name, { path, http, operation }) => {
    // Earlier requests may have changed settings, passwords, sessions or accounts, so each operation starts with new ones.
    await heron.resetRateLimits();
    await heron.database.pool.query('delete from accounts.settings');
    await heron.database.pool.query('insert into accounts.settings default values');
    tokens = [null, await join('Member', null), await join('Admin', 1)];
    const byPlace = (place: 'path' | 'query') =>
      fc.record(
        Object.fromEntries(
          (operation.parameters ?? [])
            .filter((parameter) => parameter.in === place)
            .map(({ name, schema }) => [name, valuesOf(schema)]),
        ),
        place === 'path'
          ? {}
          : {
              requiredKeys: ['method'].filter((name) =>
                operation.parameters?.some((parameter) => parameter.name === name),
              ),
            },
      );
    const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: JsonSchema }> } };
    const schema = requestBody?.content['application/json']?.schema;
    const body = schema === undefined ? fc.constant(undefined) : valuesOf(schema);
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(byPlace('path'), byPlace('query'), body, fc.nat(2), hostileDepth, async (...given) => {
        const [inPath, inQuery, sent, who, depth] = given;
        if (answered % 4 === 0) await heron.resetRateLimits();
        const token = tokens[who] ?? null;
        const address = path
          .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(inPath[name]).toWellFormed()))
          .replace(/#.*/, '');
        const query = new URLSearchParams(Object.entries(inQuery).map(([name, value]) => [name, textOf(value)]));
        const answer = await heron.request(`${address}?${query}`, {
          method: http.toUpperCase(),
          headers: {
            ...fromAnywhere(),
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(sent === undefined ? {} : { body: withDepth(sent, depth) }),
        });
        expect(answer.status, answer.text).toBeLessThan(500);
        if (address.startsWith('/api/')) expectTyped(answer);
        else if (!address.startsWith('/bot/'))
          expect(JSON.parse(answer.text)).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
        answered++;
      }),
      { numRuns: RUNS },
    );
    expect(answered).toBeGreaterThanOrEqual(RUNS);
  },
  240_000,
);

/** Checks the response of a typed call of a method: its data, or the error body of all typed calls. */
function expectTyped({ status, text }: HttpResponse): void {
  if (status === 200) expect(JSON.parse(text)).toBeInstanceOf(Object);
  else expect(ERRORS[errorBody.parse(JSON.parse(text)).error.code].status).toBe(status);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
