import process from 'node:process';
import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotSummary, PairView } from '@heron/contract/bots/entities.ts';
import { STOP_GAP_TEXTS } from '@heron/contract/locales/stopGapTexts.ts';
import { Command, Option } from 'commander';
import { callHost } from '../host/callHost.ts';
import { type HostFlags, withHostOptions } from '../host/options.ts';
import { promptLine } from '../host/prompt.ts';

/** `heron bots`: the bots of the running Heron. */
export function botsCommand(): Command {
  const bots = new Command('bots').description('List, start, stop and halt bots.');
  bots.addCommand(
    withHostOptions(new Command('stops'))
      .description('Show the stop orders that protect the positions of live bots while Heron is down.')
      .action(async (flags: HostFlags) => {
        for (const bot of (await callHost(flags, botCalls.list)).bots) {
          if (bot.mode !== 'live') continue;
          const { pairViews } = await callHost(flags, botCalls.get, { params: { id: bot.id } });
          for (const view of pairViews) if (view.position !== null) console.log(`${bot.name}  ${stopLine(view)}`);
        }
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('list'))
      .description('List bots.')
      .action(async (flags: HostFlags) => {
        for (const bot of (await callHost(flags, botCalls.list)).bots) console.log(line(bot));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('start'))
      .description('Start a bot. A live bot trades with real money and needs --live.')
      .argument('<name>')
      .option('--live', 'allow the bot to trade with real money', false)
      .option('--yes', 'skip the confirmation by name', false)
      .action(async (name: string, flags: HostFlags & { live: boolean; yes: boolean }) => {
        const bot = await named(flags, name);
        const { warnings } = await callHost(flags, botCalls.get, { params: { id: bot.id } });
        for (const { option, message } of warnings) console.error(`Warning: ${message.en} (${option})`);
        const body = bot.mode === 'live' ? { confirm: await confirmed(bot, flags) } : {};
        console.log(line(await callHost(flags, botCalls.start, { params: { id: bot.id }, body })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('stop'))
      .description('Stop a bot: cancels all its orders, including stop orders at the exchange. Positions stay open.')
      .argument('<name>')
      .action(async (name: string, flags: HostFlags) => {
        const { id } = await named(flags, name);
        console.log(line(await callHost(flags, botCalls.stop, { params: { id } })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('drain'))
      .description('Stop a bot once its positions are closed. Until then it opens none, and its exits stay active.')
      .argument('<name>')
      .action(async (name: string, flags: HostFlags) => {
        const { id } = await named(flags, name);
        console.log(line(await callHost(flags, botCalls.drain, { params: { id } })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('close'))
      .description('Close the positions of a bot at the market price and stop it.')
      .argument('<name>')
      .action(async (name: string, flags: HostFlags) => {
        const { id } = await named(flags, name);
        console.log(line(await callHost(flags, botCalls.close, { params: { id } })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('reset'))
      .description('Reset the account of a paper bot without open positions. Its trades and journal are kept.')
      .argument('<name>')
      .action(async (name: string, flags: HostFlags) => {
        const bot = await named(flags, name);
        const body = { confirm: bot.name };
        console.log(line(await callHost(flags, botCalls.resetPaper, { params: { id: bot.id }, body })));
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('halt'))
      .description('Kill switch: cancel all orders and pause trading, for one bot, one of its pairs, or all live bots.')
      .argument('[name]', 'all live bots if omitted')
      .option('--pair <pair>', 'only this pair')
      .option('--close', 'also close the positions', false)
      .action(async (name: string | undefined, flags: HostFlags & { pair?: string; close: boolean }) => {
        const { pair, close } = flags;
        const body = pair === undefined ? { close } : { pair, close };
        const answers =
          name === undefined
            ? (await callHost(flags, botCalls.haltAll, { body: { close } })).bots
            : [await callHost(flags, botCalls.halt, { params: { id: (await named(flags, name)).id }, body })];
        for (const { bot, confirmed: done } of answers) {
          console.log(`${line(bot)}  ${done ? 'confirmed by the exchange' : 'NOT CONFIRMED YET'}`);
        }
        if (answers.some((answer) => !answer.confirmed)) process.exitCode = 1;
      }),
  );
  bots.addCommand(
    withHostOptions(new Command('delete'))
      .description(
        'Delete a stopped bot and its history. Rejected while a live bot may have open orders at the exchange.',
      )
      .argument('<name>')
      .option('--yes', 'skip the confirmation by name', false)
      .addOption(
        new Option('--cancel-orders', 'first cancel its open orders at the exchange, including stop orders').conflicts(
          'leaveOrders',
        ),
      )
      .option('--leave-orders', 'leave its open orders at the exchange, if its key no longer works')
      .action(async (name: string, flags: HostFlags & { yes: boolean; cancelOrders?: true; leaveOrders?: true }) => {
        const bot = await named(flags, name);
        if (
          !flags.yes &&
          (await promptForName(bot, 'will be deleted with its trades and its journal', 'delete')) !== bot.name
        ) {
          throw new Error('the name does not match, so nothing was deleted: run the command again');
        }
        const orders = flags.cancelOrders ? 'cancel' : flags.leaveOrders ? 'leave' : null;
        await callHost(flags, botCalls.remove, {
          params: { id: bot.id },
          ...(orders === null ? {} : { query: { orders } }),
        });
        console.log(`Deleted ${bot.name}.`);
      }),
  );
  return bots;
}

async function confirmed(bot: BotSummary, { live, yes }: { live: boolean; yes: boolean }): Promise<string> {
  if (!live) throw new Error(`"${bot.name}" trades with real money: add --live to start it`);
  return yes ? bot.name : promptForName(bot, 'trades with real money', 'start');
}

async function promptForName({ name }: BotSummary, what: string, act: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('cannot ask for confirmation without a terminal: add --yes');
  return promptLine(`"${name}" ${what}. Type its name to ${act} it: `);
}

async function named(flags: HostFlags, name: string): Promise<BotSummary> {
  const { bots } = await callHost(flags, botCalls.list);
  const found = bots.find((bot) => bot.name === name || bot.id === name);
  if (!found) throw new Error(`there is no bot "${name}"; list them with "npx heron bots list"`);
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
  if (stop.gap !== null) return `${held}  no stop: ${STOP_GAP_TEXTS[stop.gap].en}`;
  const part = stop.of === null ? '' : `  PARTLY PROTECTED: ${stop.quantity} of ${stop.of}`;
  return `${held}  stop at ${stop.price} for ${stop.quantity}${stop.resting ? '' : ' (being placed)'}${part}`;
}
