import { type HostPairing, pairingCalls } from '@heron/contract/bots/pairing.ts';
import { Command } from 'commander';
import { callHost } from '../host/callHost.ts';
import { type HostFlags, withHostOptions } from '../host/options.ts';

/** `heron pairing`: the pairing of a bot host that `heron start --role bothost --pair` runs on this machine. */
export function pairingCommand(): Command {
  const pairing = new Command('pairing').description(
    'Manage the pairing of this bot host with a Heron on another machine.',
  );
  pairing.addCommand(
    withHostOptions(new Command('show'))
      .description('Show the paired Heron.')
      .action(async (flags: HostFlags) => show(await callHost(flags, pairingCalls.show))),
  );
  pairing.addCommand(
    withHostOptions(new Command('code'))
      .description('Create a new pairing code. The current pairing ends when the code is used.')
      .action(async (flags: HostFlags) => show(await callHost(flags, pairingCalls.code))),
  );
  pairing.addCommand(
    withHostOptions(new Command('end'))
      .description('End the pairing. Bots keep running.')
      .action(async (flags: HostFlags) => show(await callHost(flags, pairingCalls.end))),
  );
  return pairing;
}

function show({ paired, code }: HostPairing): void {
  const since = paired && new Date(paired.at).toISOString();
  console.log(paired ? `Paired with ${paired.platform} since ${since}.` : 'Not paired.');
  if (code) console.log(`Code ${code.text}, works once until ${new Date(code.until).toISOString()}.`);
}
