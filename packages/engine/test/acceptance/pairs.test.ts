import { describe, expect, test } from 'vitest';
import { altMarket } from '../arbitraries.ts';
import { Desk } from '../harness.ts';

const A = altMarket('AAA');
const B = altMarket('BBB');
const AVERAGES = {
  strategy: 'ema_cross',
  period: '5m',
  min_periods: 18,
  order_type: 'taker',
  avg_slippage_pct: 0,
  max_buy_loss_pct: 0,
  max_sell_loss_pct: 0,
};
const START = { params: { fast: 2, slow: 3, band: 0 }, history: 100 };

test('quarentine_time 60 blocks a pair for 60 minutes after a loss, and no other pair', () => {
  const desk = new Desk({ ...AVERAGES, quarentine_time: 60 }, A, { ...START, others: [B] });
  desk.close([102, 100]);
  desk.close([99, 100]);
  const closedAt = desk.notes.findLast(({ kind }) => kind === 'position_closed')?.at ?? 0;
  desk.close([103, 102]);
  const refusals = desk.notes.filter(({ kind }) => kind === 'refusal');
  expect(refusals.map(({ pair, data }) => [pair, data.gate, data.until])).toEqual([
    ['AAA-USDT', 'quarantine', closedAt + 60 * 60_000],
  ]);
  expect(desk.on(B).pair.phase).toBe('bought');
  desk.close([99, 102]);
  while (desk.now < closedAt + 58 * 60_000) desk.close([99, 102]);
  desk.close([103, 102]);
  expect(desk.on(A).pair.phase).toBe('bought');
});

describe('in both a SELL while long', () => {
  const both = { ...AVERAGES, exchange: 'binanceusdm', market: 'both', leverage: 2 };

  test('makes an exit fill, then a short entry', () => {
    const desk = new Desk(both, A, START);
    desk.close(102);
    desk.close(99);
    expect(desk.fills().map(({ data }) => [data.kind, data.side, data.reason])).toEqual([
      ['entry', 'buy', 'signal'],
      ['exit', 'sell', 'reverse'],
      ['entry', 'sell', 'reverse'],
    ]);
    expect(desk.pair.position?.direction).toBe(-1);
  });

  test('makes no short entry when the exit is rejected', () => {
    const desk = new Desk({ ...both, max_sell_loss_pct: 1 }, A, START);
    desk.close(102);
    desk.close(99);
    desk.close(98.9);
    expect(desk.fills()).toHaveLength(1);
    expect(desk.pair.position?.direction).toBe(1);
    expect(desk.pair.exitSignal).toEqual({ kind: 'held', whole: true });
  });

  test('reverses even a position that sell_pct would only reduce', () => {
    const desk = new Desk({ ...both, sell_pct: 50 }, A, START);
    desk.close(102);
    const [long] = desk.fills();
    desk.close(99);
    expect(desk.fills()[1]?.data.quantity).toBe(long?.data.quantity);
    expect(desk.pair.position?.direction).toBe(-1);
  });
});
