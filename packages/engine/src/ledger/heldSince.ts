import type { Holding } from './holding.ts';

/** Time at which the open position of each pair began, in ms by the clock of its fills. */
export type HeldSince = Record<string, number>;

/** Updates the time after a fill. @param before holding before the fill @param after holding after it @param at time of the fill */
export function recordHeldSince(
  since: HeldSince,
  pair: string,
  before: Pick<Holding, 'side' | 'quantity'>,
  after: Pick<Holding, 'side' | 'quantity'>,
  at: number,
): void {
  if (after.quantity === 0) return;
  const began = before.quantity === 0 || before.side !== after.side;
  // The fills that open a position may arrive in any order.
  if (began || after.quantity > before.quantity) since[pair] = began ? at : Math.min(since[pair] ?? 0, at);
}
