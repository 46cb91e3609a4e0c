import { z } from 'zod';
import { errorBody } from './errors.ts';

/**
 * Path of the generic send of older clients: `{ method: "System.Login.login", …payload }`. `POST` for all methods, `GET` for
 * those that are not `postOnly`.
 */
export const GATEWAY_PATH = '/api.php';

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
