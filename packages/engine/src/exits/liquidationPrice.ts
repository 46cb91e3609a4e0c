import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import type { Price } from '../money/units.ts';
export function liquidationPriceOf(_bot: Bot, _pair: PairState): Price {
  return 0;
}
