import { guardLevel } from '../exits/guard.ts';
import { isArmed, stopLevel, takeProfitPrice, trailingActivationPrice, trailingStopPrice } from '../exits/levels.ts';
import { ceilTick, floorTick, type Market } from '../market/market.ts';
import { type Price, type Ratio, SCALE } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { ExitRule } from '../state/botRules.ts';
import type { PairState, Position } from '../state/botState.ts';
import { isTrading } from '../state/botStatus.ts';

/**
 * Kind of a price level: liquidation guard, stop-loss level, take-profit level, activation of the trailing take-profit, level of
 * the activated trailing take-profit.
 */
export const LEVEL_KINDS = ['guard', 'stop', 'win', 'arm', 'callback'] as const;

/** A price at which something happens to a position by itself. */
export interface PositionLevel {
  readonly kind: (typeof LEVEL_KINDS)[number];
  /** First price of the grid at which it happens: the reference price reaches it, at `guard` the mark price. */
  readonly price: Price;
  /** Row of its table as the user wrote it; null for `guard` and `arm`. */
  readonly row: number | null;
  /** Share of the remaining position that it sells. */
  readonly sells: Ratio;
}

/**
 * Returns the price levels of the exits of a position that have not triggered; none while the bot does not trade. Those of the
 * trailing take-profit move with the peak, all of them with the entry price.
 *
 * @see docs/exits.md#stop-loss, docs/exits.md#liquidation-guard, docs/exits.md#take-profit, docs/exits.md#trailing-take-profit
 */
export function positionLevels(bot: Bot, pair: PairState, position: Position, market: Market): PositionLevel[] {
  if (!isTrading(bot)) return [];
  const { rules } = bot;
  const { direction, fired, peak } = position;
  const { entryPrice, leverage } = pair.holding;
  const against = (price: Price) => (direction === 1 ? floorTick(market, price) : ceilTick(market, price));
  const forUs = (price: Price) => (direction === 1 ? ceilTick(market, price) : floorTick(market, price));
  const waiting = (table: keyof Position['fired']) => rules[table].filter(({ bit }) => (fired[table] & bit) === 0);
  const ofRow = (kind: PositionLevel['kind'], price: Price, { index, stop }: ExitRule): PositionLevel => ({
    kind,
    price,
    row: index,
    sells: stop,
  });

  const guard = rules.future ? guardLevel(bot, pair) : 0;
  const arm = trailingActivationPrice(entryPrice, direction, leverage, rules.callbackStart);
  const armed = isArmed(direction, peak, arm);
  const backs = waiting('callback');
  const levels: PositionLevel[] = [
    { kind: 'guard', price: guard === 0 ? 0 : against(guard), row: null, sells: SCALE },
    ...waiting('stopSell').map((row) => ofRow('stop', against(stopLevel(entryPrice, direction, row)), row)),
    ...waiting('profitWin').map((row) =>
      ofRow('win', forUs(takeProfitPrice(entryPrice, direction, leverage, row)), row),
    ),
    ...(armed
      ? backs.map((row) => ofRow('callback', against(trailingStopPrice(entryPrice, direction, peak, row)), row))
      : backs.length > 0
        ? [{ kind: 'arm', price: forUs(arm), row: null, sells: 0 } as const]
        : []),
  ];
  return levels.filter(({ price }) => price > 0);
}
