import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import oldFields from '../../test/oldFieldNames.json' with { type: 'json' };
import { accountMethods } from '../accounts/methods.ts';
import { hostMethods } from '../bots/pairedHosts.ts';
import { notifyMethods } from '../notify/notifyMethods.ts';
import type { Method } from './method.ts';
import {
  describeOldFieldNames,
  fromOldFieldNames,
  oldFieldName,
  toOldFieldNames,
  withOldFieldNames,
} from './oldFieldNames.ts';

const METHODS: readonly Method[] = Object.values({ ...accountMethods, ...notifyMethods, ...hostMethods });
const SCHEMAS = METHODS.flatMap(({ name, payload, data }) => [
  { name, part: 'payload', schema: payload, io: 'input' } as const,
  { name, part: 'data', schema: data, io: 'output' } as const,
]);

type Described = { readonly properties?: Record<string, Described>; readonly [keyword: string]: unknown };

const describeNew = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Described;
const describeOld = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', override: describeOldFieldNames }) as Described;

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
  expect(METHODS.map(({ name }) => name)).toEqual(Object.keys(oldFields));
});

describe.each(SCHEMAS)('$name, $part', ({ name, part, schema, io }) => {
  test('has for older clients the fields that it had before the typed calls', () => {
    expect(outline(describeOld(schema, io))).toBe(oldFields[name as keyof typeof oldFields][part]);
  });

  test('has camelCase in the typed call, and no two fields with one name for older clients', () => {
    for (const fields of objectsIn(describeNew(schema, io))) {
      for (const field of fields) expect(field).toMatch(/^[a-z][A-Za-z0-9]*$/);
      expect(new Set(fields.map(oldFieldName)).size).toBe(fields.length);
    }
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

test('a text about fields names those of older clients', () => {
  const { payload } = accountMethods.snsLogin;
  expect(withOldFieldNames(payload, 'snsType: expected "apple"')).toBe('sns_type: expected "apple"');
  expect(withOldFieldNames(payload, 'passkey.rawId, groupId, code')).toBe('passkey.rawId, groupId, code');
  expect(withOldFieldNames(accountMethods.prove.payload, 'code, recoveryCode, passkey')).toBe(
    'code, recovery_code, passkey',
  );
});
