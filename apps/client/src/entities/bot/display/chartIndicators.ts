import { completeParts, type Part } from '@heron/engine/strategies/custom/part.ts';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readLocal, storeLocal } from '../../../lib/local.ts';
import { partsIn } from '../setup/ruleParts.ts';

/** Maximum number of indicators of the user in a chart. */
export const MAX_INDICATORS = 10;

const KEY = 'heron.chartIndicators';

/** Returns stored indicators. Those that this version does not know, or whose inputs are out of range, are left out. */
export function indicatorsOf(stored: unknown): readonly Part[] {
  return partsIn(stored)
    .filter((part) => completeParts([part]).ok)
    .slice(0, MAX_INDICATORS);
}

const store = createStore<{ readonly parts: readonly Part[] }>(() => ({ parts: indicatorsOf(readLocal(KEY)) }));

/** Replaces the indicators of all charts on this device at once. */
export function changeIndicators(parts: readonly Part[]): void {
  const valid = indicatorsOf(parts);
  store.setState({ parts: valid });
  storeLocal(KEY, valid);
}

/** Returns the indicators that the user has added to all charts on this device. */
export function useChartIndicators(): readonly Part[] {
  return useStore(store).parts;
}
