import { EXCHANGES, type ExchangeEntry } from '@heron/engine/options/exchanges.ts';

/** Venues that this host has an adapter for, among those that the options know. */
export const HOSTED: readonly ExchangeEntry[] = EXCHANGES.filter(({ name }) => name === 'binance');
