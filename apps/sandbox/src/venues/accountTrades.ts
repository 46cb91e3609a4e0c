import { CROWD } from '../book/book.ts';
import type { Match } from '../market/pairMarket.ts';
import type { Trade } from '../market/trade.ts';

/** A public trade as the journal shows it. It restores a trade that a kill kept out of the tape. */
export type JournalledTrade = { symbol: string; trade: Trade };

/**
 * Returns the public trade of a journalled fill.
 *
 * @param buying whether the order of the account is the buyer
 */
export function tradeOfFill(
  fill: {
    symbol: string;
    orderId: number;
    counterId: number;
    tradeId: number;
    aggregateId: number;
    tick: number;
    steps: number;
    maker: boolean;
    time: number;
  },
  buying: boolean,
): JournalledTrade {
  const trade: Trade = {
    id: fill.tradeId,
    aggregateId: fill.aggregateId,
    tick: fill.tick,
    quantity: fill.steps,
    time: fill.time,
    buyerOrderId: buying ? fill.orderId : fill.counterId,
    sellerOrderId: buying ? fill.counterId : fill.orderId,
    buyerIsMaker: buying === fill.maker,
  };
  return { symbol: fill.symbol, trade };
}

/** One side of a fill that belongs to an account. */
export type AccountFill = {
  orderId: number;
  owner: number;
  counterId: number;
  maker: boolean;
  fill: Match['result']['fills'][number];
  trade: Trade;
};

/** Returns the sides of a match that belong to accounts, fill by fill, the taker first. */
export function accountFills({ taker, result, trades }: Match): AccountFill[] {
  return result.fills.flatMap((fill, i) => {
    const trade = trades[i] as Trade;
    const sides = [
      { orderId: taker.id, owner: taker.owner, counterId: fill.makerId, maker: false, fill, trade },
      { orderId: fill.makerId, owner: fill.makerOwner, counterId: taker.id, maker: true, fill, trade },
    ];
    return sides.filter(({ owner }) => owner !== CROWD);
  });
}
