import type { Contract } from '../../accounts/futures/contracts.ts';
import type { FuturesAccount } from '../../accounts/futures/futuresAccount.ts';
import type { FuturesChange, FuturesOrder, FuturesRecord, OrderEnd } from '../../accounts/futures/futuresOrders.ts';
import type { Mark } from '../../accounts/futures/markPrice.ts';
import { type AccountStatement, accountStatement, type PositionFigures } from '../../accounts/futures/statement.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { Venue } from '../venue.ts';
import { FuturesRejected } from './futuresRejected.ts';

/** Margin is nearly used up. It is emitted once, until there is enough margin again. */
export type MarginCall = { kind: 'margin-call'; crossWallet: bigint; positions: PositionFigures[]; time: number };

/** Finds an order once the market has been played up to the time of the request. */
export type FindOrder = (account: FuturesAccount) => FuturesOrder | undefined;

/** The parts of a futures exchange share this: the account, the venue that plays its markets, and the mark prices. */
export class FuturesState {
  readonly account: FuturesAccount;
  readonly venue: Venue<FuturesRecord, FuturesChange | MarginCall>;
  readonly #marks: Mark[] = [];

  constructor(account: FuturesAccount, venue: Venue<FuturesRecord, FuturesChange | MarginCall>) {
    this.account = account;
    this.venue = venue;
  }

  /** Market time in epoch milliseconds. */
  get time(): number {
    return this.venue.time;
  }

  market(symbol: string): PairMarket {
    return this.venue.market(symbol) as PairMarket;
  }

  contract(market: PairMarket): Contract {
    return this.account.contracts.get(market.pair.symbol) as Contract;
  }

  /** Returns the mark and index price of a contract. */
  mark(market: PairMarket): Readonly<Mark> {
    return this.#marks[market.index] as Mark;
  }

  /** Replaces the mark price of a contract. @param next computes it from the last one, which is undefined at first */
  updateMark(market: PairMarket, next: (last: Mark | undefined) => Mark): void {
    this.#marks[market.index] = next(this.#marks[market.index]);
  }

  /** Returns the account at the present mark prices. */
  statement(): AccountStatement {
    return accountStatement(this.account, (symbol) => this.mark(this.market(symbol)).mark);
  }

  /** Applies a record to the account and appends it to the journal. */
  apply(record: FuturesRecord): FuturesChange {
    const change = this.account.apply(record);
    this.venue.record(record, change);
    return change;
  }

  endOrder(order: FuturesOrder, status: OrderEnd): void {
    this.apply({ kind: 'end', symbol: order.symbol, orderId: order.id, status, time: this.time });
  }

  /** @throws FuturesRejected `unknown-order` when the order is not open */
  openOrder(find: FindOrder): FuturesOrder {
    const order = find(this.account);
    if (!order || !this.account.isOpen(order)) throw new FuturesRejected('unknown-order');
    return order;
  }
}
