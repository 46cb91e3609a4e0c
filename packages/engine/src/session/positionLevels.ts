import { activationPrice, isActive } from '../exitRules/exitRule.ts';
import { guardLevel } from '../exits/guard.ts';
import { ceilTick, floorTick, type Market } from '../market/market.ts';
import { type Price, type Ratio, SCALE } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState, Position } from '../state/botState.ts';
import { isTrading } from '../state/botStatus.ts';

/**
 * Kind of a price level: liquidation guard, stop-loss level, take-profit level, activation of the trailing take-profit, level of
 * the activated trailing take-profit, level of the trailing stop-loss. Clients receive these names, so they never change.
 */
export const LEVEL_KINDS = ['guard', 'stop', 'win', 'arm', 'callback', 'trail'] as const;

/** A price at which something happens to a position by itself. */
export interface PositionLevel {
  readonly kind: (typeof LEVEL_KINDS)[number];
  /** First price of the grid at which it happens: the reference price reaches it, at `guard` the mark price. */
  readonly price: Price;
  /** Row of its table as the user wrote it; null for `guard`, `arm` and price exits. */
  readonly row: number | null;
  /** Number of the price exit that it belongs to. */
  readonly exit?: number;
  /** Share of the remaining position that it sells. */
  readonly sells: Ratio;
}

/**
 * Returns the price levels of the exits of a position that have not triggered; none while the bot does not trade. Those of the
 * trailing tables move with the peak, all of them with the entry price.
 *
 * @see docs/exits.md#stop-loss, docs/exits.md#liquidation-guard, docs/exits.md#take-profit, docs/exits.md#trailing-take-profit,
 * docs/exits.md#trailing-stop-loss
 */
export function positionLevels(bot: Bot, pair: PairState, position: Position, market: Market): PositionLevel[] {
  if (!isTrading(bot)) return [];
  const { rules } = bot;
  const { direction, fired } = position;
  const { holding } = pair;
  const onGrid = (price: Price, inFavour: boolean) =>
    (direction === 1) === inFavour ? ceilTick(market, price) : floorTick(market, price);
  const guard = rules.future ? guardLevel(bot, pair) : 0;
  const levels: PositionLevel[] = [
    { kind: 'guard', price: guard === 0 ? 0 : onGrid(guard, false), row: null, sells: SCALE },
  ];
  for (const { id, share, stopLoss, takeProfit } of position.priceExits ?? []) {
    levels.push({ kind: 'stop', price: stopLoss, row: null, exit: id, sells: share });
    levels.push({ kind: 'win', price: takeProfit, row: null, exit: id, sells: share });
  }
  for (const { rule, levels: all } of rules.exitTables) {
    const waiting = all.filter(({ bit }) => (fired[rule.table] & bit) === 0);
    const [first] = waiting;
    if (first === undefined) continue;
    // All levels of a table have the same activation.
    if (isActive(holding, position, first)) {
      for (const level of waiting) {
        const price = onGrid(rule.priceOf(holding, position, level), rule.inFavour);
        levels.push({ kind: rule.kind, price, row: level.index, sells: level.share });
      }
    } else {
      const price = onGrid(activationPrice(holding, direction, first.activation ?? 0), true);
      levels.push({ kind: 'arm', price, row: null, sells: 0 });
    }
  }
  return levels.filter(({ price }) => price > 0);
}
