import type { OptionFault } from '@heron/engine/options/fault.ts';
import { checkSetup } from '@heron/engine/options/setup.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { expect, test } from 'vitest';
import { fieldFaultText } from './fieldFaultText.ts';
import { optionTexts } from './optionTexts.ts';
import { paramTitle } from './strategyTexts.ts';

function faultsOf(options: Record<string, unknown>, params: Record<string, unknown> = {}): readonly OptionFault[] {
  const checked = checkSetup({ options, params });
  return checked.ok ? [] : checked.faults;
}

test('a wrong option is named by its title, never by its identifier', () => {
  for (const { name, type } of OPTIONS.values()) {
    if (type === 'array' || type === 'string') continue;
    const wrong = type === 'number' ? -1e9 : type === 'table' ? [{ profit: -1, stop: 1 }] : 1;
    const [fault] = faultsOf({ exchange: 'binanceusdm', market: 'both', [name]: wrong }).filter(
      ({ option }) => option === name,
    );
    if (fault === undefined) throw new Error(`${name} accepts anything`);
    const { zh, en } = fieldFaultText(fault);
    expect(en).toContain(optionTexts(name).title.en);
    expect(zh).toContain(optionTexts(name).title.zh);
    if (name.includes('_')) expect(zh + en).not.toContain(name);
  }
});

test('a wrong parameter is named by its title, never by its identifier', () => {
  for (const { id, params } of STRATEGIES.values()) {
    for (const param of params) {
      if (param.type !== 'number') continue;
      const [fault] = faultsOf({ strategy: id }, { [param.name]: -1e9 });
      if (fault === undefined) throw new Error(`${param.name} accepts anything`);
      const { zh, en } = fieldFaultText(fault);
      expect(en).toMatch(/ must be a (whole )?number from -?[\d.,]+ to -?[\d.,]+$/);
      expect(en.startsWith(paramTitle(param).en)).toBe(true);
      expect(zh.startsWith(paramTitle(param).zh)).toBe(true);
      if (param.name.includes('_')) expect(zh + en).not.toContain(param.name);
    }
  }
});

test('limits have thousands separators, and times are in seconds', () => {
  const text = (options: Record<string, unknown>) => faultsOf(options).map((fault) => fieldFaultText(fault).en);
  expect(text({ currency_capital: 2_000_000 })).toEqual(['Paper capital must be a number from 0 to 1,000,000']);
  expect(text({ order_adjust_time: 0 })).toEqual(['Re-price interval must be a number from 1 to 10']);
});

test('faults between values and inside a value name titles', () => {
  const text = (strategy: string, params: Record<string, unknown>) =>
    faultsOf({ strategy }, params).map((fault) => fieldFaultText(fault).en);
  expect(text('ema_cross', { fast: 30, slow: 20 })).toEqual(['The slow length must be longer than the fast one']);
  expect(text('dca', { safety_orders: 20, step: 20 })[0]).toMatch(/^The last safety order would be /);
  expect(text('dca', { signal: 'rsi', signal_params: { low: 99 } })).toEqual([
    'Oversold must be a whole number from 1 to 50',
  ]);
  expect(text('vote', { members: [{ id: 'rsi' }, { id: 'rsi', params: { low: 0 } }] })).toEqual([
    'Strategy 2: Oversold must be a whole number from 1 to 50',
  ]);
  expect(text('custom', { parts: [{ indicator: 'rsi', input: { length: 1 } }] })[0]).toMatch(
    /^Indicator 1: Length must be a whole number from 2 to 300$/,
  );
  expect(text('grid', { levels: 100, range_pct: 1 })[0]).toMatch(/^A grid level would earn /);
  const [sizes] = faultsOf({ min_buy_size: 50, max_buy_size: 49 });
  expect(sizes && fieldFaultText(sizes).zh).toBe('最大开仓金额 49 小于最小开仓金额 50；填 0 表示不限');
});
