import { toUnits } from '@heron/engine/money/units.ts';
import { expect, test } from 'vitest';
import { curveOf } from './curve.ts';

const units = (values: number[]) => Float64Array.from(values, (value) => toUnits(value));

test('a short curve is drawn point by point; its drawdown is from the start capital on', () => {
  const curve = curveOf(Float64Array.of(0, 1, 2, 3), units([90, 120, 60, 120]), toUnits(100));
  expect(curve.time).toEqual([0, 1, 2, 3]);
  expect(curve.equity).toEqual([90, 120, 60, 120]);
  expect(curve.drawdown.map(Math.round)).toEqual([-10, 0, -50, 0]);
});

test('a thinned curve stays in time order and keeps its highest, lowest and last point', () => {
  const values = Array.from({ length: 123_457 }, (_, i) => 1_000 + 100 * Math.sin(i / 5_000));
  values[77_777] = 1;
  values[33_333] = 9_000;
  const curve = curveOf(
    Float64Array.from(values, (_, i) => i),
    units(values),
    toUnits(1_000),
  );
  expect(curve.time.length).toBeLessThanOrEqual(10_001);
  expect(curve.time.length).toBeGreaterThan(5_000);
  expect(curve.time.every((time, i) => i === 0 || time > (curve.time[i - 1] as number))).toBe(true);
  expect([Math.max(...curve.equity), Math.min(...curve.equity)]).toEqual([9_000, 1]);
  expect(curve.time.at(-1)).toBe(values.length - 1);
  expect(Math.min(...curve.drawdown)).toBeCloseTo(100 * (1 / 9_000 - 1), 8);
});
