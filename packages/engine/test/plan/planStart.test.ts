import { type Note, PLAN_NOTE } from '@heron/engine/session/journal.ts';
import { nextPlanOf, nextPlanOfBot } from '@heron/engine/session/nextPlan.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import { describe, expect, test } from 'vitest';
import { Desk } from '../harness.ts';
import { SIX } from './gridDesk.ts';

const MINUTE = 60_000;
const MANY = { period: '15m', order_type: 'taker', stop_sell: [], buy_pct: 50, avg_slippage_pct: 0 };

const planEvents = (notes: readonly Note[]) =>
  notes.filter(({ kind }) => kind === PLAN_NOTE).map(({ data }) => data.what);
const deskOf = (strategy: string, params: Params, given = {}) =>
  new Desk({ ...MANY, strategy, ...given }, undefined, { params });
const nextOf = (desk: Desk) => nextPlanOf(desk.session.bot, desk.pair, desk.now);
/** Minutes until the next start. */
const minutesOf = (desk: Desk) => {
  const next = nextOf(desk);
  return next && { by: next.by, minutes: Math.ceil((next.at - desk.now) / MINUTE) };
};

describe('the start of a plan', () => {
  test('a grid is placed at the first quote, at its price, without waiting for a candle', () => {
    const desk = deskOf('grid', SIX);
    const notes = desk.quote(60_100);
    expect(planEvents(notes)).toEqual(['grid_laid']);
    expect(notes.find(({ kind }) => kind === PLAN_NOTE)?.data.price).toBe('60100');
    desk.wait(300);
    expect(desk.pair.planOrders.length).toBe(6);
    expect(nextOf(desk)).toBeNull();
  });

  test('no grid is placed before the exchange has said whether it suspends the pair', () => {
    const desk = deskOf('grid', SIX);
    const ticker = { type: 'ticker', pair: desk.pair.pair, last: 60_100e8, volume24h: null } as const;
    desk.feed({ ...ticker, at: desk.now, suspended: 'unread' });
    expect(planEvents(desk.quote(60_100))).toEqual([]);
    desk.feed({ ...ticker, at: desk.now });
    expect(planEvents(desk.quote(60_100))).toEqual(['grid_laid']);
  });

  test('a DCA deal without a condition begins at the first quote; its next one with a candle', () => {
    const desk = deskOf('dca', { start: 'now', take_profit: 1, pause: 2 });
    expect(planEvents(desk.quote(60_000))).toEqual(['cycle_begun']);
    desk.wait(300);
    desk.quote(61_000);
    desk.wait(300);
    expect(planEvents(desk.notes)).toEqual(['cycle_begun', 'cycle_ended']);
    desk.quote(61_000);
    expect(desk.pair.orderPlan).toBeNull();
    // The pause of two candles, and the candle with which the deal begins.
    expect(minutesOf(desk)).toEqual({ by: 'candle', minutes: 45 });
    for (let candle = 1; candle <= 3; candle++) desk.close(61_000);
    expect(desk.pair.orderPlan).not.toBeNull();
  });

  test('a grid that is refused says why and is tried again with the next candle', () => {
    const desk = deskOf('grid', { ...SIX, lower: 59_999, upper: 60_001 });
    desk.quote(60_000);
    desk.quote(60_000);
    expect(desk.pair.lastRefusal?.gate).toBe('cell_gain');
    expect(desk.pair.refusals.cell_gain).toBe(1);
    expect(minutesOf(desk)).toEqual({ by: 'candle', minutes: 15 });
    expect(nextPlanOfBot(desk.session.bot, desk.now)).toEqual(nextOf(desk));
  });

  test('a pair that is resumed starts its grid at the next quote', () => {
    const desk = deskOf('grid', SIX);
    desk.quote(60_000);
    desk.command({ type: 'halt', pair: 'BTC-USDT', close: true });
    desk.wait(2_000);
    desk.quote(60_000);
    expect(desk.pair).toMatchObject({ orderPlan: null, paused: 'manual' });
    expect(nextOf(desk)).toBeNull();
    desk.command({ type: 'resume', pair: 'BTC-USDT' });
    desk.quote(60_000);
    expect(desk.pair.orderPlan?.kind).toBe('grid');
  });

  test('a deal with a condition is tested with each candle', () => {
    const desk = deskOf('dca', { start: 'rsi' });
    desk.quote(60_000);
    expect(desk.pair.orderPlan).toBeNull();
    expect(minutesOf(desk)).toEqual({ by: 'signal', minutes: 15 });
  });

  test('a periodic entry is due at a known candle', () => {
    const desk = deskOf('dca', { mode: 'periodic', every: 4 });
    desk.quote(60_000);
    // 200 candles of history are 50 periods.
    expect(minutesOf(desk)).toEqual({ by: 'schedule', minutes: 60 });
    desk.close(60_000);
    expect(desk.fills()).toEqual([]);
    expect(minutesOf(desk)).toEqual({ by: 'schedule', minutes: 45 });
    for (let candle = 1; candle <= 3; candle++) desk.close(60_000);
    desk.wait(300);
    expect(desk.fills()).toHaveLength(1);
  });

  test('nothing is said of a strategy with signals, nor of a bot that has stopped', () => {
    expect(nextOf(deskOf('macd', {}))).toBeNull();
    const desk = deskOf('dca', { start: 'rsi' });
    desk.quote(60_000);
    desk.command({ type: 'stop' });
    expect(nextOf(desk)).toBeNull();
  });
});
