import { z } from 'zod';
import { ERRORS, type ErrorCode, errorDetails } from './errors.ts';
import type { Method } from './method.ts';

/** Path prefix of older clients for all addresses except the generic send. */
const PANACEA = '/panacea';

/**
 * Another address of a method, for clients that do not use the generic send. Fields come from `:name` parts
 * of the path, from the query (not of a `POST`), and from the body of a `POST` or `PUT`.
 */
export interface Alias {
  readonly http: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly method: Method;
  /** Names of fields here, mapped to the names in the method. All other fields have the names of the generic send. */
  readonly fields: Readonly<Record<string, string>>;
  /** Calls the method only when this field is sent. Several aliases may share an address, and the first match is used. */
  readonly onlyWith?: string;
}

/** Declares another address of a method; the method must have the fields. */
export function defineAlias<M extends Method>(
  http: Alias['http'],
  path: string,
  method: M,
  options: { fields?: Record<string, keyof z.input<M['payload']> & string>; onlyWith?: string } = {},
): Alias {
  const { fields = {}, ...rest } = options;
  return { http, path: `${PANACEA}${path}`, method, fields, ...rest };
}

/**
 * Declares a resource with the addresses of older clients: `GET` of one or many, `POST`, `PUT ?id=` and `DELETE ?id=`. Missing
 * operations have no address. A single item is returned as a list of one.
 */
export function defineResource(
  name: string,
  operations: { list?: Method; get?: Method; add?: Method; edit?: Method; remove?: Method },
): Alias[] {
  const { list, get, add, edit, remove } = operations;
  return [
    ...(list === undefined ? [] : [defineAlias('GET', `/${name}`, list)]),
    ...(get === undefined ? [] : [defineAlias('GET', `/${name}/:id`, get)]),
    ...(add === undefined ? [] : [defineAlias('POST', `/${name}`, add)]),
    ...(edit === undefined ? [] : [defineAlias('PUT', `/${name}`, edit)]),
    ...(remove === undefined ? [] : [defineAlias('DELETE', `/${name}`, remove)]),
  ];
}

/** Fields that every call of an alias may contain; the method does not receive them. */
export const aliasFields = z.object({
  /** Session token. An `Authorization: Bearer` header has precedence. */
  token: z.string().max(200).optional(),
  /** The same token as `sessionkey`, with the `uid` of its owner. */
  sessionkey: z.string().max(200).optional(),
  sessionuid: z.union([z.string().max(20), z.number()]).optional(),
  /** Language of messages: Chinese when it contains "zh". Overrides `Accept-Language`. */
  lang: z.string().max(40).optional(),
});

/** A success, with the fields of the method's `data` beside these. */
export const aliasAnswer = z.object({
  /** `success` of the method. */
  code: z.number().int(),
  message: z.literal(''),
});

/** Fields beside a `token`: the session in the form that older clients send. */
export const sessionPair = z.object({ sessionkey: z.string(), sessionuid: z.number().int() });

/** A failure, for dialogs that read `message` and for lists that read `error_message`. */
export const aliasFailure = z.object({
  /** The negated HTTP status. */
  code: z.number().int(),
  message: z.string(),
  error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  error_message: z.string(),
  details: errorDetails.optional(),
});

export type AliasFailure = z.infer<typeof aliasFailure>;
