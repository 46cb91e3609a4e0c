import { closePosition } from '../../exits/closing.ts';
import { cancelPlanOrders, closePlan } from '../../orders/closePlan.ts';
import { endParentOrder } from '../../orders/finishParentOrder.ts';
import { ALL } from '../../orders/planFills.ts';
import { cancelStop } from '../../orders/stop.ts';
import { beginBenchmark } from '../../state/benchmark.ts';
import type { BotState } from '../../state/botState.ts';
import { isTrading } from '../../state/botStatus.ts';
import { type BotTurn, type Turn, turnOf } from '../../state/turn.ts';
import { becomeReady, drain, setStatus } from '../lifecycle.ts';

/** Starts a bot. One that ran before continues with its account and its benchmark. */
export function startBot({ bot, at }: BotTurn): void {
  const { state } = bot;
  if (state.status !== 'created' && state.status !== 'finished') return;
  bot.observer.command(at, null, 'start', {});
  if (state.startedAt === 0) beginBenchmark(state);
  for (const pair of state.pairs) {
    delete pair.closing;
    pair.planTriedAt = 0;
  }
  state.startedAt = at;
  state.endsAt = bot.rules.runMs > 0 ? at + bot.rules.runMs : 0;
  setStatus(bot, at, 'preparing');
  becomeReady(bot, at);
}

/** Stops a bot at once: open orders are cancelled, positions stay. @see docs/bot-lifecycle.md#stop-drain-and-run_for */
export function stopBot(botTurn: BotTurn): void {
  const { bot, at } = botTurn;
  const { state } = bot;
  if (state.status === 'created' || state.status === 'finished') return;
  bot.observer.command(at, null, 'stop', {});
  setStatus(bot, at, 'stopping');
  state.endsAt = 0;
  for (const pair of state.pairs) stopPair(turnOf(botTurn, pair));
}

function stopPair(turn: Turn): void {
  const { pair } = turn;
  delete pair.closing;
  pair.exitSignal = null;
  pair.scanDueAt = 0;
  if (pair.entry !== null) endParentOrder(turn, pair.entry, 'stopped');
  if (pair.exit !== null) endParentOrder(turn, pair.exit, 'stopped');
  cancelStop(turn, 'stopped');
  cancelPlanOrders(turn, 'stopped');
  // The orders of the plan are placed again when the bot is started again.
  if (pair.orderPlan !== null) pair.dirtyOrders = ALL;
}

/**
 * Drains a bot, as at the end of `run_for`. A bot that does not work yet starts to work first, so that its exits continue.
 *
 * @see docs/bot-lifecycle.md#stop-drain-and-run_for
 */
export function drainBot(turn: BotTurn): void {
  if (!runs(turn.bot.state)) return;
  turn.bot.observer.command(turn.at, null, 'drain', {});
  beginDrain(turn);
}

/**
 * Drains a bot and closes its positions at market, also those that appear while it drains. A bot that drains already then does this.
 *
 * @see docs/bot-lifecycle.md#stop-drain-and-run_for
 */
export function closeBot(botTurn: BotTurn): void {
  const { bot, at } = botTurn;
  const { state } = bot;
  if (!runs(state) && !isTrading(bot)) return;
  bot.observer.command(at, null, 'close', {});
  if (runs(state)) beginDrain(botTurn);
  for (const pair of state.pairs) {
    const turn = turnOf(botTurn, pair);
    pair.closing = true;
    closePlan(turn, 'run_end');
    if (isTrading(bot)) closePosition(turn);
  }
}

function runs({ status }: BotState): boolean {
  return status === 'preparing' || status === 'ready' || status === 'working';
}

function beginDrain(turn: BotTurn): void {
  const { state } = turn.bot;
  state.endsAt = turn.at;
  if (state.status === 'working') drain(turn);
}
