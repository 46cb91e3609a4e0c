import { fundingRate, nextFunding } from '../../accounts/futures/funding.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { FuturesState } from './futuresState.ts';

/** Pays funding at whole multiples of an interval, at the mark price of the moment it pays. */
export class FundingClock {
  readonly intervalMs: number;
  readonly #state: FuturesState;
  #nextAt: number;

  /** @param paidUntil epoch milliseconds up to which funding has been paid */
  constructor(state: FuturesState, intervalMs: number, paidUntil: number) {
    this.#state = state;
    this.intervalMs = intervalMs;
    this.#nextAt = nextFunding(paidUntil, intervalMs);
  }

  /** Returns the next rate, in parts per 100,000,000, and when it is paid. */
  next(market: PairMarket): { rate: number; at: number } {
    const { venue } = this.#state;
    return { rate: fundingRate(venue.seed, this.#state.contract(market), this.#nextAt), at: this.#nextAt };
  }

  /** Returns the part of the interval that is still to come, 0 to 1. */
  remainingPart(): number {
    return Math.min(1, Math.max(0, (this.#nextAt - this.#state.time) / this.intervalMs));
  }

  /** Pays every funding that is due. */
  payDue(): void {
    while (this.#nextAt <= this.#state.time) {
      this.#pay(this.#nextAt);
      this.#nextAt = nextFunding(this.#nextAt, this.intervalMs);
    }
  }

  #pay(time: number): void {
    const state = this.#state;
    for (const market of state.venue.markets) {
      state.apply({ kind: 'fundingMark', symbol: market.pair.symbol, mark: state.mark(market).mark, time });
    }
    for (const { symbol, side, since } of state.account.positions()) {
      if (since > time) continue;
      const market = state.market(symbol);
      const rate = fundingRate(state.venue.seed, state.contract(market), time);
      state.apply({ kind: 'funding', symbol, positionSide: side, rate, mark: state.mark(market).mark, time });
    }
  }
}
