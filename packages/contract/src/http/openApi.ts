import { z } from 'zod';
import { type Alias, aliasAnswer, aliasFailure, aliasFields, sessionPair } from './alias.ts';
import { API_EXAMPLES } from './apiExamples.ts';
import type { Call } from './call.ts';
import { GATEWAY_PATH, gatewayAnswer, gatewayFailure, gatewayFields } from './envelope.ts';
import { ERRORS, errorBody } from './errors.ts';
import type { Method } from './method.ts';
import { callBody, methodCall } from './methodCall.ts';
import { oldNameOf, renameSchemaFields } from './oldFieldNames.ts';

/** The properties of JSON Schema 2020-12 that this file reads. */
export type JsonSchema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
};

type Parameter = { name: string; in: 'query' | 'path'; required: boolean; schema: JsonSchema };

type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: object;
  responses: Record<string, object>;
};

/** An OpenAPI 3.1 description of the whole API. */
export type OpenApiDocument = {
  readonly openapi: '3.1.1';
  readonly info: { title: string; version: string; description: string };
  readonly security: Record<string, string[]>[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, JsonSchema>;
    readonly responses: Record<string, object>;
    readonly securitySchemes: Record<string, object>;
  };
};

const DESCRIPTION = `Each method of accounts is a \`POST\` to its own path below \`/api\`. Body and response are JSON. Calls below \`/bot\` are for
signed-in users. Both kinds report failures by an HTTP status and an error code.

Older clients use other addresses of the same methods, where many fields have other names, most of them in snake_case. All methods
can be sent to \`${GATEWAY_PATH}\`, where the field \`method\` names one, and \`data\` of the response is JSON as text. The part after
\`#\` only keeps the paths of this description apart.
Addresses below \`/panacea\` respond with the data beside \`code\` and \`message\`.

A session is sent as \`Authorization: Bearer\`, or by the cookie that every login sets.

## API tokens

Programs use an API token instead of a session. Create one under “Settings”, “API tokens”, and send it as \`Authorization: Bearer\`. It opens
only the calls below \`/bot\` that name one of its scopes: \`read\`, \`trade\` or \`manage\`. Changing a live bot needs \`manage\` and \`trade\`. The first
start of a live bot, exchange keys and the account need a person. A token may make 600 calls a minute, 60 of which change something; the kill
switch, stopping and cancelling are not counted among the 60. Never put a token into an address.

${API_EXAMPLES.map(({ title, language, code }) => `${title}:\n\n\`\`\`${language}\n${code}\n\`\`\``).join('\n\n')}

## Errors

