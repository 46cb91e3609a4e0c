import { z } from 'zod';

/**
 * Names of fields for older clients, where they are not the name in snake_case. A schema for a field is registered where it is
 * declared, so that objects derived by `partial`, `pick` or `extend` keep the names.
 * - `name`: replaces the name in snake_case.
 * - `also`: further names. Data has all of them, and in a payload `name` has precedence.
 */
export const oldNames = z.registry<{ name?: string; also?: readonly string[] }>();

/** Returns data of a method with the names that older clients know. @param data parsed by `schema` */
export function toOldFieldNames(schema: z.ZodType, data: unknown): unknown {
  return renameFields(data, namesOf(schema), 'toOld');
}

/** Returns a payload of an older client with the names of a method, and without fields that only have those names. */
export function fromOldFieldNames(schema: z.ZodType, sent: unknown): unknown {
  return renameFields(sent, namesOf(schema), 'fromOld');
}

/** Returns the first name that a field of an object has for older clients: `nick_name` for `nickName`. */
export function oldNameOf(schema: z.ZodType, name: string): string {
  return renamePath([name], namesOf(schema), undefined).join('.');
}

/**
 * Returns the reason of an error with the names of fields that an older client has sent.
 *
 * @param reason paths of fields, separated by commas; then a colon and a message, which stays as it is
 * @param sent payload with the names of the older client
 */
export function withOldFieldNames(schema: z.ZodType, reason: string, sent: unknown): string {
  const [, paths, message = ''] = /^([\w.]+(?:, [\w.]+)*)(: .*)?$/s.exec(reason) ?? [];
  if (paths === undefined) return reason;
  const old = paths.split(', ').map((path) => renamePath(path.split('.'), namesOf(schema), sent).join('.'));
  return `${old.join(', ')}${message}`;
}

/** Renames the fields in the JSON Schema of an object, for the `override` of `z.toJSONSchema`. */
export function renameSchemaFields(written: { zodSchema: z.core.$ZodType; jsonSchema: z.core.JSONSchema.BaseSchema }) {
  const { zodSchema, jsonSchema } = written;
  const { properties, required } = jsonSchema;
  // The schema of a wrapper, such as `optional`, repeats that of its object, which is renamed already.
  if (properties === undefined || zodSchema._zod.def.type !== 'object') return;
  const names = namesOf(zodSchema);
  if (names?.kind !== 'object') return;
  const fieldsIn = (given: readonly string[]) => names.fields.filter(({ name }) => given.includes(name));
  const renamed = fieldsIn(Object.keys(properties)).map(({ name, old }) => [old, properties[name]]);
  jsonSchema.properties = Object.fromEntries(renamed);
  if (required !== undefined) jsonSchema.required = fieldsIn(required).map(({ old }) => old);
}

type ObjectNames = { readonly kind: 'object'; readonly fields: readonly Field[] };

/** The fields in a schema; null where none has another name for older clients. */
type Names =
  | ObjectNames
  | { readonly kind: 'array'; readonly items: Names }
  | { readonly kind: 'union'; readonly options: readonly ObjectNames[] }
  | null;

/** A field under one of its names for older clients. */
type Field = {
  readonly name: string;
  readonly old: string;
  readonly isRequired: boolean;
  /** The fields in its value. */
  readonly nested: Names;
};

const known = new WeakMap<z.core.$ZodType, { readonly names: Names }>();

function namesOf(schema: z.core.$ZodType): Names {
  const found = known.get(schema) ?? { names: readNames(schema) };
  known.set(schema, found);
  return found.names;
}

/** @throws Error for schemas whose fields it could not find or rename */
function readNames(schema: z.core.$ZodType): Names {
  // All schemas of zod are of one of these types.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectNames(def.shape);
    case 'array': {
      const items = namesOf(def.element);
      return items && { kind: 'array', items };
    }
    case 'union': {
      const options = def.options.map(namesOf).filter((option) => option !== null);
      if (!options.every((option) => option.kind === 'object')) throw new Error('a union of lists has fields');
      return options.length === 0 ? null : { kind: 'union', options };
    }
    case 'optional':
    case 'nullable':
    case 'default':
      return namesOf(def.innerType);
    case 'pipe':
      return withoutNames(def.in);
    case 'record':
      // Its keys are data.
      return withoutNames(def.valueType);
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'literal':
    case 'enum':
      return null;
    default:
      throw new Error(`the names of fields in a schema of type ${def.type} are unknown`);
  }
}

function withoutNames(schema: z.core.$ZodType): null {
  if (namesOf(schema) !== null) throw new Error('fields in a record or before a transformation have no old names');
  return null;
}

function objectNames(shape: z.core.$ZodShape): ObjectNames | null {
  const fields = Object.entries(shape).flatMap(([name, field]): Field[] => {
    const { name: old = snakeCase(name), also = [] } = registeredNames(field);
    const first = { name, old, isRequired: field._zod.optin !== 'optional', nested: namesOf(field) };
    // The first name comes last, so that it is the one that counts when several are sent.
    return [...also.map((second) => ({ ...first, old: second, isRequired: false })), first];
  });
  return fields.some(({ name, old, nested }) => name !== old || nested !== null) ? { kind: 'object', fields } : null;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Wrappers such as that of `partial` have the names of the schema inside. */
function registeredNames(field: z.core.$ZodType): { name?: string; also?: readonly string[] } {
  const { def } = (field as z.core.$ZodTypes)._zod;
  return oldNames.get(field) ?? ('innerType' in def ? registeredNames(def.innerType) : {});
}

type Direction = 'toOld' | 'fromOld';
const KEYS = { toOld: { from: 'name', to: 'old' }, fromOld: { from: 'old', to: 'name' } } as const;

function renameFields(value: unknown, names: Names, direction: Direction): unknown {
  switch (names?.kind) {
    case 'array':
      return Array.isArray(value) ? value.map((item) => renameFields(item, names.items, direction)) : value;
    case 'union':
      return renameFields(value, matchingOption(value, names.options, direction), direction);
    case 'object': {
      if (!isObject(value)) return value;
      const { from, to } = KEYS[direction];
      const given = names.fields.filter((field) => Object.hasOwn(value, field[from]));
      return Object.fromEntries(
        given.map((field) => [field[to], renameFields(value[field[from]], field.nested, direction)]),
      );
    }
    default:
      return value;
  }
}

/** Returns the first option of a union whose required fields a value has. */
function matchingOption(value: unknown, options: readonly ObjectNames[], direction: Direction): ObjectNames | null {
  if (!isObject(value)) return null;
  const { from } = KEYS[direction];
  const matches = ({ fields }: ObjectNames) =>
    fields.every((field) => !field.isRequired || Object.hasOwn(value, field[from]));
  return options.find(matches) ?? null;
}

/** @param sent value with old names, which decides between the old names of one field */
function renamePath(path: readonly string[], names: Names, sent: unknown): readonly string[] {
  const [name, ...rest] = path;
  if (name === undefined || names === null) return path;
  if (names.kind === 'union') return renamePath(path, matchingOption(sent, names.options, 'fromOld'), sent);
  if (names.kind === 'array') return [name, ...renamePath(rest, names.items, valueAt(sent, name))];
  const fields = names.fields.filter((field) => field.name === name);
  const field = fields.findLast(({ old }) => valueAt(sent, old) !== undefined) ?? fields.at(-1);
  return field === undefined ? path : [field.old, ...renamePath(rest, field.nested, valueAt(sent, field.old))];
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
