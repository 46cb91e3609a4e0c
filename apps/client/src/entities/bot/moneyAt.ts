import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { environmentOf } from '@heron/engine/options/venues.ts';

/** Lists the kinds of money, real money first. Amounts of different kinds are never added. */
export const MONEY_KINDS = ['liveReal', 'liveTestnet', 'liveDemo', 'paperReal', 'paperTestnet', 'paperDemo'] as const;

export type MoneyKind = (typeof MONEY_KINDS)[number];

const KINDS = {
  live: { real: 'liveReal', testnet: 'liveTestnet', demo: 'liveDemo' },
  paper: { real: 'paperReal', testnet: 'paperTestnet', demo: 'paperDemo' },
} as const satisfies Record<BotSummary['mode'], Record<ReturnType<typeof environmentOf>, MoneyKind>>;

/** Returns the kind of a bot's money: live or paper, in the environment of its venue. */
export function moneyAt({ venue, mode }: Pick<BotSummary, 'venue' | 'mode'>): MoneyKind {
  return KINDS[mode][environmentOf(venue)];
}
