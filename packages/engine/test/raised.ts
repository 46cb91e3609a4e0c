import { FLAG_BITS } from '@heron/engine/strategies/flags.ts';
import type { Signal } from '@heron/engine/strategies/strategy.ts';

/** Returns the four flags of a signal by name. */
export function raised({ flags }: Signal) {
  return {
    enterLong: (flags & FLAG_BITS.enterLong) !== 0,
    exitLong: (flags & FLAG_BITS.exitLong) !== 0,
    enterShort: (flags & FLAG_BITS.enterShort) !== 0,
    exitShort: (flags & FLAG_BITS.exitShort) !== 0,
  };
}
