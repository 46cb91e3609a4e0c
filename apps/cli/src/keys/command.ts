import process from 'node:process';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import { Command } from 'commander';
import { askHost } from '../host/ask.ts';
import { type HostFlags, withHostOptions } from '../host/options.ts';
import { askLine, askSecret, readLines } from '../host/prompt.ts';

/** `heron keys`: exchange keys of the Heron that runs on this machine. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('Exchange keys for live bots. They are kept sealed and never shown.');
  keys.addCommand(
    withHostOptions(new Command('add'))
      .description('Add a key. Key and secret are asked for, or read as two lines from standard input.')
      .argument('<exchange>', 'binance or mexc')
      .argument('<label>', 'your name for it')
      .option(
        '--withdraw-off',
        'I have seen at the exchange that the key may not withdraw (for exchanges that do not tell)',
      )
      .action(async (exchange: string, label: string, flags: HostFlags & { withdrawOff?: true }) => {
        const { key, secret } = await readKey();
        show([
          await askHost(flags, botCalls.addKey, {
            body: { exchange, label, key, secret, withdrawOff: flags.withdrawOff === true },
          }),
        ]);
      }),
  );
  keys.addCommand(
    withHostOptions(new Command('list'))
      .description('List keys with what they may do.')
      .action(async (flags: HostFlags) => show((await askHost(flags, botCalls.keys)).keys)),
  );
  keys.addCommand(
    withHostOptions(new Command('test'))
      .description('Ask the exchange again what a key may do.')
      .argument('<label>')
      .action(async (label: string, flags: HostFlags) => {
        const { id } = await labelled(flags, label);
        show([await askHost(flags, botCalls.testKey, { params: { id } })]);
      }),
  );
  keys.addCommand(
    withHostOptions(new Command('remove'))
      .description('Forget a key that no bot trades with.')
      .argument('<label>')
      .action(async (label: string, flags: HostFlags) => {
        const { id } = await labelled(flags, label);
        await askHost(flags, botCalls.removeKey, { params: { id } });
        console.log(`${label} is forgotten.`);
      }),
  );
  return keys;
}

/** Never from the arguments: those are seen by every user of the machine and kept in the history of the shell. */
async function readKey(): Promise<{ key: string; secret: string }> {
  if (process.stdin.isTTY) return { key: await askLine('API key: '), secret: await askSecret('Secret (not shown): ') };
  const [key = '', secret = ''] = await readLines();
  if (key === '' || secret === '') throw new Error('standard input must hold two lines: the key, then the secret');
  return { key, secret };
}

async function labelled(flags: HostFlags, label: string): Promise<ExchangeKey> {
  const { keys } = await askHost(flags, botCalls.keys);
  const found = keys.find((key) => key.label === label);
  if (!found) throw new Error(`there is no key "${label}"; "npx heron keys list" shows those that there are`);
  return found;
}

function show(keys: readonly ExchangeKey[]): void {
  if (keys.length === 0) console.log('There are no keys yet. Add one with "npx heron keys add <exchange> <label>".');
  for (const { label, exchange, lastFour, permissions, warnings, checkedAt, bots } of keys) {
    const may = permissions.trade ? 'may trade' : 'may not trade';
    const used = bots.length === 0 ? 'no bot' : `bots ${bots.join(', ')}`;
    const checked = new Date(checkedAt).toISOString();
    const told =
      permissions.withdraw === null ? 'withdrawals unknown' : permissions.withdraw ? 'MAY WITHDRAW' : 'not withdraw';
    console.log(`${label}  ${exchange} …${lastFour}  ${may}, ${told}  ${used}  checked ${checked}`);
    for (const { en } of warnings) console.log(`  Warning: ${en}.`);
  }
}
