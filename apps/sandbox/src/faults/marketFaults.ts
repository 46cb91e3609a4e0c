import type { Conditions } from '../market/marketConditions.ts';
import type { FaultScript } from './faultScript.ts';

/** What a script does to markets; `match` of its faults is the symbol. */
export function marketFaults(script: FaultScript): Conditions {
  return {
    standing(symbol) {
      if (script.holding(['delist'], symbol).length > 0) return 'delisted';
      if (script.holding(['cancelOnly'], symbol).length > 0) return 'cancel-only';
      return script.holding(['halt'], symbol).length > 0 ? 'halted' : 'trading';
    },
    executionRange: (symbol) => script.holding(['priceRange'], symbol)[0]?.away,
    part: (symbol) => Math.min(1, ...script.strike(['partial'], symbol).map(({ part }) => part)),
  };
}
