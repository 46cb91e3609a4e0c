import { manualEntry } from '../../entry/manualEntry.ts';
import { formatUnits } from '../../money/units.ts';
import type { Bot } from '../../state/bot.ts';
import type { Command, EntryPricing } from '../../state/botEvents.ts';
import { refuseManual } from '../../state/refuse.ts';
import { type BotTurn, type Turn, turnOf } from '../../state/turn.ts';
import type { CommandResult } from '../commandResult.ts';
import { setStatus } from '../lifecycle.ts';
import { cancelByCommand } from './cancelByCommand.ts';
import { changeOptions } from './changeOptions.ts';
import { haltPair } from './haltPair.ts';
import { manualExit } from './manualExit.ts';
import { exitPricesData, removePriceExit, setPriceExit } from './priceExits.ts';
import { resetAccount } from './resetAccount.ts';
import { closeBot, drainBot, startBot, stopBot } from './startStop.ts';

type PairCommand = Extract<Command, { pair: string }>;

const DONE: CommandResult = { ok: true, intentId: null };

/** Carries out a command of the user. */
export function onCommand(turn: BotTurn, command: Command): CommandResult {
  const { bot, at } = turn;
  switch (command.type) {
    case 'start':
      startBot(turn);
      return DONE;
    case 'stop':
      stopBot(turn);
      return DONE;
    case 'drain':
      drainBot(turn);
      return DONE;
    case 'close':
      closeBot(turn);
      return DONE;
    case 'cancel':
      return cancelByCommand(turn, command.clientOrderId);
    case 'change': {
      const changed = changeOptions(turn, command);
      if (!changed.ok) return { ok: false, gate: 'options_invalid', inputs: {}, faults: changed.faults };
      return { ok: true, intentId: null, changes: changed.changes };
    }
    case 'reset': {
      const refused = resetAccount(bot, at);
      return refused === null ? DONE : { ok: false, ...refused };
    }
    default: {
      recordCommand(bot, command, at);
      const pair = bot.state.pairs.find((candidate) => candidate.pair === command.pair);
      if (pair === undefined) return { ok: false, gate: 'not_ready', inputs: { flag: 'unknown' } };
      return onPairCommand(turnOf(turn, pair), command);
    }
  }
}

/** Records an order of the user, also one for a pair that the bot does not have. */
function recordCommand(bot: Bot, command: PairCommand, at: number): void {
  const source = 'source' in command && command.source !== undefined ? { source: command.source } : {};
  if (command.type === 'buy') {
    const amount = command.value === undefined ? { quantity: command.quantity } : { value: formatUnits(command.value) };
    const inputs = {
      ...amount,
      order: command.order,
      ...priceOf(command),
      ...exitPricesData(command.exits),
      ...source,
    };
    bot.observer.command(at, command.pair, command.short === true ? 'short' : 'buy', inputs);
  } else if (command.type === 'sell') {
    bot.observer.command(at, command.pair, 'sell', { percent: command.percent, order: command.order, ...source });
  } else if (command.type === 'set_exit') {
    bot.observer.command(at, command.pair, 'set_exit', { percent: command.percent, ...exitPricesData(command) });
  }
}

function priceOf(command: EntryPricing): { price?: string } {
  return 'price' in command ? { price: formatUnits(command.price) } : {};
}

function onPairCommand(turn: Turn, command: PairCommand): CommandResult {
  const { bot, pair, at } = turn;
  switch (command.type) {
    case 'buy': {
      const direction = command.short === true ? -1 : 1;
      const result = manualEntry(turn, { direction, amount: command, pricing: command, exits: command.exits });
      if (!result.ok) refuseManual(bot, pair, at, result);
      return result;
    }
    case 'sell':
      return manualExit(turn, command);
    case 'set_exit':
      return setPriceExit(turn, command);
    case 'remove_exit':
      return removePriceExit(turn, command.exit);
    case 'halt':
      bot.observer.command(at, pair.pair, 'halt', { close: command.close ? 1 : 0 });
      // The newer command decides whether the position is closed.
      if (!command.close) delete pair.closing;
      haltPair(turn, command.close);
      sellWhileStopped(bot, at);
      return DONE;
    case 'resume':
      if (pair.paused === null) return { ok: false, gate: 'not_ready', inputs: { flag: 'not_paused' } };
      bot.observer.command(at, pair.pair, 'resume', {});
      pair.paused = null;
      pair.planTriedAt = 0;
      if (bot.state.status === 'working') delete pair.closing;
      return DONE;
  }
}

/** Sets a bot that does not run to `stopping` while the kill switch sells a position of it: it decides nothing meanwhile. */
function sellWhileStopped(bot: Bot, at: number): void {
  const { state } = bot;
  if (state.status !== 'created' && state.status !== 'finished') return;
  if (state.pairs.every(({ exit }) => exit === null)) return;
  state.endsAt = 0;
  setStatus(bot, at, 'stopping');
}
