import { defineResource } from '@heron/contract/http/alias.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { defineMethod } from '@heron/contract/http/method.ts';
import { oldNames } from '@heron/contract/http/oldFieldNames.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { serveAliases } from '../src/gateway/aliases.ts';
import { createDispatch } from '../src/gateway/dispatch.ts';
import { createLog } from '../src/gateway/log.ts';
import { forAnyone, forMembers } from '../src/gateway/methods.ts';
import { createOldDispatch } from '../src/gateway/oldDispatch.ts';
import { createOriginRules } from '../src/gateway/origin.ts';
import { createServer } from '../src/gateway/server.ts';
import { createSessions } from '../src/gateway/sessions.ts';
import { requestAt, startTestPlatform, type TestPlatform } from './testPlatform.ts';

const id = z.coerce.number<string | number>().pipe(z.number().int());
const note = z.object({ id: z.number(), text: z.string() });
const notes = z.object({ data: z.array(note), total: z.number() });
const method = <Payload extends z.ZodObject, Data extends z.ZodType>(
  name: string,
  postOnly: boolean,
  payload: Payload,
  data: Data,
) => defineMethod({ name: `Test.Note.${name}`, summary: name, postOnly, success: 0, payload, data });

/** Declares a resource as a feature would. */
const list = method(
  'list',
  false,
  z.object({ searchKey: z.string().default('').register(oldNames, { name: 'searchKey' }) }),
  notes,
);
const get = method('get', false, z.object({ id }), notes);
const add = method('add', true, z.object({ text: z.string() }), z.object({ id: z.number() }));
const edit = method('edit', true, z.object({ id, text: z.string() }), z.object({}));
const remove = method('remove', true, z.object({ id }), z.object({}));

let heron: TestPlatform;
let app: Awaited<ReturnType<typeof createServer>>;
let url: string;
let token: string;
let kept: Map<number, string>;
beforeAll(async () => {
  heron = await startTestPlatform();
  ({ token } = await heron.signUp('Notes'));
  const origins = createOriginRules({ host: '127.0.0.1' });
  app = await createServer({ log: createLog('silent'), origins, trustedProxies: [], httpsOnly: false });
  const page = (found: [number, string][]) => ({
    data: found.map(([at, text]) => ({ id: at, text })),
    total: found.length,
  });
  const known = (at: number): [number, string] => {
    const text = kept.get(at);
    if (text === undefined) throw new CallError('not_found');
    return [at, text];
  };
  const dispatch = createDispatch(
    [
      forAnyone(list, async ({ searchKey }) => page([...kept].filter(([, text]) => text.includes(searchKey)))),
      forAnyone(get, async (asked) => page([known(asked.id)])),
      forMembers(add, async ({ text }) => {
        kept.set(kept.size + 1, text);
        return { id: kept.size };
      }),
      forMembers(edit, async (asked) => {
        known(asked.id);
        kept.set(asked.id, asked.text);
        return {};
      }),
      forMembers(remove, async (asked) => {
        known(asked.id);
        kept.delete(asked.id);
        return {};
      }),
    ],
    createSessions(heron.database),
    origins,
  );
  serveAliases(app, {
    aliases: [...defineResource('note', { list, get, add, edit, remove }), ...defineResource('page', { list })],
    oldDispatch: createOldDispatch(dispatch),
    origins,
    limitRequests: async () => {},
    sessionInAddress: async () => false,
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await heron.stop();
});
beforeEach(() => {
  kept = new Map([
    [1, 'reeds'],
    [2, 'frogs'],
  ]);
});

async function ask(
  http: string,
  path: string,
  fields?: object,
  headers: object = { authorization: `Bearer ${token}` },
) {
  const { status, text } = await requestAt(url, `/panacea/${path}`, {
    method: http,
    headers: { ...headers, ...(fields === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(fields === undefined ? {} : { body: JSON.stringify(fields) }),
  });
  return { status, body: JSON.parse(text) };
}

test('a resource is listed, searched, and read as a list of one', async () => {
  const all = {
    code: 0,
    message: '',
    data: [
      { id: 1, text: 'reeds' },
      { id: 2, text: 'frogs' },
    ],
    total: 2,
  };
  expect((await ask('GET', 'note', undefined, {})).body).toEqual(all);
  expect((await ask('GET', 'note?searchKey=fro')).body).toMatchObject({ data: [{ id: 2 }], total: 1 });
  expect((await ask('GET', 'note/2')).body).toMatchObject({ data: [{ id: 2, text: 'frogs' }], total: 1 });
});

test('a resource is added, edited and deleted by id', async () => {
  expect((await ask('POST', 'note', { text: 'pike' })).body).toEqual({ code: 0, message: '', id: 3 });
  expect((await ask('PUT', 'note?id=3', { text: 'carp' })).body).toEqual({ code: 0, message: '' });
  expect(kept.get(3)).toBe('carp');
  expect((await ask('DELETE', 'note?id=3')).body).toEqual({ code: 0, message: '' });
  expect(kept.has(3)).toBe(false);
});

test('the id of the path wins', async () => {
  expect((await ask('GET', 'note/2?id=1')).body).toMatchObject({ data: [{ id: 2 }] });
});

test('a failed list has error and error_message', async () => {
  for (const [http, path, fields, status, error] of [
    ['GET', 'note/7', undefined, 404, 'not_found'],
    ['GET', 'note/x', undefined, 422, 'invalid_request'],
    ['PUT', 'note', { text: 'carp' }, 422, 'invalid_request'],
    ['PUT', 'note?id=1&id=2', { text: 'carp' }, 422, 'invalid_request'],
    ['DELETE', 'note?id=9', undefined, 404, 'not_found'],
  ] as const) {
    const answer = await ask(http, path, fields);
    expect(answer).toMatchObject({ status, body: { code: -status, error, error_message: expect.any(String) } });
  }
});

test('resources for members reject others and other sites', async () => {
  expect(await ask('POST', 'note', { text: 'x' }, {})).toMatchObject({ status: 401 });
  const foreign = { cookie: `heron_session=${token}`, origin: 'https://evil.example' };
  for (const [http, path] of [
    ['POST', 'note'],
    ['PUT', 'note?id=1'],
    ['DELETE', 'note?id=1'],
  ] as const)
    expect(await ask(http, path, http === 'DELETE' ? undefined : { text: 'x' }, foreign)).toMatchObject({
      status: 403,
      body: { error: 'cross_origin' },
    });
  expect([...kept.values()]).toEqual(['reeds', 'frogs']);
});

test('undeclared operations and resources do not exist', async () => {
  for (const http of ['POST', 'PUT', 'DELETE']) expect((await ask(http, 'page?id=1')).status).toBe(405);
  for (const path of ['page/1', 'nothing', 'note/1/2']) expect((await ask('GET', path)).status).toBe(404);
});
