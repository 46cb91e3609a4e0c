import type { z } from 'zod';

/** One method of accounts. `methodCall.ts` derives its typed call; `envelope.ts` and `alias.ts` serve older clients. */
export interface Method<Payload extends z.ZodObject = z.ZodObject, Data extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly summary: string;
  /** True when the method changes anything or receives a secret. Older clients may then not use a GET. */
  readonly postOnly: boolean;
  /** The `code` of success for older clients. Any failure is negative. */
  readonly success: number;
  /** Fields of the request. */
  readonly payload: Payload;
  /** Content of the response. */
  readonly data: Data;
  /** Timeout of clients in ms, where it is longer than the default. */
  readonly timeoutMs?: number;
}

/** Declares a method and keeps its exact types. */
export function defineMethod<Payload extends z.ZodObject, Data extends z.ZodType>(
  method: Method<Payload, Data>,
): Method<Payload, Data> {
  return method;
}
