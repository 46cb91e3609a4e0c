import { z } from 'zod';
import { errorBody } from './errors.ts';

/** Path for all methods: `POST` for all, `GET` for those that are not `postOnly`. */
export const GATEWAY_PATH = '/api.php';

/**
 * One method of the generic send: `{ method: "System.Login.login", …payload }` to `GATEWAY_PATH`.
 *
 */
export interface Method<Payload extends z.ZodType = z.ZodType, Data extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly summary: string;
  /** True when the method changes anything or receives a secret. A GET is then rejected. */
  readonly postOnly: boolean;
  /** The `code` of success. Any failure is negative. */
  readonly success: number;
  /** Fields of the request besides `gatewayFields`. */
  readonly payload: Payload;
  /** Content of the `data` text of a success, as JSON. */
  readonly data: Data;
  /** Timeout of clients in ms, where it is longer than the default. */
  readonly timeoutMs?: number;
}

/** Declares a method and keeps its exact types. */
export function defineMethod<Payload extends z.ZodType, Data extends z.ZodType>(
  method: Method<Payload, Data>,
): Method<Payload, Data> {
  return method;
}

/** Fields that every payload may have. The gateway reads them; the method does not receive them. */
export const gatewayFields = z.object({
  method: z.string().max(100),
  /** Session token of a client without cookies. An `Authorization: Bearer` header has precedence. */
  token: z.string().max(200).optional(),
  /** Language of messages: Chinese when it contains "zh". Overrides `Accept-Language`. */
  lang: z.string().max(40).optional(),
});

/** Response of a method. */
export const gatewayAnswer = z.object({
  /** `success` of the method, or the negated HTTP status of a failure. */
  code: z.number().int(),
  /** Message in the language of the user; empty on success. */
  message: z.string(),
  /** JSON as text; "null" on failure. */
  data: z.string(),
});

/** Response of a failed method, with its stable error code. */
export const gatewayFailure = gatewayAnswer.extend(errorBody.shape);

export type GatewayAnswer = z.infer<typeof gatewayAnswer>;
export type GatewayFailure = z.infer<typeof gatewayFailure>;
