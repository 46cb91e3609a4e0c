import type { Account } from '@heron/engine/ledger/account.ts';
import { applyLedgerEvent, type LedgerEvent } from '@heron/engine/ledger/events.ts';
import { emptyHolding, type Holding } from '@heron/engine/ledger/holding.ts';
import { type Market, notional } from '@heron/engine/market/market.ts';
import { mulDiv, SCALE } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountOf, eventsOf, feeRatio, type History, history, type Listed, priceOf } from '../../ledgerArbitraries.ts';
import { RUNS } from '../runs.ts';

type Fill = Extract<LedgerEvent, { type: 'fill' }>;

/** Returns the number of steps whose fees are whole units at every multiple of 0.01 %, in quote and, on spot, in base. */
function stepsOfExactFees(kind: 'spot' | 'futures', { tick, step, assetDecimals }: Market): number {
  if (kind === 'spot') return 10_000;
  let steps = 1;
  while ((((tick * step) / 10 ** assetDecimals) * steps) % 10_000 !== 0) steps *= 10;
  return steps;
}

describe('holdings', () => {
  test('I-7: spot has a cost exactly when it has a quantity, and neither is negative', () => {
    fc.assert(
      fc.property(history('spot', { adjusts: true }), (given) => {
        follow(given, (account) => {
          for (const { quantity, cost } of Object.values(account.holdings)) {
            expect(quantity).toBeGreaterThanOrEqual(0);
            expect(cost).toBeGreaterThanOrEqual(0);
            expect(quantity === 0).toBe(cost === 0);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('I-7: a flat futures position leaves nothing but its results', () => {
    fc.assert(
      fc.property(history('futures', { adjusts: true }), (given) => {
        follow(given, (account) => {
          for (const holding of Object.values(account.holdings)) {
            expect(holding.cost).toBeGreaterThanOrEqual(0);
            expect(holding.quantity).toBeGreaterThanOrEqual(0);
            if (holding.quantity > 0) continue;
            const { realised, fees, funding, leverage, isolated } = holding;
            expect(holding).toEqual({ ...emptyHolding(), realised, fees, funding, leverage, isolated });
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  const parts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 });

  test.each(['spot', 'futures'] as const)('I-8: a fill of %s in parts leaves the state of the whole', (kind) => {
    fc.assert(
      fc.property(
        history(kind).chain((given) => fc.record({ given: fc.constant(given), price: priceOf(first(given)) })),
        parts,
        parts,
        fc.record({ rate: feeRatio, feeIn: fc.constantFrom('base', 'quote') }),
        fc.boolean(),
        ({ given, price }, bought, sold, fees, short) => {
          const entry = kind === 'futures' && short ? 'sell' : 'buy';
          const exit = entry === 'buy' ? 'sell' : 'buy';
          const total = bought.reduce((sum, part) => sum + part, 0);
          const outs = partsUpTo(sold, total - 1);
          const make = (side: 'buy' | 'sell', each: number[], at: number) =>
            fillOfSteps(given, { side, price, parts: each, ...fees, round: at });
          const whole = flatten(given);
          const split = flatten(given);
          applyAll(whole, [...make(entry, [total], 1), ...make(exit, [outs.reduce((a, b) => a + b, 0)], 2)]);
          applyAll(split, [...make(entry, bought, 1), ...make(exit, outs, 2)]);
          expect(money(split)).toEqual(money(whole));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test.each(['spot', 'futures'] as const)('I-9: fills of %s on different pairs may come in any order', (kind) => {
    fc.assert(
      fc.property(history(kind), fc.array(fc.nat(), { minLength: 60, maxLength: 60 }), (given, picks) => {
        const events = given.steps.flatMap((step) => ('event' in step ? [step.event] : []));
        const account = accountOf(given);
        applyAll(account, events);
        const other = accountOf(given);
        applyAll(other, interleaved(events, picks));
        expect(money(other)).toEqual(money(account));
      }),
      { numRuns: RUNS },
    );
  });

  test.each(['spot', 'futures'] as const)('I-10: a round trip of %s at one price loses exactly both fees', (kind) => {
    fc.assert(
      fc.property(
        history(kind).chain((given) => fc.record({ given: fc.constant(given), price: priceOf(first(given)) })),
        fc.integer({ min: 1, max: 100 }),
        feeRatio,
        fc.constantFrom('base', 'quote'),
        fc.boolean(),
        ({ given, price }, steps, rate, feeIn, short) => {
          const entry = kind === 'futures' && short ? 'sell' : 'buy';
          const account = accountOf(given);
          const [into] = fillOfSteps(given, { side: entry, price, parts: [steps], rate, feeIn, round: 1 }) as [Fill];
          applyLedgerEvent(account, into);
          const holding = holdingOf(account, given);
          const quantity = holding.quantity;
          const fee = mulDiv(notional(first(given).market, price, quantity), rate, SCALE, 'up');
          const side = entry === 'buy' ? 'sell' : 'buy';
          applyLedgerEvent(account, { ...into, id: 'out', side, quantity, fee, feeAsset: 'USDT' });
          expect(holding.realised).toBe(-holding.fees);
          expect(account.wallet.quote).toBe(given.capital - holding.fees);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test.each(['spot', 'futures'] as const)(
    'I-11: nets of closed %s positions and of open parts are the realised total',
    (kind) => {
      fc.assert(
        fc.property(history(kind), (given) => {
          const closed: number[] = [];
          const open = new Map<string, number>();
          const before = new Map<string, number>();
          follow(given, (account, event) => {
            if (event.type === 'transfer') return;
            const holding = account.holdings[event.pair] as Holding;
            const net = holding.realised - (before.get(event.pair) ?? 0);
            before.set(event.pair, holding.realised);
            const soFar = (open.get(event.pair) ?? 0) + net;
            open.set(event.pair, holding.quantity === 0 ? 0 : soFar);
            if (holding.quantity === 0) closed.push(soFar);
            const total = [...closed, ...open.values()].reduce((sum, one) => sum + one, 0);
            expect(total).toBe(Object.values(account.holdings).reduce((sum, { realised }) => sum + realised, 0));
          });
        }),
        { numRuns: RUNS },
      );
    },
  );
});

function first({ listed }: History): Listed {
  return listed[0] as Listed;
}

function holdingOf(account: Account, given: History): Holding {
  return account.holdings[first(given).market.pair] as Holding;
}

function follow(given: History, look: (account: Account, event: LedgerEvent) => void): void {
  const account = accountOf(given);
  for (const event of eventsOf(given)) {
    applyLedgerEvent(account, event);
    look(account, event);
  }
}

function applyAll(account: Account, events: readonly LedgerEvent[]): void {
  for (const event of events) applyLedgerEvent(account, event);
}

/** Returns the account after its history with the first pair closed, so that later fills may have either direction. */
function flatten(given: History): Account {
  const account = accountOf(given);
  applyAll(account, eventsOf(given));
  const holding = holdingOf(account, given);
  const { market, usual } = first(given);
  if (given.kind === 'futures' && holding.quantity > 0) {
    applyLedgerEvent(account, {
      type: 'fill',
      id: 'close',
      at: 0,
      pair: market.pair,
      order: '',
      intent: '',
      side: holding.side === 1 ? 'sell' : 'buy',
      price: usual,
      quantity: holding.quantity,
      liquidity: 'taker',
      fee: 0,
      feeAsset: 'USDT',
    });
  }
  return account;
}

/** Returns the account without the list of applied events. */
function money({ wallet, holdings }: Account) {
  return { wallet, holdings };
}

/** A fill in parts, each a number of steps. */
interface FillOfSteps {
  side: 'buy' | 'sell';
  price: number;
  parts: number[];
  rate: number;
  feeIn: string;
  /** Number that makes the ids of the fills unique. */
  round: number;
}

function fillOfSteps(given: History, { side, price, parts, rate, feeIn, round }: FillOfSteps): Fill[] {
  const { kind } = given;
  const { market } = first(given);
  return parts.map((part, index) => {
    const quantity = part * stepsOfExactFees(kind, market) * market.step;
    const inBase = feeIn === 'base' && side === 'buy' && kind === 'spot';
    const fee = mulDiv(inBase ? quantity : notional(market, price, quantity), rate, SCALE, 'up');
    return {
      type: 'fill',
      id: `${round}-${index}`,
      at: 0,
      pair: market.pair,
      order: '',
      intent: '',
      side,
      price,
      quantity,
      liquidity: 'taker',
      fee,
      feeAsset: inBase ? market.base : 'USDT',
    };
  });
}

/** Returns the leading parts whose sum is at most `most`. */
function partsUpTo(parts: readonly number[], most: number): number[] {
  let sum = 0;
  return parts.filter((part) => {
    if (sum + part > most) return false;
    sum += part;
    return true;
  });
}

/** Interleaves the events of the pairs in the order of `picks`; the events of each pair keep their order. */
function interleaved(events: readonly LedgerEvent[], picks: readonly number[]): LedgerEvent[] {
  const queues = new Map<string, LedgerEvent[]>();
  for (const event of events) {
    const key = event.type === 'transfer' ? event.asset : event.pair;
    const queue = queues.get(key);
    if (queue) queue.push(event);
    else queues.set(key, [event]);
  }
  const order: LedgerEvent[] = [];
  for (let turn = 0; order.length < events.length; turn++) {
    const waiting = [...queues.values()].filter((queue) => queue.length > 0);
    const queue = waiting[(picks[turn % picks.length] ?? 0) % waiting.length] as LedgerEvent[];
    order.push(queue.shift() as LedgerEvent);
  }
  return order;
}