| Error | Status | Meaning |
|---|---|---|
${Object.entries(ERRORS)
  .map(([code, { status, en }]) => `| \`${code}\` | ${status} | ${en} |`)
  .join('\n')}`;

/**
 * Describes all methods with their addresses, and all calls of the bot host.
 *
 * @param api.scopesOf returns the scopes of API tokens that open a call; none for a call that needs a person
 * @param api.named schemas that many responses share, by their name in the document
 */
export function openApi(api: {
  version: string;
  methods: readonly Method[];
  aliases: readonly Alias[];
  calls: Readonly<Record<string, Call>>;
  scopesOf(call: string): readonly string[];
  named: Readonly<Record<string, z.ZodType>>;
}): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  const names = z.registry<{ id?: string }>();
  const namesForOlderClients = z.registry<{ id?: string }>();
  for (const [id, schema] of Object.entries(api.named)) {
    names.add(schema, { id });
    namesForOlderClients.add(schema, { id: `Old${id}` });
  }

  /** Returns the schema of sent data. Named schemas move to the components. */
  function sent(schema: z.ZodType): JsonSchema {
    return withoutDefinitions(writeSchema(schema, { io: 'output', metadata: names }));
  }

  /** Returns the schema of data sent to older clients. */
  function sentOld(schema: z.ZodType): JsonSchema {
    return withoutDefinitions(
      writeSchema(schema, { io: 'output', metadata: namesForOlderClients, override: renameSchemaFields }),
    );
  }

  function withoutDefinitions({ $defs = {}, ...rest }: ReturnType<typeof writeSchema>): JsonSchema {
    for (const [name, definition] of Object.entries($defs)) schemas[name] ??= definition;
    return rest;
  }

  const failure = (schema: z.ZodType) => ({ description: 'Failure', content: json(sent(schema)) });
  const responses = {
    MethodFailure: failure(gatewayFailure),
    AliasFailure: failure(aliasFailure),
    CallFailure: failure(errorBody),
  };
  const failed = (kind: keyof typeof responses) => ({ default: { $ref: `#/components/responses/${kind}` } });

  function methodOperations(method: Method): Record<string, Operation> {
    const taken = withFields(receivedOld(method.payload), {
      ...received(gatewayFields).properties,
      method: { const: method.name },
    });
    const asked = { ...taken, required: ['method', ...(taken.required ?? [])] };
    const data = { type: 'string', contentMediaType: 'application/json', contentSchema: sentOld(method.data) };
    const answer = withFields(sent(gatewayAnswer), { code: { const: method.success }, data });
    const about = {
      tags: [method.name.slice(0, method.name.lastIndexOf('.'))],
      summary: method.summary,
      responses: { 200: { description: 'Success', content: json(answer) }, ...failed('MethodFailure') },
    };
    const post = { ...about, operationId: method.name, requestBody: { required: true, content: json(asked) } };
    if (method.postOnly) return { post };
    const { token: _, ...inAddress } = asked.properties ?? {};
    const parameters = parametersOf({ ...asked, properties: inAddress }, 'query');
    return { post, get: { ...about, operationId: `${method.name}.get`, parameters } };
  }

  /** @param aliases of one address and one HTTP method; the first alias that matches a request is used */
  function aliasOperation(aliases: readonly Alias[]): Operation {
    const [first] = aliases;
    if (first === undefined) throw new Error('an address without an alias');
    const { http, path } = first;
    const inPath = placeholdersOf(path);
    const takes = aliases.map((alias) => receivedByAlias(alias));
    const properties = propertiesOf(aliases, takes);
    const always = Object.keys(properties).filter((name) =>
      takes.every(({ required = [] }) => required.includes(name)),
    );
    const fields = Object.entries(properties).filter(([name]) => !inPath.includes(name));
    const own: JsonSchema = {
      type: 'object',
      properties: Object.fromEntries(fields),
      required: always.filter((name) => !inPath.includes(name)),
    };
    const byBody = http === 'POST' || http === 'PUT';
    const idInQuery = http === 'PUT' && 'id' in properties;
    const bodySchema = withFields(own, received(aliasFields).properties ?? {});
    const form = { 'application/x-www-form-urlencoded': { schema: bodySchema } };
    const answers = aliases.map(({ method }) => flatAnswer(method));
    const [answer, ...others] = answers;
    return {
      operationId: `${http} ${path}`,
      tags: [path.startsWith('/panacea/action/') ? 'Named actions' : 'Older clients'],
      summary: first.method.summary,
      description: aliases.map(describeAlias).join(' '),
      parameters: [
        ...inPath.map((name) => pathParameter(name, properties[name] ?? { type: 'string' })),
        ...(byBody ? [] : parametersOf(own, 'query')),
        ...(idInQuery ? parametersOf({ ...own, properties: { id: properties.id ?? {} } }, 'query') : []),
      ],
      ...(byBody ? { requestBody: { content: { ...json(bodySchema), ...form } } } : {}),
      responses: {
        200: { description: 'Success', content: json(others.length === 0 && answer ? answer : { oneOf: answers }) },
        ...failed('AliasFailure'),
      },
    };
  }

  /** Returns the fields of all aliases of one address, with the fields that choose between the aliases. */
  function propertiesOf(aliases: readonly Alias[], takes: readonly JsonSchema[]): Record<string, JsonSchema> {
    const properties: Record<string, JsonSchema> = Object.assign({}, ...takes.map((schema) => schema.properties ?? {}));
    for (const { onlyWith } of aliases) if (onlyWith !== undefined) properties[onlyWith] ??= {};
    return properties;
  }

  function flatAnswer(method: Method): JsonSchema {
    const data = sentOld(method.data);
    const pair = 'token' in (data.properties ?? {}) ? sent(sessionPair).properties : {};
    const outcome = sent(aliasAnswer);
    const required = [...(data.required ?? []), 'code', 'message'];
    return { ...withFields(data, { ...pair, ...outcome.properties, code: { const: method.success } }), required };
  }

  /** @param about.security missing: a session is not required, or the response says that it is */
  function callOperation(call: Call, about: Pick<Operation, 'operationId' | 'tags' | 'security'>): Operation {
    const parameters = [
      ...placeholdersOf(call.path).map((placeholder) => {
        const { properties = {} } = call.params === undefined ? {} : received(call.params);
        return pathParameter(placeholder, properties[placeholder] ?? { type: 'string' });
      }),
      ...(call.query === undefined ? [] : parametersOf(received(call.query), 'query')),
    ];
    return {
      ...about,
      summary: call.summary,
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(call.body === undefined ? {} : { requestBody: { required: true, content: json(received(call.body)) } }),
      responses: { 200: { description: 'Success', content: json(sent(call.response)) }, ...failed('CallFailure') },
    };
  }

  const paths: OpenApiDocument['paths'] = {};
  for (const method of api.methods) {
    const call = { ...methodCall(method), body: callBody(method) };
    const [, , group = '', act = ''] = call.path.split('/');
    paths[call.path] = { post: callOperation(call, { operationId: `${group}.${act}`, tags: [group] }) };
  }
  for (const method of api.methods) paths[`${GATEWAY_PATH}#${method.name}`] = methodOperations(method);
  for (const aliases of Map.groupBy(api.aliases, ({ http, path }) => `${http} ${path}`).values()) {
    const [{ http, path } = { http: 'GET', path: '' }] = aliases;
    paths[templateOf(path)] = { ...paths[templateOf(path)], [http.toLowerCase()]: aliasOperation(aliases) };
  }
  for (const [name, call] of Object.entries(api.calls)) {
    const path = templateOf(call.path);
    const scopes = api.scopesOf(name);
    const byToken = scopes.length === 0 ? [] : [{ apiToken: [...scopes] }];
    const security = [{ bearer: [] }, { cookie: [] }, ...byToken];
    const about = { operationId: `bots.${name}`, tags: ['Bots'], security };
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: callOperation(call, about) };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Heron', version: api.version, description: DESCRIPTION },
    security: [{}, { bearer: [] }, { cookie: [] }],
    paths,
    components: {
      schemas,
      responses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session.' },
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token, which begins with `heron_`. A call names the scopes that it needs.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-heron_session',
          description: 'By https. On plain http it is called `heron_session`.',
        },
      },
    },
  };
}

