/** Names the orders of a bot's plan: those of a grid, of a DCA deal, or periodic ones. */
export type PlanName = 'grid' | 'dca' | 'periodic';

/** Returns the name of the plan orders of a strategy; null where it has none. */
export function planNameOf(strategy: string, params: Readonly<Record<string, unknown>>): PlanName | null {
  if (strategy === 'grid') return 'grid';
  if (strategy !== 'dca') return null;
  return params.mode === 'periodic' ? 'periodic' : 'dca';
}
