import { EXCHANGES, type ExchangeEntry } from '@heron/engine/options/exchanges.ts';

/** Names of the venues that this host has an adapter for. */
export const HOSTED_NAMES = ['binance', 'binanceusdm', 'mexc'] as const;

export type HostedName = (typeof HOSTED_NAMES)[number];

/** What the options know of them. */
export const HOSTED: readonly ExchangeEntry[] = EXCHANGES.filter(({ name }) => isHosted(name));

/** Venues that do not tell whether a key may withdraw. */
const SILENT_ON_KEYS: readonly HostedName[] = ['mexc'];

/** Whether a venue tells what a key may do beside trading; where not, its owner is asked. */
export function tellsWithdrawals(name: string): boolean {
  return !SILENT_ON_KEYS.some((silent) => silent === name);
}

/** Whether this host has an adapter for a venue. */
export function isHosted(name: string): name is HostedName {
  return HOSTED_NAMES.some((hosted) => hosted === name);
}
