import { accountAliases } from '@heron/contract/accounts/aliases.ts';
import { currentUser } from '@heron/contract/accounts/entities.ts';
import { ALL_METHODS } from '@heron/contract/allMethods.ts';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { botDetail, botSummary } from '@heron/contract/bots/entities.ts';
import { type OpenApiDocument, openApi } from '@heron/contract/http/openApi.ts';
import platform from '../package.json' with { type: 'json' };

/** Describes all calls of the platform, and of the bot host through it. */
export function describeApi(): OpenApiDocument {
  return openApi({
    version: platform.version,
    methods: ALL_METHODS,
    aliases: accountAliases,
    calls: botCalls,
    named: { CurrentUser: currentUser, BotSummary: botSummary, Bot: botDetail },
  });
}
