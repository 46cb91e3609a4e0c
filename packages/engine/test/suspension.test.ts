import { restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { pairView } from '@heron/engine/session/sessionView.ts';
import type { KnownSuspension } from '@heron/engine/state/suspension.ts';
import { expect, test } from 'vitest';
import { altMarket } from './arbitraries.ts';
import { Desk, kindsOf } from './harness.ts';

const A = altMarket('AAA');
const AVERAGES = {
  ...{ strategy: 'ema_cross', period: '5m', min_periods: 18, order_type: 'taker', avg_slippage_pct: 0 },
  ...{ max_buy_loss_pct: 0, max_sell_loss_pct: 0, sell_pct: 100 },
};
const START = { params: { fast: 2, slow: 3, band: 0 }, history: 100 };

const deskOf = (given: object = {}) => new Desk({ ...AVERAGES, ...given }, A, START);

function setSuspension(desk: Desk, suspended?: KnownSuspension) {
  const figures = { type: 'ticker', at: desk.now, pair: A.pair, last: 0, volume24h: 1e6 } as const;
  return desk.feed({ ...figures, ...(suspended !== undefined && { suspended }) });
}

const view = (desk: Desk) => pairView(desk.session, A.pair, desk.now);

test('a pair in cancel-only state enters nothing until it trades again', () => {
  const desk = deskOf();
  setSuspension(desk, 'cancel_only');
  desk.close(102);
  expect(desk.pair.lastRefusal).toMatchObject({ gate: 'not_ready', inputs: { flag: 'cancel_only' } });
  expect(view(desk)?.flag).toBe('cancel_only');
  expect(desk.buy(100).find(({ kind }) => kind === 'refusal')?.data).toMatchObject({ flag: 'cancel_only' });
  expect(desk.fills()).toEqual([]);
  setSuspension(desk);
  expect(view(desk)?.flag).toBeNull();
  desk.close(99);
  desk.close(103);
  expect(desk.pair.phase).toBe('bought');
  expect(kindsOf(desk, 'suspension')).toEqual([{ status: 'cancel_only' }, { status: 'trading' }]);
});

test('an exit waits with an alarm during a halt, and is sent afterwards', () => {
  const desk = deskOf();
  desk.close(102);
  expect(desk.pair.phase).toBe('bought');
  setSuspension(desk, 'halted');
  desk.close(99);
  desk.wait(10_000);
  expect(desk.fills()).toHaveLength(1);
  expect(desk.pair.exit).toMatchObject({ order: null, orders: 0 });
  expect(kindsOf(desk, 'alarm')).toEqual([{ what: 'exit_not_filled' }]);
  setSuspension(desk);
  desk.quote(99);
  desk.wait(2_000);
  expect(desk.fills().map(({ data }) => data.kind)).toEqual(['entry', 'exit']);
});

test('a manual sale is rejected during a halt, so that it is not sent hours later', () => {
  const desk = deskOf();
  desk.close(102);
  setSuspension(desk, 'halted');
  expect(kindsOf(desk, 'refusal')).toEqual([]);
  desk.sell(100);
  expect(kindsOf(desk, 'refusal')).toMatchObject([{ gate: 'not_ready', flag: 'halted' }]);
  expect(desk.pair.exit).toBeNull();
  setSuspension(desk);
  desk.quote(100);
  expect(desk.pair.phase).toBe('bought');
});

test('an open entry is ended, and the state of the pair survives a restart', () => {
  const desk = deskOf({ order_type: 'maker', markdown_buy_pct: 1 });
  desk.quote(100);
  desk.buy(100, 'maker');
  desk.wait(300);
  expect(desk.pair.entry?.order).not.toBeNull();
  setSuspension(desk, 'cancel_only');
  desk.wait(1_000);
  expect(desk.pair.entry).toBeNull();
  expect(kindsOf(desk, 'intent_end')).toMatchObject([{ how: 'cancelled' }]);
  const again = restoreSession(saveSession(desk.session));
  expect(pairView(again, A.pair, desk.now)).toMatchObject({ flag: 'cancel_only' });
});

test('figures without the state of the pair change nothing, so that a stop stays', () => {
  const desk = deskOf();
  desk.close(102);
  setSuspension(desk, 'cancel_only');
  setSuspension(desk, 'unread');
  expect(view(desk)?.flag).toBe('cancel_only');
  desk.close(99);
  desk.wait(10_000);
  expect(desk.pair.exit).toMatchObject({ order: null, orders: 0 });
  expect(kindsOf(desk, 'suspension')).toEqual([{ status: 'cancel_only' }]);
});
