import process from 'node:process';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotSummary, PairView } from '@heron/contract/bots/entities.ts';
import type { StopGap } from '@heron/engine/state/protectiveStopState.ts';
import { Command, Option } from 'commander';
import { askHost } from '../host/ask.ts';
import { type HostFlags, withHostOptions } from '../host/options.ts';
import { askLine } from '../host/prompt.ts';

/** `heron bots`: bots of the Heron that runs on this machine. */
export function botsCommand(): Command {
  const bots = new Command('bots').description('List, start, stop and halt bots.');
  bots.addCommand(
    withHostOptions(new Command('stops'))
      .description('What protects the positions of live bots at the exchange while Heron is down.')
      .action(async (flags: HostFlags) => {
        for (const bot of (await askHost(flags, botCalls.list)).bots) {
          if (bot.mode !== 'live') continue;
          const { pairViews } = await askHost(flags, botCalls.get, { params: { id: bot.id } });
          for (const view of pairViews) if (view.position !== null) console.log(`${bot.name}  ${stopLine(view)}`);
        }
      }),
  );
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
        const { warnings } = await askHost(flags, botCalls.get, { params: { id: bot.id } });
        for (const { option, message } of warnings) console.error(`Warning: ${message.en} (${option})`);
        const body = bot.mode === 'live' ? { confirm: await confirmed(bot, flags) } : {};
        console.log(line(await askHost(flags, botCalls.start, { params: { id: bot.id }, body })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('stop'))
      .description('Stop a bot: all its orders are cancelled, also the stops at the exchange; positions stay.')
      .argument('<name>')
      .action(async (name: string, flags: HostFlags) => {
        const { id } = await named(flags, name);
        console.log(line(await askHost(flags, botCalls.stop, { params: { id } })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('drain'))
      .description('Stop a bot once its positions are closed: it opens none, and its exits stay active.')
      .argument('<name>')
      .action(async (name: string, flags: HostFlags) => {
        const { id } = await named(flags, name);
        console.log(line(await askHost(flags, botCalls.drain, { params: { id } })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('reset'))
      .description('Reset the account of a paper bot without a position. Its trades and journal stay.')
      .argument('<name>')
      .action(async (name: string, flags: HostFlags) => {
        const { id } = await named(flags, name);
        console.log(line(await askHost(flags, botCalls.resetPaper, { params: { id }, body: { confirm: name } })));
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
  bots.addCommand(
    withHostOptions(new Command('delete'))
      .description(
        'Delete a stopped bot with its history. Refused while orders of a live bot may rest at the exchange.',
      )
      .argument('<name>')
      .option('--yes', 'do not ask for its name', false)
      .addOption(
        new Option('--cancel-orders', 'cancel what rests of it at the exchange first, stops too').conflicts(
          'leaveOrders',
        ),
      )
      .option('--leave-orders', 'orders may remain at the exchange: for a key that is dead or gone')
      .action(async (name: string, flags: HostFlags & { yes: boolean; cancelOrders?: true; leaveOrders?: true }) => {
        const bot = await named(flags, name);
        if (
          !flags.yes &&
          (await askedForName(bot, 'is deleted with its trades and its journal', 'delete')) !== bot.name
        ) {
          throw new Error('another name was typed: nothing was deleted');
        }
        const orders = flags.cancelOrders ? 'cancel' : flags.leaveOrders ? 'leave' : null;
        await askHost(flags, botCalls.remove, {
          params: { id: bot.id },
          ...(orders === null ? {} : { query: { orders } }),
        });
        console.log(`${bot.name} is deleted.`);
      }),
  );
  return bots;
}

async function confirmed(bot: BotSummary, { live, yes }: { live: boolean; yes: boolean }): Promise<string> {
  if (!live) throw new Error(`"${bot.name}" trades with real money: add --live to start it`);
  return yes ? bot.name : askedForName(bot, 'trades with real money', 'start');
}

async function askedForName({ name }: BotSummary, what: string, act: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('nobody is there to confirm: add --yes');
  return askLine(`"${name}" ${what}. Type its name to ${act} it: `);
}

async function named(flags: HostFlags, name: string): Promise<BotSummary> {
  const { bots } = await askHost(flags, botCalls.list);
  const found = bots.find((bot) => bot.name === name || bot.id === name);
  if (!found) throw new Error(`there is no bot "${name}"; "npx heron bots list" shows those that there are`);
  return found;
}

function line({ id, name, mode, venue, status, pairs, performance, problem }: BotSummary): string {
  const trouble = problem === null ? '' : `  ${problem.en}`;
  const money = `${performance.totalCapital} ${performance.currency}`;
  return `${id}  ${name}  ${mode}  ${venue}  ${status}  ${pairs.length} pairs  ${money}${trouble}`;
}

function stopLine({ pair, position }: PairView): string {
  const stop = position?.stop;
  const held = `${pair}  ${position?.direction} ${position?.quantity}`;
  if (!stop) return held;
  if (stop.gap !== null) return `${held}  no stop: ${STOP_GAPS[stop.gap]}`;
  const part = stop.of === null ? '' : `  PROTECTED IN PART: ${stop.quantity} of ${stop.of}`;
  return `${held}  stop at ${stop.price} for ${stop.quantity}${stop.resting ? '' : ' (on its way)'}${part}`;
}

const STOP_GAPS: Readonly<Record<StopGap, string>> = {
  venue: 'the exchange has no stop orders',
  no_row: 'the stop-loss is disabled (stop_sell)',
  row_fired: 'the stop-loss has already sold its part',
  below_minimum: 'the position is smaller than the least order',
  ladder_sells: 'the sell orders of the grid hold the coins',
  exit_at_work: 'the position is being sold',
  entry_at_work: 'in a moment, once the entry has filled on',
  suspended: 'the exchange accepts no new orders for this pair',
  exchange_paused: 'the exchange wants no requests for a while; the stop is placed then',
  price_beyond: 'the price has passed it, and the bot sells by itself',
  refused: 'the exchange has refused it; it is tried again',
  cancelled: 'it was cancelled outside the bot; another is placed in a minute',
  not_running: 'the bot is not running',
};
