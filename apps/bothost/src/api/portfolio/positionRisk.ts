import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import type { PositionRisk } from '@heron/contract/bots/portfolio.ts';
import { decimalText, decimalUnits, UNIT_DECIMALS } from '@heron/engine/money/decimalText.ts';
import { exchangeOfVenue } from '@heron/engine/options/venues.ts';

type PositionView = NonNullable<PairView['position']>;

/** Levels at which a position is closed because the price went against it. Those of a take-profit and an activation do not. */
const STOP_KINDS: readonly PositionView['levels'][number]['kind'][] = ['guard', 'stop', 'callback', 'trail'];

const UNIT = 10n ** BigInt(UNIT_DECIMALS);
const PERCENT = 100;
const text = (units: bigint) => decimalText(units, UNIT_DECIMALS);

/** A stop of a position. Amounts are whole numbers of 1e-8. */
interface Stop {
  readonly price: bigint;
  /** Quantity that it closes of what is left. */
  closes(left: bigint): bigint;
}

/**
 * Returns the value of a position at its mark, in whole numbers of 1e-8.
 *
 * @see docs/accounting.md#unrealised-pnl-and-equity
 */
export function markValue({ cost, unrealised, direction }: PositionView): bigint {
  return decimalUnits(cost) + (direction === 'long' ? decimalUnits(unrealised) : -decimalUnits(unrealised));
}

/**
 * Returns the risk of an open position: what its stops would lose, which part has no stop, and how far the liquidation is.
 * A stop that is reached only after the liquidation price does not count.
 *
 * @param pair a pair with a position
 * @see docs/accounting.md#risk
 */
export function positionRisk(bot: BotDetail, pair: PairView, position: PositionView): PositionRisk {
  const sign = position.direction === 'long' ? 1n : -1n;
  const quantity = decimalUnits(position.quantity);
  const value = markValue(position);
  const liquidation = position.liquidationPrice === null ? null : decimalUnits(position.liquidationPrice);
  // A long falls towards its stops, so that the highest is reached first; a short rises towards them.
  const stops = stopsOf(position)
    .filter(({ price }) => liquidation === null || sign * price > sign * liquidation)
    .sort((a, b) => Number(sign * (b.price - a.price)));
  let left = quantity;
  let loss = 0n;
  for (const { price, closes } of stops) {
    const part = closes(left);
    const fall = sign * (share(value, part, quantity) - (price * part) / UNIT);
    if (fall > 0n) loss += fall;
    left -= part;
  }
  const mark = quantity === 0n ? 0n : (value * UNIT) / quantity;
  return {
    ...{ bot: bot.id, name: bot.name, venue: bot.venue, pair: pair.pair },
    ...{ direction: position.direction, leverage: position.leverage, quantity: position.quantity },
    ...{ value: text(value), mark: text(mark), quotedAt: pair.quotedAt, unrealised: position.unrealised },
    stopPrice: stops[0] === undefined ? null : text(stops[0].price),
    lossAtStop: text(loss),
    withoutStop: text(share(value, left, quantity)),
    liquidationPrice: position.liquidationPrice,
    liquidationPercent:
      liquidation === null || mark === 0n
        ? null
        : Math.max(0, (PERCENT * Number(sign * (mark - liquidation))) / Number(mark)),
  };
}

/** Returns the stops that the bot checks, and the stop order at the exchange, which works without the bot. */
function stopsOf({ levels, stop }: PositionView): Stop[] {
  const checked = levels
    .filter(({ kind }) => STOP_KINDS.includes(kind))
    .map(({ price, sells }) => ({
      price: decimalUnits(price),
      closes: (left: bigint) => (sells >= PERCENT ? left : share(left, BigInt(Math.round(sells * 1e6)), 100_000_000n)),
    }));
  if (!stop?.resting || stop.price === null || stop.quantity === null) return checked;
  const ordered = decimalUnits(stop.quantity);
  const order = { price: decimalUnits(stop.price), closes: (left: bigint) => (ordered < left ? ordered : left) };
  return [...checked, order];
}

function share(whole: bigint, part: bigint, of: bigint): bigint {
  return of === 0n ? 0n : (whole * part) / of;
}

/** Returns the margin of a position in whole numbers of 1e-8: what is set apart, or the initial margin on cross; 0 on spot. */
export function marginOfPosition({ venue }: BotDetail, { margin, cost, leverage }: PositionView): bigint {
  if (exchangeOfVenue(venue)?.future !== true) return 0n;
  const apart = decimalUnits(margin);
  const whole = BigInt(Math.max(1, Math.round(leverage)));
  return apart > 0n ? apart : (decimalUnits(cost) + whole - 1n) / whole;
}
