import { describe, expect, test } from 'vitest';
import { raised as flagsOf } from '../../test/raised.ts';
import { chooseStrategy, strategyOf } from './catalogue.ts';
import type { Params } from './strategy.ts';

/** Closes of a market that oscillates slowly, with small fast swings. */
const CLOSES = Array.from({ length: 300 }, (_, i) => 100 + 12 * Math.sin(i / 20) + 2 * Math.sin(i / 3));

/** Returns the indices of the candles at which a strategy sets a flag. */
function raised(id: string, given: Params, closes: readonly number[] = CLOSES) {
  const { strategy, params } = strategyOf(id, given);
  const run = strategy.run(params, strategy.init(params));
  const long: number[] = [];
  const short: number[] = [];
  closes.forEach((close, i) => {
    const { enterLong, enterShort, exitLong, exitShort } = flagsOf(run.onCandle(close, close, close, close, 1));
    if (enterLong) long.push(i);
    if (enterShort) short.push(i);
    if (id === 'dca') expect(exitLong || exitShort).toBe(false);
  });
  return { long, short, warmup: strategy.warmup(params) };
}

describe('the start of a dca deal, docs/strategies.md#dca', () => {
  test('now: every candle', () => {
    const { long, short, warmup } = raised('dca', { start: 'now' });
    expect([long.length, short.length, warmup]).toEqual([300, 300, 1]);
  });

  test('rsi: RSI 14 crosses rsi_low upwards; for a short the mirror level downwards', () => {
    const rsi = raised('rsi', { low: 35, high: 65 });
    const dca = raised('dca', {});
    expect(dca.long).toEqual(rsi.long);
    expect(dca.short).toEqual(rsi.short);
    expect(dca.long.length).toBeGreaterThan(2);
    expect(dca.warmup).toBe(56);
  });

  test('strategy: the entries of the chosen strategy, with its parameters', () => {
    const given = { fast: 3, slow: 9 };
    const cross = raised('ema_cross', given);
    const dca = raised('dca', { start: 'strategy', signal: 'ema_cross', signal_params: [given] });
    expect(dca).toEqual(cross);
    expect(dca.long.length).toBeGreaterThan(2);
    const plain = chooseStrategy('dca', { start: 'strategy', signal: 'ema_cross', signal_params: given });
    expect(plain).toMatchObject({ ok: true, params: { signal_params: [given] } });
  });

  test('periodic: every n candles, a long only below the mean, a short only above it', () => {
    const { long, short } = raised('dca', { mode: 'periodic', every: 48 });
    expect(long).toEqual([47, 95, 143, 191, 239, 287]);
    expect(short).toEqual(long);
    const below = raised('dca', { mode: 'periodic', every: 10, only_below_ema: 50 });
    expect(below.warmup).toBe(150);
    expect([...below.long, ...below.short].every((i) => i % 10 === 9 && i >= 49)).toBe(true);
    expect(below.long.length).toBeGreaterThan(3);
    expect(below.short.length).toBeGreaterThan(3);
    expect(below.long.filter((i) => below.short.includes(i))).toEqual([]);
  });
});
