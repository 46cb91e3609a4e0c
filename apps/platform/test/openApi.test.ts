import { accountAliases } from '@heron/contract/accounts/aliases.ts';
import { ALL_METHODS } from '@heron/contract/allMethods.ts';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { ERRORS } from '@heron/contract/http/errors.ts';
import { methodCall } from '@heron/contract/http/methodCall.ts';
import oldFields from '@heron/contract/testing/oldFieldNames.json' with { type: 'json' };
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { platformFixture } from './platformFixture.ts';

const heron = platformFixture();
let text: string;
let document: z.infer<typeof openApi>;
beforeAll(async () => {
  ({ text } = await heron.request('/openapi.json'));
  document = openApi.parse(JSON.parse(text));
});

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;

/** Accepts only the keywords of JSON Schema 2020-12 that our schemas use. */
const jsonSchema: z.ZodType = z.lazy(() =>
  z.strictObject({
    $ref: z.templateLiteral(['#/components/schemas/', z.string()]).optional(),
    type: z.union([z.enum(TYPES), z.array(z.enum(TYPES))]).optional(),
    readOnly: z.boolean().optional(),
    properties: z.record(z.string(), jsonSchema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), jsonSchema]).optional(),
    propertyNames: jsonSchema.optional(),
    items: z.union([z.literal(false), jsonSchema]).optional(),
    prefixItems: z.array(jsonSchema).optional(),
    anyOf: z.array(jsonSchema).min(1).optional(),
    oneOf: z.array(jsonSchema).min(1).optional(),
    allOf: z.array(jsonSchema).min(1).optional(),
    enum: z.array(z.union([z.string(), z.number()])).optional(),
    const: z.union([z.string(), z.number(), z.boolean()]).optional(),
    default: z.unknown().optional(),
    format: z.string().optional(),
    pattern: z.string().refine(isPattern).optional(),
    contentMediaType: z.string().optional(),
    contentEncoding: z.string().optional(),
    contentSchema: jsonSchema.optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    exclusiveMaximum: z.number().optional(),
    multipleOf: z.number().optional(),
  }),
);

const content = z.record(z.string(), z.strictObject({ schema: jsonSchema }));
const response = z.strictObject({ description: z.string().min(1), content });
const reference = z.strictObject({ $ref: z.string() });
const security = z.array(z.record(z.string(), z.array(z.string())));

const operation = z.strictObject({
  operationId: z.string().min(1),
  tags: z.array(z.string().min(1)).min(1),
  summary: z.string().min(1),
  description: z.string().optional(),
  security: security.optional(),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(['query', 'path']),
        required: z.boolean(),
        schema: jsonSchema,
      }),
    )
    .optional(),
  requestBody: z.strictObject({ required: z.boolean().optional(), content }).optional(),
  responses: z.record(z.string().regex(/^([1-5]\d\d|default)$/), z.union([reference, response])),
});

/** Accepts the part of OpenAPI 3.1 that we write, and rejects misplaced and misspelt fields. */
const openApi = z.strictObject({
  openapi: z.literal('3.1.1'),
  info: z.strictObject({ title: z.string(), version: z.string().regex(/^\d+\.\d+\.\d+/), description: z.string() }),
  security,
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'post', 'put', 'delete']), operation)),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[\w.-]+$/), jsonSchema),
    responses: z.record(z.string(), response),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.enum(['http', 'apiKey']) })),
  }),
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([http, described]) => ({ path, http, ...described })),
  );

test('the description is valid OpenAPI 3.1 with unique operation ids', () => {
  for (const [, target = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = target.split('/').reduce((at: unknown, key) => (at as Record<string, unknown>)?.[key], document);
    expect(found, target).toBeDefined();
  }
  const names = operations().map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { path, http, parameters = [], requestBody } of operations()) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(
      inPath.map((name) => `{${name}}`),
      path,
    ).toEqual(path.match(/\{\w+\}/g) ?? []);
    const places = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(places).size, path).toBe(places.length);
    if (http === 'get' || http === 'delete') expect(requestBody).toBeUndefined();
  }
});

test('it contains every method, alias and call, and nothing else', () => {
  const methods = ALL_METHODS.flatMap(({ name, postOnly }) =>
    (postOnly ? ['post'] : ['post', 'get']).map((http) => `${http} /api.php#${name}`),
  );
  const template = (path: string) => path.replace(/:(\w+)/g, '{$1}');
  const others = [
    ...ALL_METHODS.map((method) => `post ${methodCall(method).path}`),
    ...accountAliases.map(({ http, path }) => `${http.toLowerCase()} ${template(path)}`),
    ...Object.values(botCalls).map(({ method, path }) => `${method.toLowerCase()} ${template(path)}`),
  ];
  const described = operations().map(({ http, path }) => `${http} ${path}`);
  expect(described.sort()).toEqual([...new Set([...methods, ...others])].sort());
});

