import { feedSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { pairView, performanceView } from '@heron/engine/session/sessionView.ts';
import { equityOf } from '@heron/engine/state/equity.ts';
import { describe, expect, test } from 'vitest';
import { Desk } from './harness.ts';

const BY_HAND = { strategy: 'manual', currency_capital: 20_000, order_type: 'taker', max_buy_loss_pct: 5 };

function reset(desk: Desk) {
  const { notes, result } = feedSession(desk.session, { type: 'command', at: desk.now, command: { type: 'reset' } });
  return { notes, result };
}

/** Creates a bot that has bought and sold with a loss. */
function traded(options: object = {}): Desk {
  const desk = new Desk({ ...BY_HAND, ...options });
  desk.quote(60_000);
  desk.buy(5_000);
  desk.wait(300);
  desk.quote(59_000);
  desk.command({ type: 'sell', pair: desk.market.pair, order: 'taker', percent: 100, requestId: 'out' });
  desk.wait(300);
  return desk;
}

/** Sends the pending history of its pair, as the host does. */
function load(desk: Desk): void {
  const history = desk.tape.find(({ type }) => type === 'history');
  if (history?.type === 'history') desk.feed({ ...history, at: desk.now });
}

describe('a paper account that is reset', () => {
  test('has the present capital option, and nothing of its earlier state', () => {
    const desk = traded();
    expect(performanceView(desk.session)).toMatchObject({ startCapital: '20000', trades: 2, losses: 1 });
    desk.command({ type: 'change', options: { currency_capital: 50_000 }, params: {} });
    expect(performanceView(desk.session).startCapital).toBe('20000');
    const { result, notes } = reset(desk);
    expect(result).toEqual({ ok: true, intentId: null });
    expect(notes).toMatchObject([
      { kind: 'command', data: { command: 'reset', capital: '50000', acts: 'flat_reload' } },
    ]);
    expect(performanceView(desk.session)).toMatchObject({
      ...{ startCapital: '50000', totalCapital: '50000', realised: '0', dust: '0', profitPercent: 0 },
      ...{ trades: 0, wins: 0, losses: 0, maxDrawdownPercent: 0 },
    });
  });

  test('continues with its own history, and never uses a number twice', () => {
    const desk = traded();
    const before = desk.fills().map(({ data }) => data.intent);
    reset(desk);
    expect(desk.session.state.bot.status).toBe('working');
    desk.buy(1_000);
    expect(desk.fills()).toHaveLength(before.length);
    load(desk);
    desk.quote(59_500);
    desk.buy(1_000);
    desk.wait(300);
    const after = desk.fills().slice(before.length);
    expect(after).toHaveLength(1);
    expect(before).not.toContain(after[0]?.data.intent);
    expect(equityOf(desk.session.bot)).toBeLessThan(20_000 * 1e8);
  });

  test('is rejected, and nothing changes, while a position or an order is open', () => {
    const desk = new Desk({ ...BY_HAND, order_type: 'maker' });
    desk.quote(60_000);
    desk.command({ type: 'buy', pair: desk.market.pair, order: 'maker', value: 500e8, requestId: 'rests' });
    desk.wait(300);
    expect(pairView(desk.session, desk.market.pair, desk.now)?.orders).toHaveLength(1);
    const refused = { ok: false, gate: 'not_ready', inputs: { flag: 'not_flat' } };
    const ordered = structuredClone(desk.session.state.bot);
    expect(reset(desk)).toEqual({ notes: [], result: refused });
    expect(desk.session.state.bot).toEqual(ordered);
    desk.trade(50_000, 10);
    desk.wait(300);
    expect(pairView(desk.session, desk.market.pair, desk.now)?.position).not.toBeNull();
    expect(reset(desk).result).toEqual(refused);
    desk.command({ type: 'stop' });
    desk.wait(300);
    expect(reset(desk).result).toEqual(refused);
  });

  test('can be reset while stopped, and is restored as it was saved', () => {
    const desk = traded();
    desk.command({ type: 'stop' });
    desk.wait(300);
    desk.session = restoreSession(saveSession(desk.session));
    expect(reset(desk).result).toMatchObject({ ok: true });
    expect(desk.session.state.bot.status).toBe('finished');
    const restored = restoreSession(saveSession(desk.session));
    expect(saveSession(restored)).toBe(saveSession(desk.session));
    expect(performanceView(restored)).toMatchObject({ startCapital: '20000', totalCapital: '20000', trades: 0 });
  });

  test('leaves a pair waiting for the user that the kill switch has paused', () => {
    const desk = traded();
    desk.command({ type: 'halt', pair: desk.market.pair, close: false });
    reset(desk);
    load(desk);
    expect(pairView(desk.session, desk.market.pair, desk.now)).toMatchObject({ flag: 'paused', pausedBy: 'manual' });
  });
});
