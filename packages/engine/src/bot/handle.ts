import type { Bot } from '../state/bot.ts';
import type { Effect, MarketEvent, OrderEvent } from '../state/botEvents.ts';
import { createTurn } from '../state/turn.ts';
import type { CommandResult } from './commandResult.ts';
import { onCommand } from './commands/onCommand.ts';
import { finishIfDone } from './lifecycle.ts';
import { onCandle } from './onCandle.ts';
import { onFunding } from './onFunding.ts';
import { onHistory, onUnlisted } from './onHistory.ts';
import { onOrderEvent } from './onOrderEvent.ts';
import { onQuote } from './onQuote.ts';
import { onSuspension } from './onSuspension.ts';
import { onTimer } from './onTimer.ts';
import { onVolumeUpdate } from './onVolumeUpdate.ts';

/** An event that a bot reacts to. Public trades concern only the simulated exchange. */
export type BotEvent = Exclude<MarketEvent, { type: 'trade' }> | OrderEvent;

type PairEvent = Exclude<BotEvent, { type: 'timer' | 'command' } | OrderEvent>;

/**
 * Handles one event of a bot, whatever exchange it has. Events of pairs that the bot does not have change nothing.
 *
 * @param effects receives the orders to place and to cancel, in order
 * @returns the result of a command, else null
 */
export function handle(bot: Bot, event: BotEvent, effects: Effect[]): CommandResult | null {
  switch (event.type) {
    case 'timer':
      onTimer(bot, event.at, effects);
      return null;
    case 'command':
      return onCommand(bot, event.command, event.at, effects);
    case 'opened':
    case 'filled':
    case 'ended':
      onOrderEvent(bot, event, effects);
      return null;
    default:
      onPairEvent(bot, event, effects);
      finishIfDone(bot, event.at);
      return null;
  }
}

function onPairEvent(bot: Bot, event: PairEvent, effects: Effect[]): void {
  const name = event.type === 'history' ? event.market.pair : event.pair;
  const pair = bot.state.pairs.find((candidate) => candidate.pair === name);
  if (pair === undefined) return;
  const turn = createTurn(bot, pair, event.at, effects);
  switch (event.type) {
    case 'history':
      onHistory(turn, event.market, event.candles);
      return;
    case 'unlisted':
      onUnlisted(turn);
      return;
    case 'candle':
      onCandle(turn, event.candle);
      return;
    case 'quote':
      onQuote(turn, event);
      return;
    case 'ticker':
      onVolumeUpdate(turn, event.volume24h);
      onSuspension(turn, event.suspended);
      return;
    case 'funding':
      onFunding(turn, event);
  }
}
