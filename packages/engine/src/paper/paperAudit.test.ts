import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { altMarket } from '../../test/arbitraries.ts';
import { Desk, kindsOf } from '../../test/harness.ts';
import { RUNS } from '../../test/invariants/runs.ts';
import { play, worlds } from '../../test/invariants/world.ts';
import { toUnits } from '../money/units.ts';
import { AUDIT_CHECKS, auditPaper } from './paperAudit.ts';
import { nextTimer, restoreSession, saveSession } from './paperSession.ts';

const A = altMarket('AAA');
const GIVEN = { order_type: 'taker', avg_slippage_pct: 0, sync_trade_time: 30_000 };

const alarms = (desk: Desk) => kindsOf(desk, 'alarm');

/** Creates a bot with a position, after one audit. */
function holding(given: ConstructorParameters<typeof Desk>[0] = {}): Desk {
  const desk = new Desk({ ...GIVEN, ...given }, A, { history: 100 });
  desk.quote(100);
  desk.buy(1_000);
  desk.wait(31_000);
  return desk;
}

/** Inconsistencies of an account, with the findings of the audit. */
const BREAKS: readonly [string, (desk: Desk) => void, ...string[]][] = [
  ['a wallet that lost money', ({ session }) => (session.state.bot.wallet.quote -= toUnits(1)), 'equity'],
  ['a wallet below zero', ({ session }) => (session.state.bot.wallet.quote = -1), 'equity', 'wallet'],
  ['a figure that is no number', ({ pair }) => (pair.holding.cost = Number.NaN), 'inexact'],
  ['a cost without a quantity', ({ pair }) => (pair.holding.quantity = 0), 'equity', 'holding', 'position'],
  ['a position of the other side', ({ pair }) => (pair.holding.side = -1), 'equity', 'position'],
];

describe('sync_trade_time of a paper bot', () => {
  test('audits the account once in each interval, and reports nothing while it balances', () => {
    const desk = holding();
    const times: number[] = [];
    for (let n = 0; n < 4; n++) {
      desk.wait((nextTimer(desk.session) ?? 0) - desk.now);
      times.push(desk.session.state.audit.at);
    }
    expect(times.map((at, n) => at - (times[n - 1] ?? at - 30_000))).toEqual([30_000, 30_000, 30_000, 30_000]);
    expect(alarms(desk)).toEqual([]);
    desk.command({ type: 'stop' });
    expect(nextTimer(desk.session)).toBeNull();
  });

  test.each(BREAKS)('finds %s', (_what, damage, ...checks) => {
    const desk = holding();
    damage(desk);
    const { bot, state } = desk.session;
    expect(auditPaper(bot, state.exchange, {}, 0).map(({ check }) => check)).toEqual(checks);
  });

  test('raises an alarm with the figures, once, and in the interval only', () => {
    const desk = holding();
    desk.session.state.bot.wallet.quote -= toUnits(1);
    const { at } = desk.session.state.audit;
    desk.wait(at + 29_999 - desk.now);
    expect(alarms(desk)).toEqual([]);
    desk.wait(60_001);
    const [alarm, ...more] = alarms(desk);
    expect(alarm).toMatchObject({ what: 'audit_failed', check: 'equity' });
    expect(Number(alarm?.expected) - Number(alarm?.found)).toBeCloseTo(1, 8);
    expect(more).toEqual([]);
  });

  test('raises an alarm about an order that only one of bot and exchange has', () => {
    const desk = holding();
    desk.quote(100);
    desk.sell(100, 'maker');
    desk.wait(200);
    expect(desk.session.state.exchange.orders).toHaveLength(1);
    const [order] = desk.session.state.exchange.orders.splice(0);
    desk.session.state.exchange.orders.push({ ...order, clientOrderId: 'abc123-99-1' } as NonNullable<typeof order>);
    desk.wait(30_000);
    expect(alarms(desk).map(({ check, expected, found }) => [check, expected, found])).toEqual([
      ['orders', order?.clientOrderId, ''],
      ['orders', '', 'abc123-99-1'],
    ]);
  });

  test("compares the price with the venue's list, and reports a fault once until it ends", () => {
    const desk = holding();
    const ticker = (last: number) =>
      desk.feed({ type: 'ticker', at: desk.now, pair: A.pair, last: toUnits(last), volume24h: null });
    ticker(104);
    desk.wait(30_000);
    expect(alarms(desk)).toEqual([]);
    for (let n = 0; n < 3; n++) {
      ticker(106);
      desk.wait(30_000);
    }
    expect(alarms(desk)).toEqual([{ what: 'audit_failed', check: 'price', expected: '106', found: '100' }]);
    ticker(100);
    desk.wait(30_000);
    ticker(94);
    desk.wait(30_000);
    expect(alarms(desk)).toHaveLength(2);
  });

  test('remembers its reports over a restart, and continues an older session', () => {
    const desk = holding();
    desk.session.state.bot.wallet.quote -= 1;
    desk.wait(30_000);
    desk.session = restoreSession(saveSession(desk.session));
    desk.wait(60_000);
    expect(alarms(desk)).toHaveLength(1);
    const saved = JSON.parse(saveSession(desk.session));
    delete saved.audit;
    desk.session = restoreSession(JSON.stringify(saved));
    desk.wait(61_000);
    expect(alarms(desk)).toHaveLength(2);
  });

  test('finds no fault after any event of any world, on spot and on futures', () => {
    let audited = 0;
    fc.assert(
      fc.property(worlds({ maxPairs: 3, given: { sync_trade_time: 5_000 } }), (world) => {
        play(world, ({ bot, state }, notes) => {
          audited += 1;
          const wrong = auditPaper(bot, state.exchange, {}, 0);
          if (wrong.length > 0) expect(wrong).toEqual([]);
          expect(notes.filter(({ data }) => data.what === 'audit_failed')).toEqual([]);
        });
      }),
      { numRuns: RUNS },
    );
    expect(audited).toBeGreaterThan(RUNS * 20);
  });

  test('has a test of each of its checks', () => {
    expect([...new Set([...BREAKS.flatMap(([, , ...checks]) => checks), 'orders', 'price'])].sort()).toEqual(
      [...AUDIT_CHECKS].sort(),
    );
  });
});
