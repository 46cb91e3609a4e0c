import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { accountMethods } from '../accounts/methods.ts';
import { ALL_METHODS } from '../allMethods.ts';
import oldFields from '../testing/oldFieldNames.json' with { type: 'json' };
import {
  fromOldFieldNames,
  oldNameOf,
  oldNames,
  renameSchemaFields,
  toOldFieldNames,
  withOldFieldNames,
} from './oldFieldNames.ts';

const SCHEMAS = ALL_METHODS.flatMap(({ name, payload, data }) => [
  { name, part: 'payload', schema: payload, io: 'input' } as const,
  { name, part: 'data', schema: data, io: 'output' } as const,
]);

type Described = { readonly properties?: Record<string, Described>; readonly [keyword: string]: unknown };

const describeNew = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Described;
const describeOld = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', override: renameSchemaFields }) as Described;

/** Returns the options of a union, and the schema itself otherwise. */
function optionsOf(schema: Described): readonly Described[] {
  return (schema.anyOf ?? schema.oneOf ?? [schema]) as Described[];
}

/** Lists the fields of all objects in a schema. */
function objectsIn(schema: Described): string[][] {
  const items = schema.items === undefined ? [] : [schema.items as Described];
  const within = [...Object.values(schema.properties ?? {}), ...items, ...optionsOf(schema)];
  const own = schema.properties === undefined ? [] : [Object.keys(schema.properties)];
  return [...own, ...within.filter((each) => each !== schema).flatMap(objectsIn)];
}

