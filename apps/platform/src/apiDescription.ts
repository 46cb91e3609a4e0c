import { accountAliases } from '@heron/contract/accounts/aliases.ts';
import { currentUser } from '@heron/contract/accounts/entities.ts';
import { accountMethods } from '@heron/contract/accounts/methods.ts';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { botDetail, botSummary } from '@heron/contract/bots/entities.ts';
import { hostMethods } from '@heron/contract/bots/pairedHosts.ts';
import { type OpenApiDocument, openApi } from '@heron/contract/http/openApi.ts';
import { notifyMethods } from '@heron/contract/notify/notifyMethods.ts';
import platform from '../package.json' with { type: 'json' };

/** Describes all calls of the platform, and of the bot host through it. */
export function describeApi(): OpenApiDocument {
  return openApi({
    version: platform.version,
    methods: [...Object.values(accountMethods), ...Object.values(notifyMethods), ...Object.values(hostMethods)],
    aliases: accountAliases,
    calls: botCalls,
    named: { CurrentUser: currentUser, BotSummary: botSummary, Bot: botDetail },
  });
}
