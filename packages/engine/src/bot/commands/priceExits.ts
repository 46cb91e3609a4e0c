import { exitPricesGate } from '../../entry/manualPrice.ts';
import { isTooSmall } from '../../exits/exit.ts';
import { formatUnits, mulDivDown, percentRatio, SCALE } from '../../money/units.ts';
import type { Command } from '../../state/botEvents.ts';
import type { PairState } from '../../state/botState.ts';
import { isTrading } from '../../state/botStatus.ts';
import {
  addPriceExit,
  type ExitPrices,
  MAX_PRICE_EXITS,
  putPriceExits,
  removePriceExits,
} from '../../state/priceExit.ts';
import { referencePrice } from '../../state/quotePrices.ts';
import type { Refused } from '../../state/refusal.ts';
import { refuseManual } from '../../state/refuse.ts';
import type { Turn } from '../../state/turn.ts';
import type { CommandResult } from '../commandResult.ts';

/** Sets a price exit of the position of a pair, or replaces one. @see docs/exits.md#price-exits */
export function setPriceExit(turn: Turn, command: Extract<Command, { type: 'set_exit' }>): CommandResult {
  const { bot, pair, at } = turn;
  const { percent, stopLoss, takeProfit, replaces } = command;
  const refused = setGate(turn, command);
  if (refused !== null || pair.position === null) {
    const reason = refused ?? notReady(turn);
    refuseManual(bot, pair, at, reason);
    return { ok: false, ...reason };
  }
  const exit = { share: percentRatio(percent), stopLoss, takeProfit };
  if (replaces === undefined) addPriceExit(pair.position, exit);
  else putPriceExits(pair.position, [{ ...exit, id: replaces }]);
  return { ok: true, intentId: null };
}

/** Removes a price exit that has not triggered. */
export function removePriceExit(turn: Turn, id: number): CommandResult {
  const { bot, pair, at } = turn;
  const exit = exitOf(pair, id);
  if (pair.position === null || exit === undefined) return { ok: false, ...notReady(turn) };
  const { position } = pair;
  bot.observer.command(at, pair.pair, 'remove_exit', exitPricesData(exit));
  removePriceExits(position, [exit]);
  return { ok: true, intentId: null };
}

/** Returns prices of a price exit as the journal shows them. */
export function exitPricesData(exits: ExitPrices | undefined): { stopLoss?: string; takeProfit?: string } {
  if (exits === undefined) return {};
  const { stopLoss, takeProfit } = exits;
  return {
    ...(stopLoss > 0 && { stopLoss: formatUnits(stopLoss) }),
    ...(takeProfit > 0 && { takeProfit: formatUnits(takeProfit) }),
  };
}

function setGate(turn: Turn, { replaces, percent, ...prices }: Extract<Command, { type: 'set_exit' }>): Refused | null {
  const { bot, pair } = turn;
  const { position, quote, orderPlan } = pair;
  if (!isTrading(bot) || position === null || quote === null) return notReady(turn);
  // A grid or DCA deal has exits of its own.
  if (orderPlan !== null) return { gate: 'already_open', inputs: { kind: orderPlan.kind } };
  if (replaces !== undefined && exitOf(pair, replaces) === undefined) return { gate: 'exit_gone', inputs: {} };
  if (replaces === undefined && (position.priceExits ?? []).length >= MAX_PRICE_EXITS) {
    return { gate: 'too_many_exits', inputs: { limit: MAX_PRICE_EXITS } };
  }
  const price = referencePrice(quote, position.direction);
  const wanted = mulDivDown(pair.holding.quantity, percentRatio(percent), SCALE);
  if (isTooSmall(bot, pair, wanted, price)) {
    const quantity = formatUnits(wanted, pair.market?.assetDecimals);
    return { gate: 'below_minimum', inputs: { quantity } };
  }
  return exitPricesGate(prices, position.direction, price);
}

function exitOf({ position }: PairState, id: number) {
  return position?.priceExits?.find((exit) => exit.id === id);
}

function notReady({ bot }: Turn): Refused {
  return { gate: 'not_ready', inputs: { status: bot.state.status } };
}
