import type { z } from 'zod';

/** One call of the API with its parameters, body and response. Server routes and client requests derive from it. */
export interface Call<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `:name` placeholders. */
  readonly path: string;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly response: Response;
  /** Timeout of clients in ms, where it is longer than the default. */
  readonly timeoutMs?: number;
}

/** Declares a call and keeps its exact types. */
export function defineCall<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends z.ZodType = z.ZodType,
>(call: Call<Params, Query, Body, Response>): Call<Params, Query, Body, Response> {
  return call;
}
