import { accountAliases } from '@heron/contract/accounts/aliases.ts';
import { currentUser } from '@heron/contract/accounts/entities.ts';
import { ALL_METHODS } from '@heron/contract/allMethods.ts';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { botDetail, botSummary } from '@heron/contract/bots/entities.ts';
import { CALL_SCOPES, type CallScope } from '@heron/contract/bots/tokenScopes.ts';
import { type OpenApiDocument, openApi } from '@heron/contract/http/openApi.ts';
import platform from '../package.json' with { type: 'json' };

/** Describes all calls of the platform, and of the bot host through it. */
export function describeApi(): OpenApiDocument {
  return openApi({
    version: platform.version,
    methods: ALL_METHODS,
    aliases: accountAliases,
    calls: botCalls,
    scopesOf: (call) => scopesOf(CALL_SCOPES[call as keyof typeof botCalls]),
    named: { CurrentUser: currentUser, BotSummary: botSummary, Bot: botDetail },
  });
}

/** Returns the scopes that a call needs, the one for live bots included. */
function scopesOf(needed: CallScope): string[] {
  if (needed === null) return [];
  return needed.live === undefined ? [needed.scope] : [needed.scope, needed.live];
}
