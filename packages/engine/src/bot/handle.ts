import type { Bot } from '../state/bot.ts';
import type { AccountEvent, Effect, MarketEvent, OrderEvent } from '../state/botEvents.ts';
import { type BotTurn, turnOf } from '../state/turn.ts';
import { onAdjustment } from './adjust.ts';
import type { CommandResult } from './commandResult.ts';
import { onCommand } from './commands/onCommand.ts';
import { onEntryBlock } from './entryBlock.ts';
import { onIncome } from './income.ts';
import { onLateFill } from './lateFill.ts';
import { finishIfDone } from './lifecycle.ts';
import { onCandle } from './onCandle.ts';
import { onFunding } from './onFunding.ts';
import { onHistory, onUnlisted } from './onHistory.ts';
import { onLiquidation } from './onLiquidation.ts';
import { onOrderEvent } from './onOrderEvent.ts';
import { onQuote } from './onQuote.ts';
import { onSuspension } from './onSuspension.ts';
import { onTimer } from './onTimer.ts';
import { onVolumeUpdate } from './onVolumeUpdate.ts';
import { onRequestPause } from './requestPause.ts';

/** An event that a bot reacts to. Public trades concern only the simulated exchange. */
export type BotEvent = Exclude<MarketEvent, { type: 'trade' }> | OrderEvent | AccountEvent;

type PairEvent = Extract<BotEvent, { pair: string }> | Extract<BotEvent, { type: 'history' }>;

/**
 * Handles one event of a bot, whatever exchange it has. Events of pairs that the bot does not have change nothing.
 *
 * @param effects receives the orders to place and to cancel, in order
 * @returns the result of a command, else null
 */
export function handle(bot: Bot, event: Extract<BotEvent, { type: 'command' }>, effects: Effect[]): CommandResult;
export function handle(bot: Bot, event: BotEvent, effects: Effect[]): CommandResult | null;
export function handle(bot: Bot, event: BotEvent, effects: Effect[]): CommandResult | null {
  const turn = { bot, at: event.at, effects };
  const result = act(turn, event);
  finishIfDone(bot, event.at);
  return result;
}

function act(turn: BotTurn, event: BotEvent): CommandResult | null {
  switch (event.type) {
    case 'timer':
      onTimer(turn);
      return null;
    case 'command':
      return onCommand(turn, event.command);
    case 'opened':
    case 'filled':
    case 'ended':
      onOrderEvent(turn, event);
      return null;
    case 'entry_block':
      onEntryBlock(turn, event.why ?? undefined);
      return null;
    case 'request_pause':
      onRequestPause(turn, event.ends);
      return null;
    default:
      onPairEvent(turn, event);
      return null;
  }
}

function onPairEvent(botTurn: BotTurn, event: PairEvent): void {
  const name = event.type === 'history' ? event.market.pair : event.pair;
  const pair = botTurn.bot.state.pairs.find((candidate) => candidate.pair === name);
  if (pair === undefined) return;
  const turn = turnOf(botTurn, pair);
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
      return;
    case 'adjust':
      onAdjustment(turn, event);
      return;
    case 'income':
      onIncome(turn, event.income, event.amount);
      return;
    case 'late_fill':
      onLateFill(turn, event);
      return;
    case 'liquidated':
      onLiquidation(turn, event);
  }
}
