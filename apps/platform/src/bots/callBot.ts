import { botCalls } from '@heron/contract/bots/calls.ts';
import { hostOf, idThere } from '@heron/contract/bots/pairedHosts.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import type { BotHost } from './botHost.ts';
import { createBotHostClient } from './botHostClient.ts';
import { callHost } from './paired/forwardToHost.ts';
import type { HostConnections } from './paired/hostConnections.ts';
import type { PairedHosts } from './paired/pairedHosts.ts';

/** Calls about a bot that signals and chats need. */
type OwnedCall = 'get' | 'order' | 'previewOrder' | 'stop';

/**
 * Calls the bot host of a bot for its owner.
 *
 * @returns the response, which the caller parses
 * @throws CallError of the bot host, `not_found`, `unavailable`, `host_away`, `host_differs`
 */
export type CallBot = (
  of: { readonly userId: number; readonly bot: string; readonly language: Language },
  call: OwnedCall,
  body?: object,
) => Promise<unknown>;

/** Creates the function that calls the own or a paired bot host. */
export function createCallBot(deps: {
  readonly host: BotHost;
  readonly paired: PairedHosts;
  readonly connections: HostConnections;
}): CallBot {
  return async ({ userId, bot, language }, call, body) => {
    const { method } = botCalls[call];
    const path = botCalls[call].path.replace(':id', idThere(bot));
    const id = hostOf(bot);
    if (id === null) return createBotHostClient(deps.host, { userId, groupId: null }, language)(method, path, body);
    const there = await deps.paired.get(userId, id);
    if (there === null) throw new CallError('not_found');
    return callHost(deps.connections, there, { method, path, language, ...(body === undefined ? {} : { body }) });
  };
}
