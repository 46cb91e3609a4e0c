import path from 'node:path';
import { type Command, Option } from 'commander';
import { defaultDataFolder, parsePort } from '../start/command.ts';
import { STANDARD_PORTS } from '../start/settings.ts';
import type { HostOptions } from './callHost.ts';

/** Adds the options that select the bot host and, where a call needs one, the user. */
export function withHostOptions(command: Command, { forUser = true } = {}): Command {
  command
    .addOption(
      new Option('--data <folder>', 'data folder of the running Heron')
        .env('HERON_DATA')
        .default(defaultDataFolder(), './data')
        .argParser((text) => path.resolve(text)),
    )
    .addOption(
      new Option('--control-port <port>', 'port of the bot host')
        .env('HERON_CONTROL_PORT')
        .default(STANDARD_PORTS['bot host'])
        .argParser(parsePort),
    );
  return forUser ? command.addOption(new Option('--user <number>', 'number of the account').default('1')) : command;
}

/** Those options, as parsed. */
export type HostFlags = HostOptions;
