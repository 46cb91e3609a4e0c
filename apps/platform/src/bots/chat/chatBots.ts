import type { CommandingChat } from '../../gateway/chatCommands.ts';
import type { BotHost } from '../botHost.ts';
import { createBotHostClient } from '../botHostClient.ts';
import type { CallBot } from '../callBot.ts';
import type { HostConnections } from '../paired/hostConnections.ts';
import { handleMergedCall, type MergedCallDeps } from '../paired/mergedCalls.ts';
import type { PairedHosts } from '../paired/pairedHosts.ts';
import type { ChatBots } from './chatCommands.ts';

/** Creates the calls of chats to the own bot host and all paired ones of their owner. */
export function createChatBots(deps: {
  readonly host: BotHost;
  readonly paired: PairedHosts;
  readonly connections: HostConnections;
  readonly callBot: CallBot;
}): ChatBots {
  const { host, paired, connections, callBot } = deps;

  async function depsOf({ userId, language }: CommandingChat): Promise<MergedCallDeps> {
    const all = await paired.listAll(userId);
    return {
      ...{ connections, language },
      hosts: all.filter(({ isDisabled }) => !isDisabled),
      disabled: all.filter(({ isDisabled }) => isDisabled),
      own: createBotHostClient(host, { userId, groupId: null }, language),
    };
  }

  const query = new URLSearchParams();
  return {
    list: async (of) => handleMergedCall('list', await depsOf(of), { query, body: undefined }),
    stop: (of, bot) => callBot({ ...of, bot }, 'stop', {}),
    halt: async (of, close) => handleMergedCall('haltAll', await depsOf(of), { query, body: { close } }),
  };
}
