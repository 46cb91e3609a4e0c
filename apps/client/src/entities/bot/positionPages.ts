import type { ClosedPositions } from '@heron/contract/bots/entities.ts';

/** No closed positions. */
export const NO_POSITIONS: ClosedPositions = {
  id: [],
  pair: [],
  direction: [],
  openedAt: [],
  closedAt: [],
  entryPrice: [],
  exitPrice: [],
  quantity: [],
  net: [],
  fees: [],
  funding: [],
  reason: [],
};

const COLUMN_NAMES = Object.keys(NO_POSITIONS) as (keyof ClosedPositions)[];

/** Returns whether the oldest of the newest positions is known already. */
export function meets(newest: ClosedPositions, known: ClosedPositions): boolean {
  const oldest = newest.id.at(-1);
  return oldest !== undefined && known.id.includes(oldest);
}

/** Adds the known positions that are older than the newest ones. */
export function withOlder(newest: ClosedPositions, known: ClosedPositions): ClosedPositions {
  const from = known.id.indexOf(newest.id.at(-1) as number) + 1;
  return joined(newest, sliced(known, from));
}

/** Returns positions, and older ones after them. */
export function joined(first: ClosedPositions, second: ClosedPositions): ClosedPositions {
  const columns = COLUMN_NAMES.map((name) => [name, [...first[name], ...second[name]]]);
  // Every column keeps its type.
  return Object.fromEntries(columns) as ClosedPositions;
}

function sliced(columns: ClosedPositions, from: number): ClosedPositions {
  return Object.fromEntries(COLUMN_NAMES.map((name) => [name, columns[name].slice(from)])) as ClosedPositions;
}
