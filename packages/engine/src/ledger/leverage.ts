import { type Holding, setMarginBasis } from './holding.ts';
import { marginOf } from './marginOf.ts';

/**
 * Sets leverage and margin mode, before the first entry or when those of the exchange differ. No money moves. The allocated
 * margin of an open isolated position follows from its value at entry.
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
