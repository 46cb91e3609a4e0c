import { botCalls } from '@heron/contract/bots/calls.ts';
import { botSummary } from '@heron/contract/bots/entities.ts';
import { type BotCallName, CALL_SCOPES, type TokenScope } from '@heron/contract/bots/tokenScopes.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { ApiToken } from '../gateway/apiTokens.ts';
import { createRequestLimiter } from '../gateway/requestLimiter.ts';
import type { Session } from '../gateway/sessions.ts';
import { findBotCall } from './paired/pairedTarget.ts';

/** Calls of one API token in a minute, and those of them that change something. */
const REQUESTS_PER_MINUTE = 600;
const CHANGES_PER_MINUTE = 60;

/** An API token with the call that it makes. */
export type TokenCall = Pick<ApiToken, 'scopes'> & { readonly call: BotCallName };

/** The caller of the bot host: a session, or an API token, which has no role and can prove nothing. */
export type BotCaller =
  | (Session & { readonly token: null })
  | { readonly userId: number; readonly groupId: null; readonly token: TokenCall };

/**
 * Returns the call that an API token makes. Only the exact path of a call of the contract is allowed, so that no other
 * spelling reaches the router of the bot host.
 *
 * @param path as the bot host receives it
 * @throws CallError `not_by_token`, `token_scope_missing`
 * @see docs/api.md#scopes
 */
export function allowCall({ scopes }: ApiToken, method: string, path: string): TokenCall {
  const call = findBotCall(method, path);
  const needed = call === null ? null : CALL_SCOPES[call];
  if (call === null || needed === null) throw new CallError('not_by_token');
  requireScope(scopes, needed.scope);
  return { scopes, call };
}

/**
 * Requires the further scope of a call where its bot is live. A bot that cannot be read counts as live.
 *
 * @param readBot reads the bot from its bot host
 * @throws CallError `token_scope_missing`, and errors of `readBot`
 */
export async function requireLiveScope(
  { call, scopes }: TokenCall,
  path: string,
  readBot: (path: string) => Promise<unknown>,
): Promise<void> {
  const needed = CALL_SCOPES[call]?.live;
  if (needed === undefined || scopes.includes(needed)) return;
  const [, , , id = ''] = path.split('/');
  const bot = shownMode.safeParse(await readBot(botCalls.get.path.replace(':id', id)));
  if (bot.data?.mode !== 'paper') requireScope(scopes, needed);
}

const shownMode = botSummary.pick({ mode: true });

function requireScope(scopes: readonly TokenScope[], scope: TokenScope): void {
  if (!scopes.includes(scope)) throw new CallError('token_scope_missing', { scope });
}

/** Limits the calls of each API token. @returns throws CallError `too_many_requests` */
export function createTokenLimiter(): (token: ApiToken, { call }: TokenCall) => void {
  const limitRequests = createRequestLimiter(REQUESTS_PER_MINUTE);
  const limitChanges = createRequestLimiter(CHANGES_PER_MINUTE);
  return ({ id }, { call }) => {
    limitRequests(id);
    if (CALL_SCOPES[call]?.scope !== 'read' && !UNLIMITED.has(call)) limitChanges(id);
  };
}

/** Changes that lower a risk must never wait for others. */
const UNLIMITED: ReadonlySet<BotCallName> = new Set(['halt', 'haltAll', 'stop', 'cancelOrder']);
