import { findParentOrder } from '../../orders/findParentOrder.ts';
import { endParentOrder } from '../../orders/finishParentOrder.ts';
import type { Bot } from '../../state/bot.ts';
import type { Effect } from '../../state/botEvents.ts';
import { cancelExit } from '../../state/exitSignal.ts';
import { isCancellable } from '../../state/parentOrder.ts';
import { createTurn } from '../../state/turn.ts';
import type { CommandResult } from '../commandResult.ts';

/** Cancels a parent order, named by any of its child orders. */
export function cancelByCommand(bot: Bot, clientOrderId: string, at: number, effects: Effect[]): CommandResult {
  const found = findParentOrder(bot, clientOrderId);
  if (found === null || !isCancellable(found.parent)) {
    return { ok: false, gate: 'not_ready', inputs: { order: clientOrderId } };
  }
  const { pair, parent } = found;
  bot.observer.command(at, pair.pair, 'cancel', { order: clientOrderId });
  if (parent.kind === 'exit') pair.exitSignal = cancelExit(pair.exitSignal);
  endParentOrder(createTurn(bot, pair, at, effects), parent, 'cancelled');
  return { ok: true, intentId: `${parent.id}` };
}
