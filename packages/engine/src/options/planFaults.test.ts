import { describe, expect, test } from 'vitest';
import { checkSetup } from './setup.ts';
import { setupWarnings } from './setupWarnings.ts';

function faults(strategy: string, params: Record<string, unknown>, options: Record<string, unknown> = {}) {
  const setup = checkSetup({ options: { ...options, strategy }, params });
  return setup.ok ? [] : setup.faults;
}

describe('a grid or deal that cannot profit is rejected when it is saved', () => {
  test('grid: a level must earn more than 0.05 % after fees, with and without prices', () => {
    expect(faults('grid', {})).toEqual([]);
    const [narrow] = faults('grid', { lower: 99, upper: 101 });
    expect(narrow).toEqual({ option: 'levels', isParam: true, code: 'grid_gain', net: '0', min: '0.05' });
    expect(faults('grid', { lower: 99, upper: 101 }, { makerFee: 0.05 })).toEqual([]);
    expect(faults('grid', { range_pct: 1, levels: 10, spacing: 'arithmetic' })).toHaveLength(1);
    expect(faults('grid', { range_pct: 1, levels: 7 })).toEqual([]);
  });

  test('dca: the last safety order lies nearer than 95 %', () => {
    expect(faults('dca', {})).toEqual([]);
    const [deep] = faults('dca', { safety_orders: 20, step: 5 });
    expect(deep).toEqual({ option: 'safety_orders', isParam: true, code: 'dca_distance', distance: '933.44', max: 95 });
    expect(faults('dca', { safety_orders: 20, step: 5, mode: 'periodic' })).toEqual([]);
  });
});

describe('a stop that ends a grid or deal before all its orders are used is warned of', () => {
  const warned = (strategy: string, params: Record<string, unknown>, options: Record<string, unknown> = {}) => {
    const setup = checkSetup({ options: { ...options, strategy }, params });
    if (!setup.ok) throw new Error(JSON.stringify(setup.faults));
    return setupWarnings(setup).map((warning) =>
      warning.code === 'stop_ends_plan' ? `${warning.used} of ${warning.entries} entries` : warning.code,
    );
  };
  const stopAt = (profit: number) => ({ stop_sell: [{ profit, stop: 100 }] });

  test('dca: 5 % below E, 95.577 after the third safety order, comes before the fourth', () => {
    expect(warned('dca', {})).toEqual(['4 of 5 entries']);
    expect(warned('dca', {}, stopAt(6.6))).toEqual(['4 of 5 entries']);
    expect(warned('dca', {}, stopAt(6.7))).toEqual([]);
    expect(warned('dca', {}, { stop_sell: [] })).toEqual([]);
    expect(warned('dca', { mode: 'periodic' })).toEqual([]);
    expect(warned('macd', {})).toEqual([]);
  });

  test('grid: from the start price down to its lowest level', () => {
    expect(warned('grid', {})).toEqual(['7 of 10 entries']);
    expect(warned('grid', {}, stopAt(8))).toEqual([]);
    expect(warned('grid', { lower: 90, upper: 110 }, stopAt(8))).toEqual([]);
    expect(warned('grid', { range_pct: 30 })).toEqual(['5 of 10 entries']);
  });

  test('of a short the orders lie above', () => {
    const short = { exchange: 'binanceusdm', market: 'only_short', leverage: 2 };
    expect(warned('dca', {}, { ...short, ...stopAt(20) })).toEqual([]);
    expect(warned('dca', {}, { ...short, ...stopAt(3) })).toContain('2 of 5 entries');
    expect(warned('grid', {}, { ...short, ...stopAt(20) })).toEqual([]);
  });
});
