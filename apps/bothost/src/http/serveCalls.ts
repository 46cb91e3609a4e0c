import { setupFaults } from '@heron/contract/bots/newBot.ts';
import type { Call } from '@heron/contract/http/call.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { describeFault } from '@heron/contract/locales/optionFaultText.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { optionsInvalid } from './optionsInvalid.ts';

/** The output of a schema; `undefined` for a call without that schema. */
type Checked<Schema> =
  Exclude<Schema, undefined> extends infer Declared extends z.ZodType ? z.output<Declared> : undefined;

/** A call after its input was checked. */
export interface Given<C extends Call> {
  /** Id of the calling user on the platform. */
  readonly user: string;
  readonly language: Language;
  readonly params: Checked<C['params']>;
  readonly query: Checked<C['query']>;
  readonly body: Checked<C['body']>;
}

/** One handler for each call of a table. */
export type Handlers<Calls extends Record<string, Call>> = {
  [Name in keyof Calls]: (given: Given<Calls[Name]>) => Promise<z.input<Calls[Name]['response']>>;
};

const LOCALES = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError };

/** Returns the user that the platform has authenticated. */
export function userOf(request: FastifyRequest): string {
  const user = request.headers['x-heron-user'];
  if (typeof user !== 'string' || !/^[\w-]{1,64}$/.test(user)) throw new CallError('not_logged_in');
  return user;
}

/** Returns the language of texts for the caller: Chinese unless the request names English. */
export function languageOf(request: FastifyRequest): Language {
  return String(request.headers['x-heron-language'] ?? '')
    .toLowerCase()
    .startsWith('en')
    ? 'en'
    : 'zh';
}

/** Adds a route for every call. Input that does not match the contract is rejected before its handler runs. */
export function serveCalls<Calls extends Record<string, Call>>(
  server: FastifyInstance,
  calls: Calls,
  handlers: Handlers<Calls>,
): void {
  for (const [name, call] of Object.entries(calls)) {
    // Each handler matches its own call, but TypeScript cannot express that in a loop over all calls.
    const handler = handlers[name] as unknown as (given: Given<Call>) => Promise<unknown>;
    server.route({
      method: call.method,
      url: call.path,
      async handler(request) {
        const language = languageOf(request);
        const check = (schema: z.ZodType | undefined, value: unknown, part: string) =>
          schema === undefined ? undefined : checked(schema, value, part, language);
        return handler({
          user: userOf(request),
          language,
          params: check(call.params, request.params, 'path') as undefined,
          query: check(call.query, request.query, 'query') as undefined,
          body: check(call.body, request.body ?? {}, 'body') as undefined,
        });
      },
    });
  }
}

/**
 * Parses a part of a request by its schema.
 *
 * @param part `path`, `query` or `body`
 * @throws CallError `invalid_request` or `options_invalid`; for a path `not_found`
 */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: string,
  language: Language,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: LOCALES[language] });
  if (!result.success) throw refusalOf(result.error, part, language);
  const fault = findNul(value, part);
  if (fault !== null) throw new CallError('invalid_request', { reason: fault });
  return result.data;
}

function refusalOf(error: z.ZodError, part: string, language: Language): CallError {
  if (part === 'path') return new CallError('not_found');
  const faults = setupFaults(error);
  if (faults.length > 0) return optionsInvalid(faults.map(describeFault), language);
  return new CallError('invalid_request', { reason: firstIssue(error, part) });
}

function firstIssue(error: z.ZodError, part: string): string {
  const issue = error.issues[0];
  const where = issue?.path.join('.') || part;
  return `${where}: ${issue?.message ?? ''}`;
}

/** PostgreSQL stores every character but NUL. */
function findNul(value: unknown, part: string): string | null {
  return JSON.stringify(value)?.includes('\\u0000') ? `${part}: NUL` : null;
}
