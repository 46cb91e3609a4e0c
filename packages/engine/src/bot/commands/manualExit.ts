import { pauseGate, suspensionGate } from '../../entry/gates.ts';
import { beginExit } from '../../exits/exit.ts';
import type { Market } from '../../market/market.ts';
import { formatUnits, mulDiv, percentRatio, SCALE } from '../../money/units.ts';
import type { Bot } from '../../state/bot.ts';
import type { Command } from '../../state/botEvents.ts';
import type { PairState, Position } from '../../state/botState.ts';
import { isTrading } from '../../state/botStatus.ts';
import { dropReversal } from '../../state/exitSignal.ts';
import { knownPrice } from '../../state/knownPrice.ts';
import type { Refused } from '../../state/refusal.ts';
import { refuseManual } from '../../state/refuse.ts';
import type { Turn } from '../../state/turn.ts';
import type { CommandResult } from '../commandResult.ts';

/** Sells (of a short: buys back) a share of a position as its owner asks. @see docs/orders.md#orders-by-hand */
export function manualExit(turn: Turn, command: Extract<Command, { type: 'sell' }>): CommandResult {
  const { bot, pair, at } = turn;
  const { percent, order, slippage } = command;
  const blocked = manualExitGate(bot, pair);
  if (blocked !== null) {
    refuseManual(bot, pair, at, blocked);
    return { ok: false, ...blocked };
  }
  const wanted = mulDiv(pair.holding.quantity, percentRatio(percent), SCALE, 'down');
  const price = knownPrice(pair, (pair.position as Position).direction);
  pair.exitSignal = dropReversal(pair.exitSignal);
  const intentId = beginExit(turn, { reason: 'manual', wanted, price, urgency: order, slippage });
  if (intentId !== null) return { ok: true, intentId: `${intentId}` };
  const refused: Refused = {
    gate: 'below_minimum',
    inputs: { quantity: formatUnits(wanted, (pair.market as Market).assetDecimals) },
  };
  refuseManual(bot, pair, at, refused);
  return { ok: false, ...refused };
}

/** Returns why a manual exit is impossible now; null when it is possible. */
function manualExitGate(bot: Bot, pair: PairState): Refused | null {
  if (!isTrading(bot) || pair.quote === null || pair.position === null)
    return { gate: 'not_ready', inputs: { status: bot.state.status } };
  // The exchange would reject it, and an exit minutes later is not what its owner asked for.
  return bot.state.entriesBlockedBy === 'key_refused'
    ? { gate: 'key_refused', inputs: {} }
    : (pauseGate(bot) ?? suspensionGate(pair));
}
