import type { Price } from '../money/units.ts';
export function guardPrice(_entry: Price, _liquidation: Price): Price {
  return 0;
}
