import { findParentOrder } from '../../orders/findParentOrder.ts';
import { endParentOrder } from '../../orders/finishParentOrder.ts';
import { cancelExit } from '../../state/exitSignal.ts';
import { isCancellable } from '../../state/parentOrder.ts';
import { type BotTurn, turnOf } from '../../state/turn.ts';
import type { CommandResult } from '../commandResult.ts';

/** Cancels a parent order, named by any of its child orders. */
export function cancelByCommand(botTurn: BotTurn, clientOrderId: string): CommandResult {
  const { bot, at } = botTurn;
  const found = findParentOrder(bot, clientOrderId);
  if (found === null || !isCancellable(found.parent)) {
    return { ok: false, gate: 'not_ready', inputs: { order: clientOrderId } };
  }
  const { pair, parent } = found;
  bot.observer.command(at, pair.pair, 'cancel', { order: clientOrderId });
  if (parent.kind === 'exit') pair.exitSignal = cancelExit(pair.exitSignal);
  endParentOrder(turnOf(botTurn, pair), parent, 'cancelled');
  return { ok: true, intentId: `${parent.id}` };
}
