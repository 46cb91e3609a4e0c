import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import { readKeySecret } from '@heron/contract/bots/keySecret.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import { Command } from 'commander';
import { readVenue } from '../flags/venue.ts';
import { callHost } from '../host/callHost.ts';
import { type HostFlags, withHostOptions } from '../host/options.ts';
import { promptLine, promptSecret, readLines } from '../host/prompt.ts';
import { permissionsText } from './permissionsText.ts';

type AddFlags = HostFlags & { withdrawOff?: true; secretFile?: string };

/** `heron keys`: exchange keys of the Heron that runs on this machine. */
export function keysCommand(): Command {
  const keys = new Command('keys').description(
    'Manage exchange keys for live bots. Keys are stored encrypted and never shown.',
  );
  keys.addCommand(
    withHostOptions(new Command('add'))
      .description(
        'Add a key. Prompts for key and secret, or reads them from standard input: the key in the first line, then the secret.',
      )
      .argument('<venue>', 'such as binance, binance-testnet or binance-demo; see npx heron venues', readVenue)
      .argument('<label>', 'your name for the key')
      .option('--withdraw-off', 'confirm that the key cannot withdraw (for exchanges that do not report it)')
      .option('--secret-file <file>', 'read the secret from a file, such as the private key (PEM) of an Ed25519 key')
      .action(async (venue: VenueId, label: string, flags: AddFlags) => {
        const { key, secret } = await readKey(flags.secretFile);
        show([
          await callHost(flags, botCalls.addKey, {
            body: { venue, label, key, secret, withdrawOff: flags.withdrawOff === true },
          }),
        ]);
      }),
  );
  keys.addCommand(
    withHostOptions(new Command('list'))
      .description('List keys and their permissions.')
      .action(async (flags: HostFlags) => show((await callHost(flags, botCalls.keys)).keys)),
  );
  keys.addCommand(
    withHostOptions(new Command('test'))
      .description('Read the permissions of a key from the exchange again.')
      .argument('<label>')
      .action(async (label: string, flags: HostFlags) => {
        const { id } = await labelled(flags, label);
        show([await callHost(flags, botCalls.testKey, { params: { id } })]);
      }),
  );
  keys.addCommand(
    withHostOptions(new Command('remove'))
      .description('Remove a key that no bot uses.')
      .argument('<label>')
      .action(async (label: string, flags: HostFlags) => {
        const { id } = await labelled(flags, label);
        await callHost(flags, botCalls.removeKey, { params: { id } });
        console.log(`Removed ${label}.`);
      }),
  );
  return keys;
}

/**
 * Never reads the key from arguments, which every user of the machine can see and which the history of the shell
 * keeps.
 */
async function readKey(secretFile: string | undefined): Promise<{ key: string; secret: string }> {
  const filed = secretFile === undefined ? null : await readFile(secretFile, 'utf8');
  if (process.stdin.isTTY) {
    const key = await promptLine('API key: ');
    return { key, secret: usable(filed ?? (await promptSecret('Secret (not shown): '))) };
  }
  const [key = '', ...lines] = await readLines();
  if (key === '' || (filed === null && lines.join('').trim() === '')) {
    throw new Error('standard input must contain two lines: the key, then the secret (a PEM may have several lines)');
  }
  return { key, secret: usable(filed ?? lines.join('\n')) };
}

/** @throws Error that describes a valid secret */
function usable(typed: string): string {
  const read = readKeySecret(typed);
  if (read.kind !== 'invalid') return read.secret;
  throw new Error(
    read.why === 'other_kind'
      ? 'only Ed25519 private keys without a passphrase are supported, not RSA: create an Ed25519 or HMAC key at the exchange'
      : 'the secret must be one line of 8 to 200 letters, digits or symbols, or an Ed25519 private key (PEM)',
  );
}

async function labelled(flags: HostFlags, label: string): Promise<ExchangeKey> {
  const { keys } = await callHost(flags, botCalls.keys);
  const found = keys.find((key) => key.label === label);
  if (!found) throw new Error(`there is no key "${label}"; list them with "npx heron keys list"`);
  return found;
}

function show(keys: readonly ExchangeKey[]): void {
  if (keys.length === 0) console.log('There are no keys yet. Add one with "npx heron keys add <venue> <label>".');
  for (const { label, venue, lastFour, permissions, warnings, checkedAt, bots } of keys) {
    const used = bots.length === 0 ? 'no bot' : `bots ${bots.join(', ')}`;
    const checked = new Date(checkedAt).toISOString();
    console.log(`${label}  ${venue} …${lastFour}  ${permissionsText(permissions)}  ${used}  checked ${checked}`);
    for (const { en } of warnings) console.log(`  Warning: ${en}.`);
  }
}
