import { z } from 'zod';
import { ERRORS, type ErrorCode, errorDetails } from './errors.ts';
import type { Method } from './method.ts';

/** Below which older clients find everything that is no generic send. @see trading.md 7, "Generic request clients" */
const PANACEA = '/panacea';

/**
 * Another address of a method, for clients that do not use the generic send. What it takes is what the method takes, from
 * `:name` parts of the path, from the query of all but a `POST`, and from the body of a `POST` or `PUT`.
 */
export interface Alias {
  readonly http: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly method: Method;
  /** What fields are called here, and what the method calls them. All others have the method's names. */
  readonly fields: Readonly<Record<string, string>>;
  /** Stands for the method only when this field is sent; several may share an address, and the first that fits answers. */
  readonly onlyWith?: string;
}

/** Declares another address of a method; the method must know the fields. */
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
 * A resource with the addresses that older clients use: `GET` of one or many, `POST`, `PUT ?id=` and `DELETE ?id=`. Only
 * operations that are given exist. One item is read as a list of one.
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

/** Fields that may come with every call of an alias; the method never sees them. */
export const aliasFields = z.object({
  /** Session token. An `Authorization: Bearer` header does the same and comes first. */
  token: z.string().max(200).optional(),
  /** The same token as `sessionkey`, with the `uid` of its owner. @see accounts.md 6 */
  sessionkey: z.string().max(200).optional(),
  sessionuid: z.union([z.string().max(20), z.number()]).optional(),
  /** Language of messages: Chinese when it contains "zh". Overrules `Accept-Language`. */
  lang: z.string().max(40).optional(),
});

/** Success: the fields of the method's `data` stand beside these. */
export const aliasAnswer = z.object({
  /** `success` of the method. @see accounts.md 8 */
  code: z.number().int(),
  message: z.literal(''),
});

/** What stands beside a `token`: the session as older clients send it back. */
export const sessionPair = z.object({ sessionkey: z.string(), sessionuid: z.number().int() });

/** Failure, for dialogs that read `message` and for lists that read `error_message`. */
export const aliasFailure = z.object({
  /** The negated HTTP status. */
  code: z.number().int(),
  message: z.string(),
  error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  error_message: z.string(),
  details: errorDetails.optional(),
});

export type AliasFailure = z.infer<typeof aliasFailure>;
