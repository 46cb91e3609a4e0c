import type { z } from 'zod';
import type { Call } from './call.ts';
import type { Method } from './method.ts';

/**
 * Returns the typed call of a method: a `POST` with the payload as JSON, which responds with the data as JSON. The path of
 * `System.Session.endOthers` is `/api/session/endOthers`.
 */
export function methodCall<Payload extends z.ZodObject, Data extends z.ZodType>(
  method: Method<Payload, Data>,
): Call<z.ZodUndefined, z.ZodUndefined, Payload, Data> {
  const { name, summary, payload, data, timeoutMs } = method;
  const [, ...segments] = name.split('.').map(uncapitalised);
  return {
    method: 'POST',
    path: `/api/${segments.join('/')}`,
    summary,
    body: payload,
    response: data,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/**
 * Returns the schema of the body of a typed call on the server. It rejects unknown fields, so that a client of another
 * version does not report as saved what was ignored.
 */
export function callBody({ payload }: Method): z.ZodObject {
  return payload.strict();
}

function uncapitalised(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
