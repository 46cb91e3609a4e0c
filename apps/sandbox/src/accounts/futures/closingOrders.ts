import type { Side } from '../../book/book.ts';
import type { FuturesDesk } from './futuresAccount.ts';
import type { FuturesOrder, PositionSide } from './futuresOrders.ts';

/** The side of a position on which an order works. */
export type Working = { side: Side; positionSide: PositionSide };

/** True when there is a position that an order on this side would make smaller. */
function reduces(desk: FuturesDesk, symbol: string, { side, positionSide }: Working): boolean {
  const { steps } = desk.position(symbol, positionSide);
  return side === 'sell' ? steps > 0 : steps < 0;
}

/** True while there is, or may soon be, something to close: what GTE_GTC asks for. */
export function mayClose(desk: FuturesDesk, symbol: string, working: Working): boolean {
  if (reduces(desk, symbol, working)) return true;
  return desk
    .openOrders(symbol)
    .some((open) => open.positionSide === working.positionSide && open.side !== working.side && !desk.closes(open));
}

/**
 * Steps that a new closing order may have: what the position leaves beside orders that are filled before it.
 *
 * @param tick limit price; undefined for an order that meets the book at once, before any resting order
 */
export function closable(desk: FuturesDesk, symbol: string, working: Working, tick: number | undefined): number {
  if (!reduces(desk, symbol, working)) return 0;
  let room = Math.abs(desk.position(symbol, working.positionSide).steps);
  if (tick !== undefined) {
    for (const order of inFillingOrder(desk, symbol, working)) {
      const first = working.side === 'sell' ? order.tick <= tick : order.tick >= tick;
      if (first) room -= order.steps - order.filled;
    }
  }
  return Math.max(0, room);
}

/** Resting closing orders that have more than there is to close, with what is left for each: those filled last lose first. */
export function excess(
  desk: FuturesDesk,
  symbol: string,
  working: Working,
): { order: FuturesOrder; allowed: number }[] {
  let room = reduces(desk, symbol, working) ? Math.abs(desk.position(symbol, working.positionSide).steps) : 0;
  const found: { order: FuturesOrder; allowed: number }[] = [];
  for (const order of inFillingOrder(desk, symbol, working)) {
    const left = order.steps - order.filled;
    const allowed = Math.max(0, Math.min(left, room));
    if (desk.closes(order) && allowed < left) found.push({ order, allowed });
    room -= left;
  }
  return found;
}

/** Resting orders on one side of one position, in the order in which they are filled. */
function inFillingOrder(desk: FuturesDesk, symbol: string, { side, positionSide }: Working): FuturesOrder[] {
  return desk
    .openOrders(symbol)
    .filter((order) => order.side === side && order.positionSide === positionSide)
    .sort((a, b) => (side === 'sell' ? a.tick - b.tick : b.tick - a.tick) || a.id - b.id);
}
