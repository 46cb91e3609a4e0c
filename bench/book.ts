import { Book, CROWD, type Side } from '@heron/sandbox/book/book.ts';
import { randomOf } from './candles.ts';
import { loadPeer } from './peers.ts';

/** 60 % limit orders around the middle, 10 % market orders, 30 % cancels of a random earlier order. */
export interface BookOperation {
  readonly kind: 'limit' | 'market' | 'cancel';
  readonly id: number;
  /** The id as text, which the peer wants. */
  readonly name: string;
  readonly side: Side;
  readonly tick: number;
  readonly quantity: number;
}

interface OrderBookPeer {
  readonly OrderBook: new () => {
    limit(order: { id: string; side: Side; price: number; size: number }): unknown;
    market(order: { side: Side; size: number }): unknown;
    cancel(id: string): unknown;
    depth(): [asks: [number, number][], bids: [number, number][]];
  };
}

export function bookOperations(length: number): BookOperation[] {
  const random = randomOf(2);
  const below = (bound: number) => Math.floor(random() * bound);
  return Array.from({ length }, (_, i) => {
    const draw = below(10);
    const kind = draw < 6 ? 'limit' : draw < 7 ? 'market' : 'cancel';
    const side = below(2) === 0 ? 'buy' : 'sell';
    const id = kind === 'cancel' ? 1 + below(i + 1) : i + 1;
    const tick = 5_000 + below(400) - 200 + (side === 'buy' ? -20 : 20);
    return { kind, id, name: String(id), side, tick, quantity: 1 + below(50) };
  });
}

/** Runs the operations on the sandbox's book. @returns the open quantity at the end, in steps */
export function runOwnBook(operations: readonly BookOperation[]): number {
  const book = new Book();
  for (const { kind, id, side, tick, quantity } of operations) {
    if (kind === 'cancel') {
      book.cancel(id);
      continue;
    }
    const limit = kind === 'limit' ? tick : side === 'buy' ? Number.POSITIVE_INFINITY : 0;
    const taker = { id, owner: CROWD, side, limit, quantity, budget: Number.POSITIVE_INFINITY };
    const { filled } = book.match({ ...taker, selfTrade: 'EXPIRE_MAKER' });
    if (kind === 'limit' && filled < quantity) book.addOrder(id, CROWD, side, tick, quantity - filled);
  }
  return sizeOf([book.levels('buy', operations.length), book.levels('sell', operations.length)]);
}

/** Prepares `nodejs-order-book` for the operations. @returns runs it once and returns the open quantity at the end */
export async function peerBook(operations: readonly BookOperation[]): Promise<() => number> {
  const { OrderBook } = await loadPeer<OrderBookPeer>('nodejs-order-book');
  return () => {
    const book = new OrderBook();
    for (const { kind, name, side, tick, quantity } of operations) {
      if (kind === 'limit') book.limit({ id: name, side, price: tick, size: quantity });
      else if (kind === 'market') book.market({ side, size: quantity });
      else book.cancel(name);
    }
    return sizeOf(book.depth());
  };
}

function sizeOf(sides: readonly (readonly (readonly [number, number])[])[]): number {
  return sides.flat().reduce((sum, [, quantity]) => sum + quantity, 0);
}
