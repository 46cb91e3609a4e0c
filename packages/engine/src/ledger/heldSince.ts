import type { Holding } from './holding.ts';

/** Since when the present position of each pair is held, ms by the clock that its fills are told by. */
export type HeldSince = Record<string, number>;

/** Keeps it through a fill. @param before as it was held @param after as it is held @param at when the fill was */
export function recordHeldSince(
  since: HeldSince,
  pair: string,
  before: Pick<Holding, 'side' | 'quantity'>,
  after: Pick<Holding, 'side' | 'quantity'>,
  at: number,
): void {
  if (after.quantity === 0) return;
  const began = before.quantity === 0 || before.side !== after.side;
  // Fills that open a position may be told in any order.
  if (began || after.quantity > before.quantity) since[pair] = began ? at : Math.min(since[pair] ?? 0, at);
}
