import type { MarketConditions } from '../market/marketConditions.ts';
import type { FaultScript } from './faultScript.ts';

/** Returns the conditions of markets by a script; `match` of its faults is the symbol. */
export function marketFaults(script: FaultScript): MarketConditions {
  return {
    status(symbol) {
      if (script.activeFaults(['delist'], symbol).length > 0) return 'delisted';
      if (script.activeFaults(['cancelOnly'], symbol).length > 0) return 'cancel-only';
      return script.activeFaults(['halt'], symbol).length > 0 ? 'halted' : 'trading';
    },
    executionRange: (symbol) => script.activeFaults(['priceRange'], symbol)[0]?.away,
    fillablePart: (symbol) => Math.min(1, ...script.inject(['partial'], symbol).map(({ part }) => part)),
  };
}
