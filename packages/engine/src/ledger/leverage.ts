import { type Holding, setMarginBasis } from './holding.ts';
import { marginOf } from './marginOf.ts';

/**
 * Sets leverage and margin mode: before the first entry, or when the exchange turns out to use others. No money moves;
 * an open isolated position sets apart what its value at entry asks for.
 *
 * @see docs/entries.md#leverage-and-margin-mode, docs/accounting.md#exchange-settings
 */
export function setLeverage(holding: Holding, leverage: number, isolated: boolean): void {
  if (holding.leverage === leverage && holding.isolated === isolated) return;
  holding.leverage = leverage;
  holding.isolated = isolated;
  holding.margin = isolated ? marginOf(holding.cost, leverage) : 0;
  setMarginBasis(holding);
}
