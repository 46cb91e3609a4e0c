import { type Bracket, type Contract, RATIO_SCALE } from './contracts.ts';

const UNIT = 100_000_000n;
const RATIO = BigInt(RATIO_SCALE);

/** Returns the bracket of a position of this value; the last one for all above. @param notional units of 1e-8, ≥ 0 */
function bracketOf(contract: Contract, notional: bigint): Bracket {
  const found = contract.brackets.find(({ notionalCap }) => notional <= BigInt(notionalCap) * UNIT);
  return found ?? (contract.brackets.at(-1) as Bracket);
}

/**
 * Returns the value of `steps` at a price. @param price units of 1e-8. @returns units of 1e-8, rounded to the nearest
 */
export function valueAt(contract: Contract, price: number, steps: number): bigint {
  const scale = 10n ** BigInt(contract.quantityDecimals);
  return (BigInt(price) * BigInt(steps) + scale / 2n) / scale;
}

/** Returns the maintenance margin of a position of this value, rounded up. @param notional units of 1e-8, ≥ 0 */
export function maintenance(contract: Contract, notional: bigint): bigint {
  if (notional === 0n) return 0n;
  const { ratio, cum } = bracketOf(contract, notional);
  const gross = (notional * BigInt(ratio) + RATIO - 1n) / RATIO;
  return gross - cumUnits(cum);
}

/** Returns the initial margin of this value, rounded up. */
export function initialMargin(notional: bigint, leverage: number): bigint {
  const by = BigInt(leverage);
  return (notional + by - 1n) / by;
}

/** Returns the maximum value of a position at a leverage, in whole USDT. */
export function maxNotionalAt(contract: Contract, leverage: number): number {
  return contract.brackets.findLast(({ initialLeverage }) => initialLeverage >= leverage)?.notionalCap ?? 0;
}

/** One side of a contract for the liquidation price: magnitudes, cost in units of 1e-8. */
export type LiquidationSide = { contract: Contract; direction: 1 | -1; steps: number; cost: bigint };

/**
 * Returns the mark price at which margin balance and maintenance margin are equal. This is Binance's general formula,
 * for one position or for both sides of a contract in hedge mode.
 *
 * @param held sides of ONE contract that share `wallet`
 * @param wallet margin of these sides, in units of 1e-8: isolated margin or cross margin. Cross margin is the cross
 *   wallet less the maintenance margin of other contracts plus their unrealised profit
 * @returns quote, a fraction; 0 when no price liquidates
 * @see https://www.binance.com/en/support/faq/how-to-calculate-liquidation-price-of-usdⓈ-m-futures-contracts
 */
export function liquidationPrice(held: readonly LiquidationSide[], wallet: bigint): number {
  const sides = held.map(({ contract, direction, steps, cost }) => ({
    contract,
    direction,
    quantity: steps / 10 ** contract.quantityDecimals,
    cost: Number(cost) / 1e8,
  }));
  let price = sides.reduce((sum, { cost, quantity }) => sum + cost / quantity, 0) / sides.length;
  for (let round = 0; round < 20; round++) {
    let above = Number(wallet) / 1e8;
    let below = 0;
    for (const { contract, direction, quantity, cost } of sides) {
      const { ratio, cum } = bracketOf(contract, BigInt(Math.max(0, Math.round(quantity * price * 1e8))));
      above += cum - direction * cost;
      below += quantity * (ratio / RATIO_SCALE - direction);
    }
    const next = above / below;
    if (!Number.isFinite(next) || next <= 0) return 0;
    if (Math.abs(next - price) < 1e-9) return next;
    price = next;
  }
  return price;
}

function cumUnits(cum: number): bigint {
  return BigInt(Math.round(cum * 1e8));
}
