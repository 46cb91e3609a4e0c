import { cancelPlanOrders } from '../orders/closePlan.ts';
import { endParentOrder } from '../orders/finishParentOrder.ts';
import type { Bot } from '../state/bot.ts';
import type { BotStatus } from '../state/botState.ts';
import { type BotTurn, turnOf } from '../state/turn.ts';

/** A draining bot does not wait longer for its last payments, such as with a key that the exchange refuses. */
const SETTLED_WITHIN_MS = 600_000;

/** Changes the status of a bot. */
export function setStatus(bot: Bot, at: number, to: BotStatus): void {
  const from = bot.state.status;
  if (from === to) return;
  bot.state.status = to;
  bot.observer.status(at, from, to);
}

/** Sets a bot `ready` once every pair has its history or is known to have none. */
export function becomeReady(bot: Bot, at: number): void {
  if (bot.state.pairs.every(({ flag }) => flag !== 'loading')) setStatus(bot, at, 'ready');
}

/** Sets a bot to work. One whose time ended while it was away is drained at once. */
export function beginWork(turn: BotTurn): void {
  const { bot, at } = turn;
  setStatus(bot, at, 'working');
  const { endsAt } = bot.state;
  if (endsAt > 0 && at >= endsAt) drain(turn);
}

/** Stops all entries; exits go on until the bot is flat. @see docs/bot-lifecycle.md#stop-drain-and-run_for */
export function drain(botTurn: BotTurn): void {
  const { bot, at } = botTurn;
  setStatus(bot, at, 'stopping');
  for (const pair of bot.state.pairs) {
    const turn = turnOf(botTurn, pair);
    if (pair.entry !== null) endParentOrder(turn, pair.entry, 'stopped');
    cancelPlanOrders(turn, 'stopped', true);
  }
}

/** Finishes a stopping bot once it has no orders and, while it drains, no position and no payment that is still to come. */
export function finishIfDone(bot: Bot, at: number): void {
  const { state } = bot;
  if (state.status !== 'stopping' || bot.defersFinish) return;
  const draining = state.endsAt > 0;
  if (draining && at < (state.unsettledSince ?? Number.NEGATIVE_INFINITY) + SETTLED_WITHIN_MS) return;
  const busy = state.pairs.some(
    ({ entry, exit, stop, planOrders, position }) =>
      entry !== null || exit !== null || stop !== null || planOrders.length > 0 || (draining && position !== null),
  );
  if (!busy) setStatus(bot, at, 'finished');
}
