import { checkSetup } from '@heron/engine/options/setup.ts';
import { describe, expect, it } from 'vitest';

function faults(strategy: string, params: Record<string, unknown>, options: Record<string, unknown> = {}) {
  const setup = checkSetup({ options: { ...options, strategy }, params });
  return setup.ok ? [] : setup.faults;
}

describe('a ladder that cannot earn is refused when it is saved', () => {
  it('grid: a cell must earn more than 0.05 % after fees, with and without prices', () => {
    expect(faults('grid', {})).toEqual([]);
    const [narrow] = faults('grid', { lower: 99, upper: 101 });
    expect(narrow?.option).toBe('levels');
    expect(narrow?.message.en).toContain('a cell would earn 0% after fees and must earn more than 0.05%');
    expect(narrow?.message.zh).toContain('每格扣除手续费后只赚 0%');
    expect(faults('grid', { lower: 99, upper: 101 }, { makerFee: 0.05 })).toEqual([]);
    expect(faults('grid', { range_pct: 1, levels: 10, spacing: 'arithmetic' })).toHaveLength(1);
    expect(faults('grid', { range_pct: 1, levels: 7 })).toEqual([]);
  });

  it('dca: the last safety order lies nearer than 95 %', () => {
    expect(faults('dca', {})).toEqual([]);
    const [deep] = faults('dca', { safety_orders: 20, step: 5 });
    expect(deep?.option).toBe('safety_orders');
    expect(deep?.message.en).toContain('would lie 933.44% away and must be nearer than 95%');
    expect(faults('dca', { safety_orders: 20, step: 5, mode: 'periodic' })).toEqual([]);
  });
});
