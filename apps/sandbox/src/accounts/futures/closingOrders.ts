import type { Side } from '../../book/book.ts';
import type { FuturesAccount } from './futuresAccount.ts';
import type { FuturesOrder, PositionSide } from './futuresOrders.ts';

/** Side and position on which an order acts. */
export type OrderDirection = { side: Side; positionSide: PositionSide };

/** Whether there is a position that an order in this direction would reduce. */
function hasPositionToReduce(account: FuturesAccount, symbol: string, { side, positionSide }: OrderDirection): boolean {
  const { steps } = account.position(symbol, positionSide);
  return side === 'sell' ? steps > 0 : steps < 0;
}

/** Whether there is, or may soon be, a position to close; GTE_GTC orders need one. */
export function canClose(account: FuturesAccount, symbol: string, working: OrderDirection): boolean {
  if (hasPositionToReduce(account, symbol, working)) return true;
  return account
    .openOrders(symbol)
    .some(
      (open) => open.positionSide === working.positionSide && open.side !== working.side && !account.isClosing(open),
    );
}

/**
 * Returns the steps that a new closing order may have: the position less the orders that are filled before it.
 *
 * @param tick limit price; undefined for an order that meets the book at once, before any resting order
 */
export function closableSteps(
  account: FuturesAccount,
  symbol: string,
  working: OrderDirection,
  tick: number | undefined,
): number {
  if (!hasPositionToReduce(account, symbol, working)) return 0;
  let room = Math.abs(account.position(symbol, working.positionSide).steps);
  if (tick !== undefined) {
    for (const order of inFillOrder(account, symbol, working)) {
      const first = working.side === 'sell' ? order.tick <= tick : order.tick >= tick;
      if (first) room -= order.steps - order.filled;
    }
  }
  return Math.max(0, room);
}

/**
 * Returns the closing orders that exceed the position, each with the steps it may keep. Orders that are filled last
 * lose first.
 */
export function excessOrders(
  account: FuturesAccount,
  symbol: string,
  working: OrderDirection,
): { order: FuturesOrder; allowed: number }[] {
  let room = hasPositionToReduce(account, symbol, working)
    ? Math.abs(account.position(symbol, working.positionSide).steps)
    : 0;
  const found: { order: FuturesOrder; allowed: number }[] = [];
  for (const order of inFillOrder(account, symbol, working)) {
    const left = order.steps - order.filled;
    const allowed = Math.max(0, Math.min(left, room));
    if (account.isClosing(order) && allowed < left) found.push({ order, allowed });
    room -= left;
  }
  return found;
}

/** Returns the open orders on one side of one position, in the order in which they are filled. */
function inFillOrder(account: FuturesAccount, symbol: string, { side, positionSide }: OrderDirection): FuturesOrder[] {
  return account
    .openOrders(symbol)
    .filter((order) => order.side === side && order.positionSide === positionSide)
    .sort((a, b) => (side === 'sell' ? a.tick - b.tick : b.tick - a.tick) || a.id - b.id);
}