test('it describes payload and data of the login', () => {
  const { post } = document.paths['/api.php#System.Login.login'] ?? {};
  expect(post?.requestBody?.content['application/json']?.schema).toMatchObject({
    required: ['method', 'username', 'password'],
    properties: {
      method: { const: 'System.Login.login' },
      password: { type: 'string' },
      session: { default: 'token' },
    },
  });
  expect(post?.responses['200']).toMatchObject({
    content: {
      'application/json': {
        schema: { properties: { code: { const: 1 }, data: { contentSchema: { required: ['user_info'] } } } },
      },
    },
  });
});

test('it describes body, response and failure of the typed login', () => {
  const { post } = document.paths['/api/login/login'] ?? {};
  expect(post).toMatchObject({ operationId: 'login.login', tags: ['login'] });
  expect(post?.security).toBeUndefined();
  const schemaOf = (given: unknown) => z.object({ content }).parse(given).content['application/json']?.schema;
  expect(schemaOf(post?.requestBody)).toMatchObject({
    required: ['username', 'password'],
    properties: { password: { type: 'string' }, session: { default: 'token' } },
  });
  expect(schemaOf(post?.responses['200'])).toMatchObject({ required: ['userInfo'] });
  expect(post?.responses.default).toEqual({ $ref: '#/components/responses/CallFailure' });
});

/** Names of all fields that older clients know. */
const OLD_FIELDS: ReadonlySet<string> = new Set(
  Object.values(oldFields).flatMap(({ payload, data }) => `${payload} ${data}`.match(/\w+/g) ?? []),
);

/** Lists the fields of all objects in a description. */
function fieldsOf(described: unknown): string[] {
  if (typeof described !== 'object' || described === null) return [];
  const { properties } = described as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(described).flatMap(fieldsOf)];
}

test('typed calls have camelCase, and the addresses of older clients the names that these know', () => {
  const { CurrentUser, OldCurrentUser } = document.components.schemas as unknown as Record<
    string,
    { properties: object }
  >;
  expect(Object.keys(CurrentUser?.properties ?? {})).toEqual(expect.arrayContaining(['nickName', 'username']));
  expect(Object.keys(OldCurrentUser?.properties ?? {})).toEqual(expect.arrayContaining(['nick_name', 'user_name']));
  for (const [path, item] of Object.entries(document.paths)) {
    const described = JSON.stringify(item);
    if (path.startsWith('/api/')) expect(described, path).not.toMatch(/"[a-z]+_[a-z_]+":|OldCurrentUser/);
    else if (!path.startsWith('/bot/'))
      expect(
        fieldsOf(item).filter((name) => /[A-Z]/.test(name) && !OLD_FIELDS.has(name)),
        path,
      ).toEqual([]);
  }
  const setRole = document.paths['/api.php#System.User.setRole']?.post?.requestBody?.content['application/json'];
  expect(setRole?.schema).toMatchObject({ required: ['method', 'uid', 'group_id'] });
  const profile = document.paths['/panacea/action/EDIT_USER']?.post?.requestBody?.content['application/json'];
  expect(profile?.schema).toMatchObject({ properties: { nick_name: {}, user_name: {}, user_qq: {} } });
});

test('it lists every error with its status', () => {
  for (const [code, { status }] of Object.entries(ERRORS))
    expect(document.info.description).toContain(`| \`${code}\` | ${status} |`);
});

test('its page loads from this server only and needs no inline script', async () => {
  const page = await heron.request('/docs/');
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).toContain("script-src 'self';");
  expect(page.text).not.toMatch(/<script(?![^>]*\ssrc="\.\/static\/)/);
  expect(page.text).not.toMatch(/\son\w+=|https?:\/\//);
  for (const [, file = ''] of page.text.matchAll(/(?:src|href)="\.(\/static\/[^"]+)"/g))
    expect((await heron.request(`/docs${file}`)).status, file).toBe(200);
  expect((await heron.request('/docs/json')).text).toBe(text);
  expect((await heron.request('/docs', { headers: { accept: 'text/html' } })).status).toBe(200);
  expect((await heron.request('/docs/static/../../package.json')).status).toBe(404);
});

function isPattern(pattern: string): boolean {
  return new RegExp(pattern, 'u') instanceof RegExp;
}
