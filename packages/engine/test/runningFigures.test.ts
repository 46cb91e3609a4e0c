import { restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { performanceView } from '@heron/engine/session/sessionView.ts';
import { describe, expect, test } from 'vitest';
import { altMarket } from './arbitraries.ts';
import { Desk } from './harness.ts';

const A = altMarket('AAA');
const B = altMarket('BBB');
const TAKER = { order_type: 'taker', avg_slippage_pct: 0, currency_capital: 10_000 };

const figures = (desk: Desk) => performanceView(desk.session);

function two(): Desk {
  return new Desk(TAKER, A, { history: 100, others: [B] });
}

describe('buying and holding beside a running bot', () => {
  test('is unknown before the first quote, and counts each pair from its own first quote', () => {
    const desk = two();
    expect(figures(desk).benchmarkPercent).toBeNull();
    desk.quote(100);
    expect(figures(desk).benchmarkPercent).toBe(0);
    desk.quote(110);
    expect(figures(desk).benchmarkPercent).toBeCloseTo(10, 9);
    // From this quote on the benchmark holds half of the capital in each pair.
    desk.on(B).quote(50);
    expect(figures(desk).benchmarkPercent).toBeCloseTo(5, 9);
    desk.quote(40);
    expect(figures(desk).benchmarkPercent).toBeCloseTo(-5, 9);
  });

  test('continues over restarts, and over a stop and a new start', () => {
    const desk = two();
    desk.quote(100);
    desk.on(B).quote(50);
    desk.session = restoreSession(saveSession(desk.session));
    desk.command({ type: 'stop' });
    desk.command({ type: 'start' });
    desk.quote(100);
    expect(figures(desk).benchmarkPercent).toBeCloseTo(50, 9);
  });

  test('keeps a removed pair at its last known price, and excludes later pairs', () => {
    const desk = two();
    desk.quote(100);
    desk.on(B).quote(50);
    desk.quote(60);
    desk.command({ type: 'change', options: { watch_pairs: 'AAA-USDT,CCC-USDT' }, params: {} });
    expect(desk.session.state.bot.pairs.map(({ pair }) => pair)).toEqual(['AAA-USDT', 'CCC-USDT']);
    desk.on(A).quote(100);
    expect(figures(desk).benchmarkPercent).toBeCloseTo(10, 9);
    desk.command({ type: 'change', options: { watch_pairs: 'AAA-USDT,BBB-USDT' }, params: {} });
    expect(figures(desk).benchmarkPercent).toBeCloseTo(10, 9);
  });

  test('begins again with another account', () => {
    const desk = two();
    desk.quote(100);
    desk.quote(200);
    desk.command({ type: 'reset' });
    expect(figures(desk).benchmarkPercent).toBeNull();
    for (const market of [A, B]) desk.feed({ type: 'history', at: desk.now, market, candles: [] });
    desk.on(A).quote(200);
    expect(figures(desk).benchmarkPercent).toBe(0);
  });

  test('is unknown in an account that an older version began, until another one begins', () => {
    const desk = two();
    desk.quote(100);
    const saved = JSON.parse(saveSession(desk.session));
    delete saved.bot.benchmark;
    desk.session = restoreSession(JSON.stringify(saved));
    desk.quote(120);
    desk.command({ type: 'stop' });
    desk.command({ type: 'start' });
    desk.quote(130);
    expect(figures(desk).benchmarkPercent).toBeNull();
    desk.command({ type: 'reset' });
    desk.feed({ type: 'history', at: desk.now, market: A, candles: [] });
    desk.quote(130);
    expect(figures(desk).benchmarkPercent).toBe(0);
  });
});

describe('the figures of a running bot', () => {
  test('report its cash, the ratio of open positions to start capital, and the win rate', () => {
    const desk = two();
    desk.quote(100);
    expect(figures(desk)).toMatchObject({ cash: '10000', unrealisedPercent: 0, winRatePercent: 0 });
    desk.buy(1_001);
    desk.quote(110);
    const open = figures(desk);
    expect(Number(open.cash)).toBeCloseTo(9_000, -1);
    expect(open.unrealisedPercent).toBeCloseTo(Number(open.unrealised) / 100, 9);
    expect(open.unrealisedPercent).toBeGreaterThan(0.9);
    desk.sell(100);
    expect(figures(desk)).toMatchObject({ wins: 1, losses: 0, winRatePercent: 100 });
    for (const price of [90, 80]) {
      desk.quote(100);
      desk.buy(1_000);
      desk.quote(price);
      desk.sell(100);
    }
    expect(figures(desk)).toMatchObject({ wins: 1, losses: 2 });
    // The position leaves dust.
    expect(figures(desk).unrealisedPercent).toBeCloseTo(0, 4);
    expect(figures(desk).winRatePercent).toBeCloseTo(33.333, 3);
  });
});
