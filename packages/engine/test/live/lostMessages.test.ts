import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUNS } from '../invariants/runs.ts';
import { CAPITAL, LiveHarness, MOVE } from './liveHarness.ts';

test('I-25: after lost, late or repeated messages the ledger equals the exchange', () => {
  let [fills, saves, sends, orders] = [0, 0, 0, 0];
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.constantFrom(null, CAPITAL / 2),
      fc.constantFrom(null, 'market' as const, 'limit' as const),
      fc.array(MOVE, { minLength: 30, maxLength: 250, size: 'max' }),
      (maker, share, stop, moves) => {
        const harness = new LiveHarness({ maker, share, stop });
        for (const move of moves) harness.move(move);
        const { bot, orders: left } = harness.end();
        const { exchange } = harness;
        expect({ sentTwice: exchange.sentTwice, doubled: exchange.doubled, oversold: exchange.oversold }).toEqual({
          ...{ sentTwice: 0, doubled: 0, oversold: 0 },
        });
        expect(left).toEqual([]);
        expect([...exchange.orders.values()].filter(({ status }) => status === 'open')).toEqual([]);
        expect(bot.status).toBe('finished');
        expect(bot.wallet.quote).toBe(exchange.cash - (share === null ? 0 : CAPITAL - share));
        expect(bot.pairs[0]?.holding.quantity).toBe(exchange.held);
        expect(bot.wallet.transfers).toBe(0);
        fills += exchange.fills.length;
        orders += exchange.orders.size;
        saves += harness.betweenSaveAndSend;
        sends += harness.betweenSendAndAnswer;
      },
    ),
    { numRuns: RUNS },
  );
  expect(Math.min(fills, orders)).toBeGreaterThan(RUNS);
  // Crashes often happened at both critical points.
  expect(Math.min(saves, sends)).toBeGreaterThan(RUNS / 10);
});
