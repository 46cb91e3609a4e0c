import { feedSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { pairView } from '@heron/engine/session/sessionView.ts';
import { describe, expect, test } from 'vitest';
import { Desk } from './harness.ts';

const gates = (desk: Desk) => desk.notes.flatMap(({ kind, data }) => (kind === 'refusal' ? [data.gate] : []));
const resume = (desk: Desk, pair = 'BTC-USDT') =>
  feedSession(desk.session, { type: 'command', at: desk.now, command: { type: 'resume', pair } });

describe('a paused pair (docs/margin.md#liquidation, docs/grids-and-dca.md)', () => {
  test('enters nothing after a liquidation until it is resumed, also after a restore', () => {
    const desk = new Desk({ exchange: 'binanceusdm', leverage: 10, order_type: 'taker' });
    desk.quote(60_000);
    desk.buy(1_000);
    desk.quote(45_000);
    expect(desk.pair.paused).toBe('liquidation');
    expect(desk.pair.position).toBeNull();
    desk.session = restoreSession(saveSession(desk.session));
    expect(pairView(desk.session, 'BTC-USDT', desk.now)).toMatchObject({ flag: 'paused', pausedBy: 'liquidation' });
    desk.quote(45_000);
    desk.buy(500);
    expect(gates(desk)).toEqual(['not_ready']);
    expect(resume(desk)).toMatchObject({
      result: { ok: true },
      notes: [{ kind: 'command', data: { command: 'resume' } }],
    });
    expect(pairView(desk.session, 'BTC-USDT', desk.now)).toMatchObject({ flag: null, pausedBy: null });
    desk.quote(45_000);
    desk.buy(500);
    expect(desk.pair.position).not.toBeNull();
  });

  test('is one whose grid was ended; a new grid is placed once it is resumed', () => {
    const desk = new Desk({ strategy: 'grid', order_type: 'taker', stop_sell: [{ profit: 2, stop: 100 }] });
    desk.close(60_000);
    expect(desk.pair.orderPlan).not.toBeNull();
    for (const price of [59_000, 58_000, 57_000]) {
      desk.quote(price);
      desk.wait(500);
    }
    expect([desk.pair.paused, desk.pair.orderPlan, desk.pair.position]).toEqual(['stop_sell', null, null]);
    desk.close(57_000);
    expect(desk.pair.orderPlan).toBeNull();
    resume(desk);
    desk.close(57_000);
    expect(desk.pair.orderPlan).not.toBeNull();
  });

  test('only a paused, watched pair can be resumed; other requests leave no note', () => {
    const desk = new Desk();
    desk.quote(60_000);
    expect(resume(desk)).toMatchObject({ result: { ok: false, inputs: { flag: 'not_paused' } }, notes: [] });
    expect(resume(desk, 'ETH-USDT')).toMatchObject({ result: { ok: false, inputs: { flag: 'unknown' } }, notes: [] });
  });
});
