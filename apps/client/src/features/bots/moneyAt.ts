import type { BotSummary } from '@heron/contract/bots/entities.ts';

/** What a bot trades with: simulated fills, the demo market's money, or somebody's own. */
export function moneyAt({ demo, mode }: Pick<BotSummary, 'demo' | 'mode'>): 'paper' | 'liveDemo' | 'liveReal' {
  if (mode === 'paper') return 'paper';
  return demo ? 'liveDemo' : 'liveReal';
}
