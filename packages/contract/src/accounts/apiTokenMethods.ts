import { z } from 'zod';
import { TOKEN_DAYS, TOKEN_SCOPES } from '../bots/tokenScopes.ts';
import { visibleName } from '../bots/visibleName.ts';
import { defineMethod } from '../http/method.ts';

const tokenId = z.uuid();

const apiToken = z.object({
  id: tokenId,
  label: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  /** Unix seconds, as all times here. */
  made: z.number().int(),
  /** Null for a token that does not expire. */
  expires: z.number().int().nullable(),
  /** Last use, to the minute; null before the first one. */
  used: z.number().int().nullable(),
  /** IP address of the last use. */
  address: z.string(),
  /** Time at which it was disabled together with other sessions; null while it is valid. */
  disabledSince: z.number().int().nullable(),
});

export type ApiTokenEntry = z.infer<typeof apiToken>;

/** Methods of API tokens, by which programs make calls below `/bot`. */
export const apiTokenMethods = {
  listTokens: defineMethod({
    name: 'System.ApiToken.list',
    summary: 'Lists the API tokens of the caller, newest first, without their secrets',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({ entries: z.array(apiToken) }),
  }),
  createToken: defineMethod({
    name: 'System.ApiToken.create',
    summary: 'Creates an API token and returns its secret, which is never shown again. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({
      label: visibleName,
      scopes: z.array(z.enum(TOKEN_SCOPES)).min(1).max(TOKEN_SCOPES.length),
      /** Days until it expires; null for never. */
      days: z.literal([...TOKEN_DAYS]).nullable(),
    }),
    data: z.object({ entry: apiToken, secret: z.string() }),
  }),
  enableToken: defineMethod({
    name: 'System.ApiToken.enable',
    summary: 'Enables an API token that was disabled together with other sessions. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ id: tokenId }),
    data: z.object({}),
  }),
  revokeToken: defineMethod({
    name: 'System.ApiToken.revoke',
    summary: 'Revokes an API token at once and for ever',
    postOnly: true,
    success: 0,
    payload: z.object({ id: tokenId }),
    data: z.object({}),
  }),
} as const;
