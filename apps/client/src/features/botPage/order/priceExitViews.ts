import type { PairView } from '@heron/contract/bots/entities.ts';

type Position = NonNullable<PairView['position']>;

/** A price exit of a position as its owner has set it; a price of null is none. */
export interface PriceExitView {
  readonly id: number;
  readonly stopLoss: string | null;
  readonly takeProfit: string | null;
  /** Percent of the position that it exits. */
  readonly percent: number;
}

/** Returns the price exits of a position, oldest first: its levels that belong together. */
export function priceExitsOf({ levels }: Pick<Position, 'levels'>): PriceExitView[] {
  const exits = new Map<number, PriceExitView>();
  for (const { exit, kind, price, sells } of levels) {
    if (exit === undefined) continue;
    const before = exits.get(exit) ?? { id: exit, stopLoss: null, takeProfit: null, percent: sells };
    exits.set(exit, { ...before, [kind === 'stop' ? 'stopLoss' : 'takeProfit']: price });
  }
  return [...exits.values()].sort((a, b) => a.id - b.id);
}
