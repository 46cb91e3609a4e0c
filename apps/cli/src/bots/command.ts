import process from 'node:process';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { Command } from 'commander';
import { askHost } from '../host/ask.ts';
import { type HostFlags, withHostOptions } from '../host/options.ts';
import { askLine } from '../host/prompt.ts';

/** `heron bots`: bots of the Heron that runs on this machine. */
export function botsCommand(): Command {
  const bots = new Command('bots').description('List, start, stop and halt bots.');
  bots.addCommand(
    withHostOptions(new Command('list'))
      .description('List bots.')
      .action(async (flags: HostFlags) => {
        for (const bot of (await askHost(flags, botCalls.list)).bots) console.log(line(bot));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('start'))
      .description('Start a bot. A live bot trades with real money: --live says that you know.')
      .argument('<name>')
      .option('--live', 'the bot may trade with real money', false)
      .option('--yes', 'do not ask for its name once more', false)
      .action(async (name: string, flags: HostFlags & { live: boolean; yes: boolean }) => {
        const bot = await named(flags, name);
        const body = bot.mode === 'live' ? { confirm: await confirmed(bot, flags) } : {};
        console.log(line(await askHost(flags, botCalls.start, { params: { id: bot.id }, body })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('stop'))
      .description('Stop a bot: open orders are cancelled, positions stay.')
      .argument('<name>')
      .action(async (name: string, flags: HostFlags) => {
        const { id } = await named(flags, name);
        console.log(line(await askHost(flags, botCalls.stop, { params: { id } })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('halt'))
      .description('Kill switch: cancel everything of a bot, of one pair of it, or of all live bots, and pause.')
      .argument('[name]', 'all live bots when left out')
      .option('--pair <pair>', 'only this pair')
      .option('--close', 'sell what is held', false)
      .action(async (name: string | undefined, flags: HostFlags & { pair?: string; close: boolean }) => {
        const { pair, close } = flags;
        const body = pair === undefined ? { close } : { pair, close };
        const answers =
          name === undefined
            ? (await askHost(flags, botCalls.haltAll, { body: { close } })).bots
            : [await askHost(flags, botCalls.halt, { params: { id: (await named(flags, name)).id }, body })];
        for (const { bot, confirmed: done } of answers) {
          console.log(`${line(bot)}  ${done ? 'confirmed by the exchange' : 'NOT CONFIRMED YET'}`);
        }
        if (answers.some((answer) => !answer.confirmed)) process.exitCode = 1;
      }),
  );
  return bots;
}

async function confirmed({ name }: BotSummary, { live, yes }: { live: boolean; yes: boolean }): Promise<string> {
  if (!live) throw new Error(`"${name}" trades with real money: add --live to start it`);
  if (yes) return name;
  if (!process.stdin.isTTY) throw new Error('nobody is there to confirm: add --yes');
  return askLine(`"${name}" trades with real money. Type its name to start it: `);
}

async function named(flags: HostFlags, name: string): Promise<BotSummary> {
  const { bots } = await askHost(flags, botCalls.list);
  const found = bots.find((bot) => bot.name === name || bot.id === name);
  if (!found) throw new Error(`there is no bot "${name}"; "npx heron bots list" shows those that there are`);
  return found;
}

function line({ id, name, mode, exchange, status, pairs, performance, problem }: BotSummary): string {
  const trouble = problem === null ? '' : `  ${problem.en}`;
  const money = `${performance.totalCapital} ${performance.currency}`;
  return `${id}  ${name}  ${mode}  ${exchange}  ${status}  ${pairs.length} pairs  ${money}${trouble}`;
}
