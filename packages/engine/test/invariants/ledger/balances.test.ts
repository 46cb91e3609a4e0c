import { type Account, accountEquity } from '@heron/engine/ledger/account.ts';
import { type Balance, balanceOf, type HoldingOrder, lockedAsset, lockedQuote } from '@heron/engine/ledger/balance.ts';
import { applyLedgerEvent, type LedgerEvent } from '@heron/engine/ledger/events.ts';
import { emptyHolding } from '@heron/engine/ledger/holding.ts';
import { bookSpotFill } from '@heron/engine/ledger/spot.ts';
import { openWallet } from '@heron/engine/ledger/wallet.ts';
import { floorStep, type Market, notional, quantityFor } from '@heron/engine/market/market.ts';
import { mulDiv, type Price, type Quote, type Ratio, SCALE, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountOf,
  eventsOf,
  feeRatio,
  finalMarks,
  type History,
  history,
  moved,
  priceMove,
  SPOT,
} from '../../ledgerArbitraries.ts';
import { RUNS } from '../runs.ts';

describe('balances', () => {
  test('I-1: per asset the total is transfers plus fills less fees, after every event', () => {
    fc.assert(
      fc.property(history('spot'), (given) => {
        const account = accountOf(given);
        const totals = new Map([['USDT', given.capital]]);
        for (const event of eventsOf(given)) {
          applyLedgerEvent(account, event);
          for (const [asset, amount] of balanceChanges(account, event)) {
            totals.set(asset, (totals.get(asset) ?? 0) + amount);
          }
          expectTotals(account, given, totals);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('I-1: a futures wallet is transfers plus results less fees plus funding', () => {
    fc.assert(
      fc.property(history('futures'), (given) => {
        const account = accountOf(given);
        const events = eventsOf(given);
        for (const event of events) applyLedgerEvent(account, event);
        const { transfers, fees, funding } = currencyFlows(events);
        const { wallet } = account;
        expect(wallet.transfers).toBe(transfers);
        const holdings = Object.values(account.holdings);
        expect(sum(holdings.map((holding) => holding.funding))).toBe(funding);
        expect(sum(holdings.map((holding) => holding.fees))).toBe(fees + wallet.thirdFees);
        const pnl = sum(holdings.map(({ realised, fees: paid, funding: received }) => realised + paid - received));
        expect(wallet.quote).toBe(given.capital + transfers + pnl - fees + funding);
        expect(Number.isSafeInteger(accountEquity(account, finalMarks(given)) - wallet.quote)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  const step = fc.record({
    what: fc.constantFrom('buy', 'sell', 'market', 'fill', 'cancel'),
    which: fc.nat(50),
    size: fc.integer({ min: 1, max: 100 }),
    move: priceMove,
  });

  test('I-2: free and locked are never negative and always make up the total', () => {
    let fills = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...SPOT),
        feeRatio,
        fc.boolean(),
        fc.array(step, { maxLength: 60 }),
        (listed, fee, feeInBase, steps) => {
          const trader = new SpotTrader(listed.market, fee, feeInBase);
          let price = listed.usual;
          for (const { what, which, size, move } of steps) {
            price = moved(listed, price, move);
            if (what === 'buy') trader.limitBuy(price, size);
            else if (what === 'market') trader.marketBuy(size);
            else if (what === 'sell') trader.limitSell(price, size);
            else if (what === 'fill') trader.fill(which, size);
            else trader.cancel(which);
            expectSound(trader.quote());
            expectSound(trader.asset());
          }
          fills += trader.fills;
        },
      ),
      { numRuns: RUNS },
    );
    expect(fills).toBeGreaterThan(RUNS / 10);
  });
});

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Returns the base asset of a market. BNB that pays fees is another balance of the ledger than the base of BNB-USDT. */
function baseOf({ base }: Market): string {
  return base === 'BNB' ? 'base of BNB-USDT' : base;
}

/** Returns the change of each balance by an event: a transfer, or both sides of a fill and its fee. */
function balanceChanges({ markets }: Account, event: LedgerEvent): (readonly [asset: string, amount: number])[] {
  if (event.type === 'transfer') return [[event.asset, event.amount]];
  if (event.type !== 'fill') return [];
  const market = markets[event.pair];
  if (market === undefined) throw new Error(event.pair);
  const sign = event.side === 'buy' ? 1 : -1;
  return [
    [baseOf(market), sign * event.quantity],
    ['USDT', -sign * notional(market, event.price, event.quantity)],
    [event.feeAsset === market.base ? baseOf(market) : event.feeAsset, -event.fee],
  ];
}

/** Expects the balances of an account to equal the totals of its assets. */
function expectTotals({ wallet, holdings }: Account, { listed }: History, totals: ReadonlyMap<string, number>): void {
  expect(wallet.quote).toBe(totals.get('USDT'));
  expect(wallet.third.BNB ?? 0).toBe(totals.get('BNB') ?? 0);
  for (const { market } of listed) expect(holdings[market.pair]?.quantity).toBe(totals.get(baseOf(market)) ?? 0);
}

/** Returns what the events moved in the currency of the wallet, except for results. */
function currencyFlows(events: readonly LedgerEvent[]): { transfers: Quote; fees: Quote; funding: Quote } {
  const flows = { transfers: 0, fees: 0, funding: 0 };
  for (const event of events) {
    if (event.type === 'transfer' && event.asset === 'USDT') flows.transfers += event.amount;
    if (event.type === 'fill' && event.feeAsset === 'USDT') flows.fees += event.fee;
    if (event.type === 'funding') flows.funding += event.amount;
  }
  return flows;
}

function expectSound({ free, locked, total }: Balance): void {
  expect(free).toBeGreaterThanOrEqual(0);
  expect(locked).toBeGreaterThanOrEqual(0);
  expect(free + locked).toBe(total);
}

/** A spot account that places only orders which its free balances cover. Sizes are percents, 1–100. */
class SpotTrader {
  /** Number of fills. */
  fills = 0;
  private readonly wallet = openWallet(toUnits(10_000));
  private readonly holding = emptyHolding();
  private readonly market: Market;
  private readonly fee: Ratio;
  /** Whether the fee of a buy is charged in the base asset. */
  private readonly feeInBase: boolean;
  private orders: HoldingOrder[] = [];

  constructor(market: Market, fee: Ratio, feeInBase: boolean) {
    this.market = market;
    this.fee = fee;
    this.feeInBase = feeInBase;
  }

  quote(): Balance {
    return balanceOf(this.wallet.quote, sum(this.orders.map((order) => lockedQuote(this.market, order, this.fee))));
  }

  asset(): Balance {
    return balanceOf(this.holding.quantity, sum(this.orders.map(lockedAsset)));
  }

  /** Places a limit order worth a share of the free quote balance, fee included. */
  limitBuy(price: Price, size: number): void {
    const { free } = this.quote();
    const offered = mulDiv(mulDiv(free, size, 100, 'down'), SCALE, SCALE + this.fee, 'down');
    const quantity = quantityFor(this.market, offered, price);
    const order = { type: 'limit', side: 'buy', price, quantity, filled: 0, feePaid: 0 } as const;
    if (quantity > 0 && lockedQuote(this.market, order, this.fee) <= free) this.orders.push(order);
  }

  marketBuy(size: number): void {
    const budget = mulDiv(this.quote().free, size, 100, 'down');
    if (budget > 0) this.orders.push({ type: 'market', side: 'buy', budget });
  }

  limitSell(price: Price, size: number): void {
    const quantity = floorStep(this.market, Math.floor((this.asset().free * size) / 100));
    if (quantity > 0) this.orders.push({ type: 'limit', side: 'sell', price, quantity, filled: 0, feePaid: 0 });
  }

  /** Removes an open order. */
  cancel(which: number): HoldingOrder | undefined {
    const order = this.orders[which % Math.max(1, this.orders.length)];
    this.orders = this.orders.filter((other) => other !== order);
    return order;
  }

  /** Fills a share of the rest of a limit order, at least one step; an unfilled rest becomes the last order. */
  fill(which: number, size: number): void {
    const order = this.cancel(which);
    if (order?.type !== 'limit') return;
    this.fills += 1;
    const { market, fee } = this;
    const { step } = market;
    const quantity = Math.max(step, Math.floor(((order.quantity - order.filled) * size) / 100 / step) * step);
    const filled = order.filled + quantity;
    // The fees of partial fills add up to the fee of the whole order.
    const due = (upTo: number) => mulDiv(notional(market, order.price, upTo), fee, SCALE, 'up');
    const inBase = this.feeInBase && order.side === 'buy';
    const paid = inBase ? mulDiv(quantity, fee, SCALE, 'up') : due(filled) - due(order.filled);
    const feeAsset = inBase ? market.base : market.quote;
    bookSpotFill(this.wallet, this.holding, market, {
      side: order.side,
      price: order.price,
      quantity,
      fee: paid,
      feeAsset,
    });
    if (filled < order.quantity) this.orders.push({ ...order, filled, feePaid: order.feePaid + (inBase ? 0 : paid) });
  }
}