/** Returns the names of all fields in alphabetical order, those of nested objects in parentheses. */
function outline(schema: Described): string {
  if (schema.items !== undefined) return outline(schema.items as Described);
  const named = new Map<string, Described>();
  for (const option of optionsOf(schema)) {
    if (option.items !== undefined) return outline(option);
    for (const [name, field] of Object.entries(option.properties ?? {})) named.set(name, field);
  }
  const shown = ([name, field]: [string, Described]) => {
    const within = outline(field);
    return within === '' ? name : `${name}(${within})`;
  };
  return [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(shown)
    .join(' ');
}

/** Returns a value with all fields of a schema. @param pick option of each union */
function sampleOf(schema: Described, pick: number): unknown {
  const options = optionsOf(schema);
  const chosen = options[pick % options.length] ?? schema;
  if (chosen !== schema) return sampleOf(chosen, pick);
  if (schema.items !== undefined) return [sampleOf(schema.items as Described, pick)];
  if (schema.properties === undefined) return JSON.stringify(schema);
  const fields = Object.entries(schema.properties).map(([name, field]) => [name, sampleOf(field, pick)]);
  return Object.fromEntries(fields);
}

test('every method is known with its fields', () => {
  expect(ALL_METHODS.map(({ name }) => name)).toEqual(Object.keys(oldFields));
});

describe.each(SCHEMAS)('$name, $part', ({ name, part, schema, io }) => {
  test('has for older clients the fields that it had before the typed calls', () => {
    expect(outline(describeOld(schema, io))).toBe(oldFields[name as keyof typeof oldFields][part]);
  });

  test('has camelCase in the typed call', () => {
    for (const field of objectsIn(describeNew(schema, io)).flat()) expect(field).toMatch(/^[a-z][A-Za-z0-9]*$/);
  });

  test('is the same after it was renamed in both directions', () => {
    for (const pick of [0, 1]) {
      const sample = sampleOf(describeNew(schema, io), pick);
      const old = toOldFieldNames(schema, sample);
      expect(old).toEqual(sampleOf(describeOld(schema, io), pick));
      expect(fromOldFieldNames(schema, old)).toEqual(sample);
    }
  });
});

test('a field of an older client counts under its old name only', () => {
  const { payload } = accountMethods.setRole;
  expect(fromOldFieldNames(payload, { uid: 7, group_id: 3 })).toEqual({ uid: 7, groupId: 3 });
  expect(fromOldFieldNames(payload, { uid: 7, groupId: 3 })).toEqual({ uid: 7 });
  expect(fromOldFieldNames(payload, JSON.parse('{"__proto__":{"group_id":1},"uid":7}'))).toEqual({ uid: 7 });
});

test('a payload of another type stays as it is', () => {
  const { payload } = accountMethods.setRole;
  for (const sent of [null, undefined, 'group_id', 7, [{ group_id: 3 }]])
    expect(fromOldFieldNames(payload, sent)).toBe(sent);
});

test('older clients may send the nickname as user_name, and nick_name comes first', () => {
  const { payload } = accountMethods.updateMemberInformation;
  expect(fromOldFieldNames(payload, { user_name: 'Ada' })).toEqual({ nickName: 'Ada' });
  expect(fromOldFieldNames(payload, { nick_name: 'Bo', user_name: 'Ada' })).toEqual({ nickName: 'Bo' });
});

test('the keys of a record are data and stay as they are', () => {
  const entry = { actorUid: 1, details: { register_by_name: false, someThing: 1 } };
  expect(toOldFieldNames(accountMethods.listAudit.data, { entries: [entry], next: null })).toEqual({
    entries: [{ actor_uid: 1, details: { register_by_name: false, someThing: 1 } }],
    next: null,
  });
});

test('the reason of an error names the fields that an older client has sent', () => {
  const { payload } = accountMethods.updateMemberInformation;
  expect(withOldFieldNames(payload, 'realName: too long', { real_name: 'x' })).toBe('real_name: too long');
  expect(withOldFieldNames(payload, 'nickName: expected string', { user_name: 7 })).toBe('user_name: expected string');
  for (const sent of [{ nick_name: 7 }, { nick_name: 7, user_name: 7 }, {}, null, 'user_name'])
    expect(withOldFieldNames(payload, 'nickName: expected string', sent)).toBe('nick_name: expected string');
  const proof = accountMethods.prove.payload;
  expect(withOldFieldNames(proof, 'code, recoveryCode, passkey', {})).toBe('code, recovery_code, passkey');
  expect(withOldFieldNames(proof, 'passkey.rawId: expected string', {})).toBe('passkey.rawId: expected string');
});

test('only the path in the reason of an error is renamed', () => {
  const { payload } = accountMethods.updateMemberInformation;
  expect(withOldFieldNames(payload, 'birthday: realName, nickName: x', {})).toBe('birthday: realName, nickName: x');
  for (const reason of ['Invalid input: realName', 'realName is missing', 'userInfo: x', 'realName.x y: z', ''])
    expect(withOldFieldNames(payload, reason, {})).toBe(reason);
});

describe('registered names', () => {
  const person = z.object({
    givenName: z.string().max(9).register(oldNames, { name: 'first' }),
    familyName: z
      .string()
      .register(oldNames, { name: 'last', also: ['surname', 'family'] })
      .nullable()
      .default(null),
    homePage: z.string().optional(),
  });
  const old = { first: 'Ada', last: 'L', surname: 'L', family: 'L', home_page: 'x' };
  const data = { givenName: 'Ada', familyName: 'L', homePage: 'x' };

  test.each([
    ['the object', person],
    ['an object with optional fields', person.partial()],
    ['an object with fewer fields', person.pick({ givenName: true, familyName: true, homePage: true })],
    ['an object with more fields', person.extend({ moreThings: z.string().optional() })],
    ['an object that is optional', person.nullable().optional()],
  ])('are those of the fields in %s', (_what, schema) => {
    expect(toOldFieldNames(schema, data)).toEqual(old);
    expect(fromOldFieldNames(schema, old)).toEqual(data);
    expect(fromOldFieldNames(schema, data)).toEqual({});
    expect(fromOldFieldNames(schema, { last: 'L', family: 'F' })).toEqual({ familyName: 'L' });
    expect(outline(describeOld(schema, 'output'))).toMatch(/^family first home_page last (more_things )?surname$/);
  });

  test('are found in lists, in nested objects and in the matching option of a union', () => {
    const options = z.union([person, z.object({ givenName: z.number(), isRobot: z.boolean() })]);
    const schema = z.object({ mainUser: options, allUsers: z.array(options).max(9) });
    const robot = { givenName: 7, isRobot: true };
    const names = { main_user: { given_name: 7, is_robot: true }, all_users: [old, { given_name: 7, is_robot: true }] };
    expect(toOldFieldNames(schema, { mainUser: robot, allUsers: [data, robot] })).toEqual(names);
    expect(fromOldFieldNames(schema, names)).toEqual({ mainUser: robot, allUsers: [data, robot] });
    const reason = (path: string) => withOldFieldNames(schema, `${path}: x`, names);
    expect(reason('allUsers.0.familyName')).toBe('all_users.0.last: x');
    expect(reason('allUsers.1.givenName')).toBe('all_users.1.given_name: x');
    expect(reason('mainUser')).toBe('main_user: x');
  });

  test('are given for one field of an object', () => {
    expect(oldNameOf(person, 'givenName')).toBe('first');
    expect(oldNameOf(person, 'familyName')).toBe('last');
    expect(oldNameOf(person, 'homePage')).toBe('home_page');
    expect(oldNameOf(z.object({ email: z.string() }), 'email')).toBe('email');
  });

  test.each([
    ['a record of objects', z.record(z.string(), person)],
    ['a transformed object', person.transform(({ givenName }) => givenName)],
    ['a tuple', z.tuple([person])],
    ['an intersection', z.intersection(person, person)],
    ['a lazy schema', z.lazy(() => person)],
    ['a map', z.map(z.string(), person)],
    ['a union of lists', z.union([z.array(person), z.string()])],
  ])('cannot be missed in %s', (_what, schema) => {
    expect(() => toOldFieldNames(z.object({ given: schema }), {})).toThrow(/names|fields/);
  });
});
