import { restoreLive } from '@heron/engine/live/liveSession.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import { parseUnits, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS } from '../invariants/runs.ts';
import { CAPITAL, LiveHarness, MARKET, MOVE } from './liveHarness.ts';

/** Reconciles three times, a minute apart, and delivers the results. */
function applySnapshots(harness: LiveHarness): void {
  for (let sync = 0; sync < 3; sync++) {
    harness.wait(60_000);
    harness.quote(0);
    harness.applySnapshot();
    harness.deliverAll();
  }
}

const figures = (harness: LiveHarness) => {
  const { startCapital, totalCapital, realised, unrealised, profitPercent, maxDrawdownPercent } = harness.performance();
  const [start = 0, total = 0, booked = 0, open = 0] = [startCapital, totalCapital, realised, unrealised].map(
    (text) => parseUnits(text) ?? Number.NaN,
  );
  return { start, total, result: booked + open, profitPercent, maxDrawdownPercent };
};

describe('money that moves without a bot is no result', () => {
  test('a withdrawal and a deposit leave profit and drawdown as they were', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
    harness.exchange.moveCash(-toUnits(6_000));
    applySnapshots(harness);
    expect(figures(harness)).toEqual({
      ...{ start: toUnits(4_000), total: toUnits(4_000), result: 0, profitPercent: 0, maxDrawdownPercent: 0 },
    });
    harness.exchange.moveCash(toUnits(16_000));
    applySnapshots(harness);
    expect(figures(harness)).toMatchObject({ start: toUnits(20_000), profitPercent: 0, maxDrawdownPercent: 0 });
  });

  test('an open result has the same capital base as the profit, also after a withdrawal', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: null, stopSell: [] });
    harness.exchange.moveCash(-toUnits(5_000));
    applySnapshots(harness);
    harness.buy(1_000);
    harness.settle();
    harness.fall(0.1);
    harness.settle();
    const { unrealised, unrealisedPercent } = harness.performance();
    expect(Number(unrealised)).toBeLessThan(-50);
    expect(unrealisedPercent).toBeCloseTo(Number(unrealised) / 50, 6);
  });

  test('a drawdown before a withdrawal is the same part of the remaining capital', () => {
    const harness = new LiveHarness({ maker: false, share: null, stop: null, stopSell: [] });
    harness.buy(5_000);
    harness.settle();
    harness.fall(0.2);
    harness.settle();
    const before = figures(harness);
    expect(before.maxDrawdownPercent).toBeCloseTo(10, 0);
    harness.exchange.moveCash(-toUnits(4_000));
    applySnapshots(harness);
    const after = figures(harness);
    expect(after.maxDrawdownPercent).toBe(before.maxDrawdownPercent);
    expect(after.total - after.start).toBe(before.total - before.start);
    harness.fall(0.1);
    harness.quote(0);
    expect(figures(harness).maxDrawdownPercent).toBeGreaterThan(15);
  });

  test('coins that the owner sells are neither profit nor drawdown', () => {
    for (const share of [null, CAPITAL / 2]) {
      const harness = new LiveHarness({ maker: false, share, stop: null, stopSell: [] });
      harness.buy(2_000);
      harness.settle();
      const before = figures(harness);
      harness.exchange.sellByHand(MARKET.step * Math.floor(harness.exchange.held / 2 / MARKET.step));
      applySnapshots(harness);
      const after = figures(harness);
      expect(Math.abs(after.total - after.start - (before.total - before.start))).toBeLessThanOrEqual(1);
      expect(after.profitPercent).toBeGreaterThan(-0.1);
      expect(after.maxDrawdownPercent).toBeLessThan(0.1);
      expect(after.total - after.start).toBe(after.result);
    }
  });

  test('a share of an account is restored when money returns, and never goes below 0', () => {
    const harness = new LiveHarness({ maker: false, share: CAPITAL / 2, stop: 'market' });
    harness.exchange.moveCash(-toUnits(8_000));
    applySnapshots(harness);
    expect(harness.state.bot.wallet.quote).toBe(toUnits(2_000));
    expect(harness.journal.filter(({ data }) => data.what === 'transfer')).toMatchObject([
      { data: { amount: '-3000', missing: '3000' } },
    ]);
    harness.crash();
    harness.exchange.moveCash(toUnits(50_000));
    applySnapshots(harness);
    expect(harness.state.bot.wallet.quote).toBe(CAPITAL / 2);
    expect(harness.state.missing).toBe(0);
    expect(figures(harness)).toMatchObject({ start: CAPITAL / 2, profitPercent: 0, maxDrawdownPercent: 0 });
  });
});