function describeAlias({ method, fields, onlyWith }: Alias): string {
  const when = onlyWith === undefined ? '' : ` when \`${onlyWith}\` is sent`;
  const names = Object.entries(fields).map(
    ([here, there]) => `\`${here}\` is its \`${oldNameOf(method.payload, there)}\``,
  );
  return `Calls \`${method.name}\`${when}${names.length === 0 ? '' : `; ${names.join(', ')}`}.`;
}

/** Returns the schema of received data, before transformations. Fields with defaults are optional. */
function received(schema: z.ZodType): JsonSchema {
  return writeSchema(schema, { io: 'input' });
}

/** Returns the schema of data received from older clients. */
function receivedOld(schema: z.ZodType): JsonSchema {
  return writeSchema(schema, { io: 'input', override: renameSchemaFields });
}

function writeSchema(
  schema: z.ZodType,
  how: Pick<z.core.ToJSONSchemaParams, 'io' | 'override'> & { metadata?: z.core.$ZodRegistry<{ id?: string }> },
): JsonSchema & { readonly $defs?: Record<string, JsonSchema> } {
  const written = z.toJSONSchema(schema, { unrepresentable: 'any', ...how });
  // References within this schema become references into the document.
  return JSON.parse(JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/'), (key, value) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  );
}

function withFields(schema: JsonSchema, fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...schema, type: 'object', properties: { ...schema.properties, ...fields } };
}

/** Returns the schema of data received by an alias. */
function receivedByAlias({ method: { payload }, fields }: Alias): JsonSchema {
  const schema = receivedOld(payload);
  const names = new Map(Object.entries(fields).map(([here, there]) => [oldNameOf(payload, there), here]));
  const here = (name: string) => names.get(name) ?? name;
  const properties = Object.entries(schema.properties ?? {}).map(([name, value]) => [here(name), value] as const);
  return { ...schema, properties: Object.fromEntries(properties), required: (schema.required ?? []).map(here) };
}

function parametersOf({ properties = {}, required = [] }: JsonSchema, place: 'query'): Parameter[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

function pathParameter(name: string, schema: JsonSchema): Parameter {
  return { name, in: 'path', required: true, schema };
}

function placeholdersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function json(schema: JsonSchema): Record<string, { schema: JsonSchema }> {
  return { 'application/json': { schema } };
}
