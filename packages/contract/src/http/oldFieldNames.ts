import type { z } from 'zod';
import { currentUser } from '../accounts/entities.ts';
import { profileChange } from '../accounts/profile.ts';

/** Fields that have the same name for older clients: those of WebAuthn, and the search for users. */
const SAME_NAMES: ReadonlySet<string> = new Set([
  ...[
    'allowCredentials',
    'attestationObject',
    'authenticatorAttachment',
    'authenticatorData',
    'authenticatorSelection',
  ],
  ...['clientDataJSON', 'displayName', 'excludeCredentials', 'pubKeyCredParams', 'rawId', 'requireResidentKey'],
  ...['residentKey', 'rpId', 'userHandle', 'userVerification', 'searchKey'],
]);

/** Second names of fields, which only older clients know, by the schema of their object. */
const SECOND_NAMES: ReadonlyMap<unknown, Readonly<Record<string, string>>> = new Map<unknown, Record<string, string>>([
  [currentUser, { user_name: 'username' }],
  [profileChange, { user_name: 'nickName' }],
]);

/** Returns the name that a field of a method has for older clients: `nick_name` for `nickName`. */
export function oldFieldName(name: string): string {
  return SAME_NAMES.has(name) ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns data of a method with the names that older clients know. @param data parsed by `schema` */
export function toOldFieldNames(schema: z.ZodType, data: unknown): unknown {
  return renamed(data, namesOf(schema), 'old');
}

/** Returns a payload of an older client with the names of a method, and without fields that only have those names. */
export function fromOldFieldNames(schema: z.ZodType, sent: unknown): unknown {
  return renamed(sent, namesOf(schema), 'name');
}

/** Replaces the fields of a payload that a text names, such as the reason of an error, by their names for older clients. */
export function withOldFieldNames(schema: z.ZodType, text: string): string {
  const fields = fieldsWithin(namesOf(schema));
  return text.replace(/\w+/g, (word) => (fields.has(word) ? oldFieldName(word) : word));
}

/** Renames the fields in the JSON Schema of an object, for the `override` of `z.toJSONSchema`. */
export function describeOldFieldNames({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Described }): void {
  const { properties, required } = jsonSchema;
  if (properties === undefined) return;
  const own = Object.fromEntries(Object.entries(properties).map(([name, field]) => [oldFieldName(name), field]));
  const second = Object.entries(SECOND_NAMES.get(zodSchema) ?? {}).map(
    ([old, name]) => [old, oldFieldName(name)] as const,
  );
  const also = second.flatMap(([old, first]) => (own[first] === undefined ? [] : [[old, own[first]] as const]));
  jsonSchema.properties = { ...own, ...Object.fromEntries(also) };
  if (required === undefined) return;
  const always = required.map(oldFieldName);
  jsonSchema.required = [...always, ...second.flatMap(([old, first]) => (always.includes(first) ? [old] : []))];
}

type Described = z.core.JSONSchema.BaseSchema;

/** The fields in a schema; null where none has another name for older clients. */
type Names =
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'array'; readonly items: Names }
  | { readonly kind: 'union'; readonly options: readonly Names[] }
  | null;

type Field = {
  readonly name: string;
  readonly old: string;
  readonly isRequired: boolean;
  /** The fields in its value. */
  readonly within: Names;
};

const known = new WeakMap<z.core.$ZodType, { readonly names: Names }>();

function namesOf(schema: z.core.$ZodType): Names {
  const found = known.get(schema) ?? { names: readNames(schema) };
  known.set(schema, found);
  return found.names;
}

/** Keys of records are data, not names of fields. */
function readNames(schema: z.core.$ZodType): Names {
  // All schemas of zod are of one of these types.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectNames(schema, def.shape);
    case 'array': {
      const items = namesOf(def.element);
      return items && { kind: 'array', items };
    }
    case 'union': {
      const options = def.options.map(namesOf).filter((option) => option !== null);
      return options.length === 0 ? null : { kind: 'union', options };
    }
    case 'pipe':
      return namesOf(def.in) ?? namesOf(def.out);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return namesOf(def.innerType);
    default:
      return null;
  }
}

function objectNames(schema: z.core.$ZodType, shape: z.core.$ZodShape): Names {
  const own = Object.entries(shape).map(([name, field]): Field => {
    const isRequired = field._zod.optin !== 'optional';
    return { name, old: oldFieldName(name), isRequired, within: namesOf(field) };
  });
  // The first name comes last, so that it is the one that counts when both are sent.
  const second = Object.entries(SECOND_NAMES.get(schema) ?? {});
  const fields = [...second.map(([old, name]): Field => ({ name, old, isRequired: false, within: null })), ...own];
  return fields.some(({ name, old, within }) => name !== old || within !== null) ? { kind: 'object', fields } : null;
}

/** @param to which of the names the fields get; they have the other one */
function renamed(value: unknown, names: Names, to: 'name' | 'old'): unknown {
  switch (names?.kind) {
    case 'array':
      return Array.isArray(value) ? value.map((item) => renamed(item, names.items, to)) : value;
    case 'union':
      return renamed(value, names.options.find((option) => fits(value, option, to)) ?? names.options[0] ?? null, to);
    case 'object': {
      if (!isObject(value)) return value;
      const from = to === 'old' ? 'name' : 'old';
      const given = names.fields.filter((field) => Object.hasOwn(value, field[from]));
      return Object.fromEntries(given.map((field) => [field[to], renamed(value[field[from]], field.within, to)]));
    }
    default:
      return value;
  }
}

/** Returns whether a value may be of one option of a union: it has the fields that an object must have. */
function fits(value: unknown, option: Names, to: 'name' | 'old'): boolean {
  if (option?.kind === 'array') return Array.isArray(value);
  if (option?.kind !== 'object' || !isObject(value)) return false;
  const from = to === 'old' ? 'name' : 'old';
  return option.fields.every((field) => !field.isRequired || Object.hasOwn(value, field[from]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the names of all fields, at any depth. */
function fieldsWithin(names: Names): ReadonlySet<string> {
  switch (names?.kind) {
    case 'array':
      return fieldsWithin(names.items);
    case 'union':
      return new Set(names.options.flatMap((option) => [...fieldsWithin(option)]));
    case 'object':
      return new Set(names.fields.flatMap(({ name, within }) => [name, ...fieldsWithin(within)]));
    default:
      return new Set();
  }
}
