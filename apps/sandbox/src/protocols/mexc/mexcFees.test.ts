import fc from 'fast-check';
import { expect, test } from 'vitest';
import { notionalUnit, stepUnit } from '../../accounts/money.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { notionalDecimals } from '../../market/pairs.ts';
import { OrderRejected, type OrderRequest } from '../../venues/spot/orderRequest.ts';
import { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { MEXC_FEES, MEXC_PAIRS } from './pairs.ts';

const START = Date.UTC(2026, 2, 10, 12, 0, 30);

test('an account that spends everything pays its fees and never overdraws', () => {
  const operation = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT'),
        side: fc.constantFrom('buy' as const, 'sell' as const),
        type: fc.constantFrom('LIMIT' as const, 'MARKET' as const, 'LIMIT_MAKER' as const),
        timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
        away: fc.integer({ min: -30, max: 30 }),
        // The amounts are parts of the free balance; a little more than all of it is rejected.
        part: fc.oneof(fc.double({ min: 0.01, max: 1.01, noNaN: true }), fc.constantFrom(1, 0.9995)),
        byValue: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ cancel: fc.nat(50) }) },
    { weight: 2, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 5_000 }) }) },
  );
  let fills = 0;
  let refusals = 0;
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 60, maxLength: 120, size: 'max' }),
      fc.nat(1000),
      (operations, seed) => {
        const exchange = SpotExchange.open({ seed, pairs: MEXC_PAIRS.slice(0, 2), now: START }, MEXC_FEES);
        const expected = new Map([...exchange.account.balances].map(([asset, { free }]) => [asset, free]));
        const add = (asset: string, units: bigint) => expected.set(asset, (expected.get(asset) ?? 0n) + units);
        let now = START;
        operations.forEach((op, i) => {
          if ('wait' in op) {
            now += op.wait;
            exchange.advance(now);
          } else if ('cancel' in op) {
            const order = exchange.account.openOrders().at(op.cancel);
            if (order) exchange.cancel(order.symbol, () => order, '', now);
          } else {
            const request = requestOf(exchange, op, `${i}`);
            if (request !== null && isRejected(() => exchange.place(op.symbol, request, now))) refusals++;
          }
        });
        for (const [symbol, trades] of exchange.account.trades) {
          const { pair } = exchange.market(symbol) as PairMarket;
          for (const trade of trades) {
            fills++;
            const direction = trade.side === 'buy' ? 1n : -1n;
            const value = BigInt(trade.tick) * BigInt(trade.steps) * notionalUnit(pair);
            expect(trade.commissionAsset).toBe('USDT');
            expect(trade.commission).toBe(trade.maker ? 0n : (value * 5n) / 10_000n);
            add(pair.base, direction * BigInt(trade.steps) * stepUnit(pair));
            add(pair.quote, -direction * value - trade.commission);
          }
        }
        for (const [asset, { free, locked }] of exchange.account.balances) {
          expect(free).toBeGreaterThanOrEqual(0n);
          expect(free + locked).toBe(expected.get(asset));
        }
      },
    ),
    { numRuns: 15 },
  );
  expect(fills).toBeGreaterThan(500);
  expect(refusals).toBeGreaterThan(10);
});

interface Placement extends Pick<OrderRequest, 'side' | 'timeInForce'> {
  readonly symbol: string;
  readonly type: 'LIMIT' | 'MARKET' | 'LIMIT_MAKER';
  /** Distance from the last price, in ticks. */
  readonly away: number;
  /** Part of the free balance. */
  readonly part: number;
  readonly byValue: boolean;
}

/** Returns null when the balance is below one step. */
function requestOf(exchange: SpotExchange, op: Placement, clientId: string): OrderRequest | null {
  const { pair, lastTick } = exchange.market(op.symbol) as PairMarket;
  const tick = op.type === 'MARKET' ? 0 : lastTick + op.away;
  const { free } = exchange.account.balance(op.side === 'buy' ? pair.quote : pair.base);
  const whole = Number(free) * op.part;
  const value = BigInt(Math.floor(whole / Number(notionalUnit(pair)))) * notionalUnit(pair);
  const byValue = op.type === 'MARKET' && op.side === 'buy' && op.byValue;
  const price = (tick || lastTick) * 10 ** (8 - notionalDecimals(pair));
  const steps = Math.floor(op.side === 'buy' ? whole / price : whole / Number(stepUnit(pair)));
  if (byValue ? value === 0n : steps === 0) return null;
  return {
    clientId,
    side: op.side,
    type: op.type,
    timeInForce: op.type === 'LIMIT' ? op.timeInForce : 'GTC',
    tick,
    steps: byValue ? 0 : steps,
    quoteOrdered: byValue ? value : 0n,
    selfTrade: 'NONE',
    onCross: 'expire',
  };
}

function isRejected(place: () => unknown): boolean {
  try {
    place();
    return false;
  } catch (error) {
    if (!(error instanceof OrderRejected)) throw error;
    return true;
  }
}
