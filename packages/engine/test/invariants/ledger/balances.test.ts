import { accountEquity } from '@heron/engine/ledger/account.ts';
import { balanceOf, type HoldingOrder, lockedAsset, lockedQuote } from '@heron/engine/ledger/balance.ts';
import { applyLedgerEvent } from '@heron/engine/ledger/events.ts';
import { emptyHolding } from '@heron/engine/ledger/holding.ts';
import { bookSpotFill } from '@heron/engine/ledger/spot.ts';
import { openWallet } from '@heron/engine/ledger/wallet.ts';
import { notional, quantityFor } from '@heron/engine/market/market.ts';
import { mulDiv, type Quote, SCALE, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountOf, feeRatio, history, moved, priceMove, SPOT } from '../../ledgerArbitraries.ts';
import { RUNS } from '../runs.ts';

describe('balances', () => {
  test('I-1: per asset the total is transfers plus fills less fees, after every event', () => {
    fc.assert(
      fc.property(history('spot'), (given) => {
        const account = accountOf(given);
        const totals = new Map<string, number>([['USDT', given.capital]]);
        const add = (asset: string, amount: number) => totals.set(asset, (totals.get(asset) ?? 0) + amount);
        for (const step of given.steps) {
          if ('mark' in step) continue;
          const { event } = step;
          applyLedgerEvent(account, event);
          if (event.type === 'transfer') add(event.asset, event.amount);
          if (event.type === 'fill') {
            const market = account.markets[event.pair];
            if (market === undefined) throw new Error(event.pair);
            const sign = event.side === 'buy' ? 1 : -1;
            add(market.base === 'BNB' ? 'base of BNB-USDT' : market.base, sign * event.quantity);
            add('USDT', -sign * notional(market, event.price, event.quantity));
            const ownFee = event.feeAsset === market.base && market.base === 'BNB';
            add(ownFee ? 'base of BNB-USDT' : event.feeAsset, -event.fee);
          }
          expect(account.wallet.quote).toBe(totals.get('USDT'));
          expect(account.wallet.third.BNB ?? 0).toBe(totals.get('BNB') ?? 0);
          for (const { market } of given.listed) {
            const asset = market.base === 'BNB' ? 'base of BNB-USDT' : market.base;
            expect(account.holdings[market.pair]?.quantity).toBe(totals.get(asset) ?? 0);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('I-1: a futures wallet is transfers plus results less fees plus funding', () => {
    fc.assert(
      fc.property(history('futures'), (given) => {
        const account = accountOf(given);
        let [transfers, fees, funding] = [0, 0, 0];
        const marks: Record<string, number> = {};
        for (const step of given.steps) {
          if ('mark' in step) {
            marks[step.pair] = step.mark;
            continue;
          }
          const { event } = step;
          applyLedgerEvent(account, event);
          if (event.type === 'transfer' && event.asset === 'USDT') transfers += event.amount;
          if (event.type === 'fill' && event.feeAsset === 'USDT') fees += event.fee;
          if (event.type === 'funding') funding += event.amount;
        }
        expect(account.wallet.transfers).toBe(transfers);
        const holdings = Object.values(account.holdings);
        expect(holdings.reduce((sum, holding) => sum + holding.funding, 0)).toBe(funding);
        expect(holdings.reduce((sum, holding) => sum + holding.fees, 0)).toBe(fees + account.wallet.thirdFees);
        const open = accountEquity(account, marks) - account.wallet.quote;
        const pnl = holdings.reduce((sum, { realised, fees: paid, funding: got }) => sum + realised + paid - got, 0);
        expect(account.wallet.quote).toBe(given.capital + transfers + pnl - fees + funding);
        expect(Number.isSafeInteger(open)).toBe(true);
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
    fc.assert(
      fc.property(
        fc.constantFrom(...SPOT),
        feeRatio,
        fc.boolean(),
        fc.array(step, { maxLength: 60 }),
        (listed, fee, feeInBase, steps) => {
          const { market } = listed;
          const wallet = openWallet(toUnits(10_000));
          const holding = emptyHolding();
          let orders: HoldingOrder[] = [];
          let price = listed.usual;
          const quote = () => balanceOf(wallet.quote, sum(orders.map((order) => lockedQuote(market, order, fee))));
          const asset = () => balanceOf(holding.quantity, sum(orders.map(lockedAsset)));
          for (const { what, which, size, move } of steps) {
            price = moved(listed, price, move);
            if (what === 'buy') {
              const offered = mulDiv(mulDiv(quote().free, size, 100, 'down'), SCALE, SCALE + fee, 'down');
              const quantity = quantityFor(market, offered, price);
              const order = { type: 'limit', side: 'buy', price, quantity, filled: 0, feePaid: 0 } as const;
              if (quantity > 0 && lockedQuote(market, order, fee) <= quote().free) orders.push(order);
            } else if (what === 'market') {
              const budget = mulDiv(quote().free, size, 100, 'down');
              if (budget > 0) orders.push({ type: 'market', side: 'buy', budget });
            } else if (what === 'sell') {
              const share = Math.floor((asset().free * size) / 100);
              const quantity = share - (share % market.step);
              if (quantity > 0) orders.push({ type: 'limit', side: 'sell', price, quantity, filled: 0, feePaid: 0 });
            } else if (orders.length > 0) {
              const order = orders[which % orders.length] as HoldingOrder;
              orders = orders.filter((other) => other !== order);
              if (what === 'fill' && order.type === 'limit') {
                const rest = order.quantity - order.filled;
                const quantity = Math.max(market.step, Math.floor((rest * size) / 100 / market.step) * market.step);
                const filled = order.filled + quantity;
                // The fees of partial fills add up to the fee of the whole order.
                const due = (upTo: number) => mulDiv(notional(market, order.price, upTo), fee, SCALE, 'up');
                const inBase = feeInBase && order.side === 'buy';
                const paid = inBase ? mulDiv(quantity, fee, SCALE, 'up') : due(filled) - due(order.filled);
                const feeAsset = inBase ? market.base : market.quote;
                bookSpotFill(wallet, holding, market, {
                  side: order.side,
                  price: order.price,
                  quantity,
                  fee: paid,
                  feeAsset,
                });
                if (filled < order.quantity) {
                  orders.push({ ...order, filled, feePaid: order.feePaid + (inBase ? 0 : paid) });
                }
              }
            }
            for (const balance of [quote(), asset()]) {
              expect(balance.free).toBeGreaterThanOrEqual(0);
              expect(balance.locked).toBeGreaterThanOrEqual(0);
              expect(balance.free + balance.locked).toBe(balance.total);
            }
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});

function sum(amounts: readonly Quote[]): Quote {
  return amounts.reduce((total, amount) => total + amount, 0);
}
