import type { Conditions } from '../market/conditions.ts';
import type { FaultScript } from './fault-script.ts';

/** What a script does to markets; `match` of its faults is the symbol. */
export function marketFaults(script: FaultScript): Conditions {
  return {
    standing(symbol) {
      if (script.holding(['delist'], symbol).length > 0) return 'delisted';
      return script.holding(['halt'], symbol).length > 0 ? 'halted' : 'trading';
    },
    part: (symbol) => Math.min(1, ...script.strike(['partial'], symbol).map(({ part }) => part)),
  };
}