test('a draining bot finishes when its owner sells its coins', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: null });
  harness.buy(2_000);
  harness.settle();
  harness.feed({ type: 'command', at: harness.state.now, command: { type: 'drain' } });
  harness.settle();
  expect(harness.state.bot.status).toBe('stopping');
  harness.exchange.sellByHand(harness.exchange.held);
  // No quote follows the second snapshot, which books the sale.
  harness.applySnapshot();
  harness.wait(60_000);
  const before = harness.state.bot.status;
  harness.applySnapshot();
  expect(harness.state.bot.pairs[0]?.position).toBeNull();
  expect([before, harness.state.bot.status]).toEqual(['stopping', 'finished']);
});

test('a snapshot with the last sale and an unknown order does not finish a bot before the order is cancelled', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: null });
  harness.buy(2_000);
  harness.settle();
  harness.feed({ type: 'command', at: harness.state.now, command: { type: 'drain' } });
  harness.sell(100);
  // Neither the response nor an event of the sale arrives, and the bot does not know the other order.
  harness.perform(0, 'responseLost', 1);
  harness.exchange.place(
    {
      ...({ clientOrderId: 'abc123-77-1', pair: MARKET.pair, side: 'buy', type: 'limit_maker', exit: false } as const),
      ...{ price: toUnits(50_000), quantity: MARKET.step * 1_000, decidedAt: harness.state.now },
    },
    harness.state.now,
    1,
  );
  harness.crash();
  const cancels = () => harness.outgoing.filter(({ type }) => type === 'cancel').length;
  expect([harness.state.bot.pairs[0]?.position, harness.state.bot.status, cancels()]).toEqual([null, 'stopping', 1]);
  harness.outgoing = [];
  harness.wait(120_000);
  harness.applySnapshot();
  expect([harness.state.bot.status, cancels()]).toEqual(['stopping', 1]);
  harness.settle();
  harness.wait(120_000);
  harness.applySnapshot();
  expect([harness.state.bot.status, cancels()]).toEqual(['finished', 0]);
});

test('a bot that an older version charged below zero is restored, with its drawdown', () => {
  const { state } = new LiveHarness({ maker: false, share: CAPITAL / 2, stop: 'market' });
  const { missing: _, peakTransfers: __, ...older } = structuredClone(state);
  const untouched = structuredClone(older) as LiveState;
  const saved = older as LiveState;
  Object.assign(saved.bot.wallet, { quote: -toUnits(26_876), transfers: -toUnits(52_745) });
  expect(restoreLive(saved).state).toMatchObject({ missing: toUnits(52_745), peakTransfers: -toUnits(52_745) });
  expect(restoreLive(untouched).state).toMatchObject({ missing: 0, peakTransfers: 0 });
});

const STEP = fc.oneof(
  { weight: 8, arbitrary: MOVE },
  fc.record({ what: fc.constantFrom('cash', 'coins', 'snapshots'), n: fc.nat(999) }),
);

test('total − start = realised + unrealised at every moment, after any manual move', () => {
  let transfers = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(null, CAPITAL / 2),
      fc.array(STEP, { minLength: 30, maxLength: 120 }),
      (share, steps) => {
        const harness = new LiveHarness({ maker: false, share, stop: 'market' });
        for (const { what, n } of steps) {
          if (what === 'cash') harness.exchange.moveCash(toUnits(10 * n - 6_000));
          else if (what === 'coins') harness.exchange.sellByHand(n * MARKET.step);
          else if (what === 'snapshots') applySnapshots(harness);
          else harness.move({ what, n });
          const { total, start, result } = figures(harness);
          expect(total - start).toBe(result);
          expect(harness.state.bot.wallet.quote).toBeGreaterThanOrEqual(0);
        }
        harness.settle();
        applySnapshots(harness);
        const { bot, missing } = harness.state;
        const cash = bot.wallet.quote;
        expect(cash).toBeLessThanOrEqual(harness.exchange.cash + toUnits(0.01));
        if (share === null || missing > toUnits(0.01))
          expect(harness.exchange.cash - cash).toBeLessThanOrEqual(toUnits(0.01));
        if (bot.wallet.transfers !== 0) transfers += 1;
      },
    ),
    { numRuns: RUNS / 4 },
  );
  expect(transfers).toBeGreaterThan(RUNS / 40);
});
