import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import type { ParentOrder } from '../state/parentOrder.ts';

/** Returns the parent order of a client order id; null when it belongs to another bot or is finished. */
export function findParentOrder(bot: Bot, name: string): { pair: PairState; parent: ParentOrder } | null {
  const [botId, intentId] = name.split('-');
  if (botId !== bot.state.id) return null;
  const id = Number(intentId);
  for (const pair of bot.state.pairs) {
    for (const parent of [pair.entry, pair.exit, pair.stop]) if (parent?.id === id) return { pair, parent };
    const planOrder = pair.planOrders.find((candidate) => candidate.id === id);
    if (planOrder !== undefined) return { pair, parent: planOrder };
  }
  return null;
}

/** Returns the open order of a client order id; null when it has ended. */
export function findLiveOrder(bot: Bot, name: string) {
  const found = findParentOrder(bot, name);
  const order = found?.parent.order;
  return found && order?.n === Number(name.split('-')[2]) ? { ...found, order } : null;
}
