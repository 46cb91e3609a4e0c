import { z } from 'zod';
import { errorBody } from './errors.ts';

/** Where methods are sent: `POST` for all, `GET` for those that are not `postOnly`. */
export const GATEWAY_PATH = '/api.php';

/**
 * One method of the generic send: `{ method: "System.Login.login", …payload }` to `GATEWAY_PATH`.
 *
 * @see accounts.md 7, "Method names sent through the generic send"
 */
export interface Method<Payload extends z.ZodType = z.ZodType, Data extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly summary: string;
  /** True when it changes anything or is sent a secret: then it is never answered to a GET. */
  readonly postOnly: boolean;
  /** The `code` of success. Any failure is negative. @see accounts.md 8 */
  readonly success: number;
  /** What goes in beside `gatewayFields`. */
  readonly payload: Payload;
  /** What the `data` text of a success holds, as JSON. */
  readonly data: Data;
  /** How long a client waits for the answer, ms, where that may be longer than usual. */
  readonly timeoutMs?: number;
}

/** Declares a method and keeps its exact types. */
export function defineMethod<Payload extends z.ZodType, Data extends z.ZodType>(
  method: Method<Payload, Data>,
): Method<Payload, Data> {
  return method;
}

/** Fields that every payload may have; the gateway reads them and the method never sees them. */
export const gatewayFields = z.object({
  method: z.string().max(100),
  /** Session token of a client without cookies. An `Authorization: Bearer` header does the same and comes first. */
  token: z.string().max(200).optional(),
  /** Language of messages: Chinese when it contains "zh". Overrules `Accept-Language`. */
  lang: z.string().max(40).optional(),
});

/** Answer to a method. */
export const gatewayAnswer = z.object({
  /** `success` of the method, or below zero: the negated HTTP status. */
  code: z.number().int(),
  /** For people, in their language; empty on success. */
  message: z.string(),
  /** JSON as text; "null" on failure. */
  data: z.string(),
});

/** Answer to a method that failed: also says which of the stable error codes it was. */
export const gatewayFailure = gatewayAnswer.extend(errorBody.shape);

export type GatewayAnswer = z.infer<typeof gatewayAnswer>;
export type GatewayFailure = z.infer<typeof gatewayFailure>;
