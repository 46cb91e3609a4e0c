import { type Grid, gridCycles } from '@heron/engine/grid/grid.ts';
import { restoreSession } from '@heron/engine/paper/paperSession.ts';
import { gridView } from '@heron/engine/session/planView.ts';
import { newPair, type PairState } from '@heron/engine/state/botState.ts';
import { createParentOrder } from '@heron/engine/state/parentOrder.ts';
import { strategyOf } from '@heron/engine/strategies/catalogue.ts';
import { describe, expect, test } from 'vitest';
import { Desk } from './harness.ts';
import {
  expectSameLiveRun,
  expectSamePaperRun,
  readRecording,
  restoredLiveBot,
  restoredPaperBot,
} from './recording.ts';

const PAPER = [
  'grid',
  'neutral-grid',
  'waiting-grid',
  'restarted-grid',
  'dca',
  'dca-pause',
  'changed-options',
  'changed-options-entry',
] as const;
const LIVE = ['live-grid', 'live-blocked'] as const;

const pairOf = (file: (typeof PAPER)[number]) => restoredPaperBot(readRecording(5, file)).pairs[0] as PairState;

describe('a bot saved by version 5', () => {
  test.each(PAPER)('on paper continues as in that version, from %s', (file) => {
    const recording = readRecording(5, file);
    expect(recording.notes.some(({ kind }) => kind === 'fill')).toBe(true);
    expectSamePaperRun(recording);
  });

  test.each(LIVE)('live continues as in that version, from %s', (file) => {
    const recording = readRecording(5, file);
    expect(recording.notes.some(({ kind }) => kind === 'fill')).toBe(true);
    expectSameLiveRun(recording);
  });

  test('has its order plan, with the keys of its orders', () => {
    const grid = pairOf('grid');
    expect(grid.orderPlan).toMatchObject({ kind: 'grid', activationPriceAbove: 0, activationPriceBelow: 0 });
    expect(grid.planOrders.map(({ planKey }) => planKey)).toEqual(['0', '1', '3', '4', '5', '2']);
    expect(pairOf('dca').planOrders.map(({ planKey }) => planKey)).toEqual(['1', '2', '3', 'exit']);
    expect((pairOf('waiting-grid').orderPlan as Grid).activationPriceAbove).toBe(62_000e8);
    expect([grid, pairOf('restarted-grid')].map(({ dirtyOrders }) => dirtyOrders)).toEqual(['', '*']);
    expect(pairOf('dca-pause')).toMatchObject({ orderPlan: null, nextDealFrom: 203 });
  });

  test('has the profit of its grid; its running time is unknown', () => {
    const pair = pairOf('grid');
    const { cells } = pair.orderPlan as Grid;
    expect(cells.every(({ matched, realised }) => matched === realised)).toBe(true);
    const view = gridView(pair, Date.UTC(2026, 0, 1));
    expect(view).toMatchObject({ cycles: gridCycles(pair.orderPlan as Grid), days: null, yearlyPercent: null });
  });

  test('keeps the distances of the safety orders of its deal', () => {
    const { orderPlan } = pairOf('dca');
    if (orderPlan?.kind !== 'dca') throw new Error('the recording has no deal');
    expect(orderPlan.distances.map((percent) => percent.toFixed(3))).toEqual(['2.000', '4.400', '7.280', '10.736']);
    expect(orderPlan.distances).toHaveLength(orderPlan.safeties.length);
  });

  test('does not act on an activation that was switched off with its trailing take-profit', () => {
    const restored = (trailing: number) => {
      const saved = JSON.parse(readRecording(5, 'dca').session);
      const { bot } = saved;
      bot.params.trailing = trailing;
      bot.pairs[0].ladder.armed = true;
      return restoreSession(JSON.stringify(saved)).state.bot.pairs[0]?.orderPlan;
    };
    expect(restored(1)).toMatchObject({ armed: true });
    expect(restored(0)).toMatchObject({ armed: false });
  });

  test('begins its next deal after the pause, also when the candles that it counted are lost', () => {
    const saved = JSON.parse(readRecording(5, 'dca-pause').session);
    const [pair] = saved.bot.pairs;
    const { candles } = pair;
    pair.ladderFrom = 9_000;
    const [restored] = restoreSession(JSON.stringify(saved)).state.bot.pairs;
    expect(restored).toMatchObject({ candles, nextDealFrom: candles + saved.bot.params.pause });
  });

  test('moves its grid by the parameters that it had, not by later ones', () => {
    const desk = new Desk({ strategy: 'grid' });
    desk.session = restoreSession(readRecording(5, 'grid').session);
    desk.now = desk.session.state.now;
    desk.candleTime = desk.pair.candleTime + 1_800_000;
    const params = { lower: 57_000, upper: 63_000, levels: 3, spacing: 'geometric', recentre: true };
    desk.command({ type: 'change', options: {}, params });
    desk.quote(66_001);
    desk.wait(300);
    desk.close(70_000);
    const { levels } = desk.pair.orderPlan as Grid;
    expect(levels.map((price) => price / 1e8)).toEqual([64_000, 66_000, 68_000, 70_000, 72_000, 74_000, 76_000]);
  });

  test('keeps the options at entry and the reason that blocks entries', () => {
    expect(pairOf('grid').entryOptions).toBeNull();
    expect(pairOf('changed-options').entryOptions).toMatchObject({ maker: false, entry: 0 });
    expect(pairOf('changed-options-entry').entryOptions).toMatchObject({ maker: true, entry: 1 });
    expect(restoredLiveBot(readRecording(5, 'live-blocked')).entriesBlockedBy).toBe('key_may_withdraw');
    expect(restoredLiveBot(readRecording(5, 'live-grid'))).not.toHaveProperty('entriesBlockedBy');
  });

  test('has the fields of a new session, in the same order', () => {
    const today = newPair('BTC-USDT', null, strategyOf('manual', {}));
    const fields = Object.keys(
      createParentOrder({
        id: 1,
        kind: 'entry',
        direction: 1,
        reason: 'manual',
        openedAt: 0,
        target: 1,
        urgency: 'maker',
      }),
    );
    const bots = [
      ...PAPER.map((file) => restoredPaperBot(readRecording(5, file))),
      ...LIVE.map((file) => restoredLiveBot(readRecording(5, file))),
    ];
    for (const pair of bots.flatMap(({ pairs }) => pairs)) {
      expect(Object.keys(pair)).toEqual(Object.keys(today));
      const parents = [pair.entry, pair.exit, pair.stop, ...pair.planOrders].filter((parent) => parent !== null);
      for (const parent of parents) expect(Object.keys(parent).slice(0, fields.length)).toEqual(fields);
    }
  });
});
