import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { environmentOf } from '@heron/engine/options/venues.ts';

/** Kinds of money that are never added to each other, real money first. */
export const MONEY_KINDS = ['liveReal', 'liveTestnet', 'liveDemo', 'paperReal', 'paperTestnet', 'paperDemo'] as const;

export type MoneyKind = (typeof MONEY_KINDS)[number];

const KINDS = {
  live: { real: 'liveReal', testnet: 'liveTestnet', demo: 'liveDemo' },
  paper: { real: 'paperReal', testnet: 'paperTestnet', demo: 'paperDemo' },
} as const satisfies Record<BotSummary['mode'], Record<ReturnType<typeof environmentOf>, MoneyKind>>;

/** Returns what a bot trades with: simulated fills on whose prices, or whose money. */
export function moneyAt({ venue, mode }: Pick<BotSummary, 'venue' | 'mode'>): MoneyKind {
  return KINDS[mode][environmentOf(venue)];
}
