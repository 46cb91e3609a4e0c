import { importSetup } from '@heron/engine/options/document.ts';
import { checkSetup } from '@heron/engine/options/setup.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { chooseStrategy } from '@heron/engine/strategies/catalogue.ts';
import { expect, test } from 'vitest';
import { faultText } from './optionFaultText.ts';
import { optionTexts } from './optionTexts.ts';

const textsOf = (id: string, params: Readonly<Record<string, unknown>>) => {
  const chosen = chooseStrategy(id, params);
  return chosen.ok ? [] : chosen.faults.map(faultText);
};
const english = (id: string, params: Readonly<Record<string, unknown>>) =>
  textsOf(id, params)
    .map(({ en }) => en)
    .join('; ');
const chinese = (id: string, params: Readonly<Record<string, unknown>>) =>
  textsOf(id, params)
    .map(({ zh }) => zh)
    .join('；');

test('the text of a number out of range names the option and the range', () => {
  for (const { name, type } of OPTIONS.values()) {
    if (type !== 'number') continue;
    // Options of futures are checked on a futures exchange only.
    const checked = validateOptions({ exchange: 'binanceusdm', market: 'both', mode: 'paper', [name]: -1e9 });
    const faults = checked.ok ? [] : checked.faults.filter(({ option }) => option === name);
    const [fault] = faults;
    expect(faults, name).toHaveLength(1);
    if (fault?.range === undefined) throw new Error(`${name} has no range`);
    const { title } = optionTexts(name);
    const { zh, en } = faultText(fault);
    expect(en).toBe(`${title.en} (${name}): must be a number from ${fault.range[0]} to ${fault.range[1]}`);
    expect(zh).toBe(`${title.zh}（${name}）：必须是 ${fault.range[0]} 到 ${fault.range[1]} 的数`);
  }
});

test('the text of a fault between two options names both', () => {
  const checked = validateOptions({ min_buy_size: 50, max_buy_size: 49 });
  const [fault] = checked.ok ? [] : checked.faults;
  const [min, max] = [optionTexts('min_buy_size').title, optionTexts('max_buy_size').title];
  expect(fault && faultText(fault)).toEqual({
    zh: `${max.zh}（max_buy_size）：49 小于${min.zh}（min_buy_size） 50；填 0 表示不限`,
    en: `${max.en} (max_buy_size): 49 is below ${min.en} (min_buy_size) 50; 0 means no limit`,
  });
});

test('the text about too few candles says why they are needed', () => {
  const textOf = (params: Readonly<Record<string, unknown>>) => {
    const options = { strategy: 'ema_cross', min_periods: 100, keep_lookback_periods: 101 };
    const checked = checkSetup({ options, params });
    const [fault] = checked.ok ? [] : checked.faults;
    return fault && faultText(fault).en;
  };
  const needed = optionTexts('min_periods').title.en;
  expect(textOf({})).toContain(`101 is too few, at least 102 are needed (${needed} (min_periods) is 100, and 2 more)`);
  expect(textOf({ fast: 10, slow: 60 })).toContain('the warm-up of the strategy is 180');
});

test('all faults of parameters have texts', () => {
  expect(english('rsi', { length: 1, low: 99, nonsense: 3 }).split('; ')).toEqual([
    'length must be a whole number from 2 to 100',
    'low must be a whole number from 1 to 50',
    'rsi has no parameter nonsense',
  ]);
});

test('faults between parameters have texts', () => {
  expect(english('psar', { step: 0.2, max: 0.1 })).toBe('max must not be below step');
  expect(english('donchian', { entry: 10, exit: 11 })).toBe('exit must not be longer than entry');
  expect(english('ema_cross', { fast: 21, slow: 21 })).toBe('slow must be longer than fast');
  expect(english('vote', { quorum: 4 })).toBe('quorum must not be above the number of members');
});

test('faults of grid and DCA parameters have texts in both languages', () => {
  expect(english('dca', { signal: 'rsi', signal_params: { low: 99 } })).toBe('low must be a whole number from 1 to 50');
  expect(english('dca', { signal: 'dca' })).toContain('signal must be one of ema_cross');
  expect(chinese('dca', { signal_params: [1] })).toBe('信号策略参数必须是 {"参数名": 值}');
  expect(chinese('dca', { safety_orders: 21 })).toBe('补仓单数必须是 0 到 20 的整数');
  expect(english('grid', { lower: 100 })).toBe('upper must be above lower, or both 0');
  expect(chinese('grid', { lower: 100, upper: 100 })).toBe('最高价必须大于最低价，或两者都为 0');
  expect(english('grid', { initial_buy: 'yes' })).toBe('initial_buy must be true or false');
  expect(english('grid', { levels: 101 })).toBe('levels must be a whole number from 2 to 100');
  expect(english('grid', { lower: 90, upper: 110 })).toBe('');
});

test('the text of a fault in a rule names the place of the part', () => {
  const refusal = (...parts: object[]) => english('custom', { parts });
  const point = (connect: string, source: unknown, op: string, target: unknown) => ({ connect, source, op, target });
  const rsi = { indicator: 'rsi' };
  expect(refusal()).toBe('parts must be a list of 1 to 8');
  expect(refusal(...new Array(9).fill(rsi))).toBe('parts must be a list of 1 to 8');
  expect(refusal(rsi, rsi)).toBe('two parts have the same name');
  expect(refusal({ indicator: 'magic' })).toMatch(/^part 1: indicator must be one of sma, ema, /);
  expect(refusal({ indicator: 'rsi', input: { length: 1 } })).toBe(
    'part 1: input.length must be a whole number from 2 to 300',
  );
  expect(refusal({ indicator: 'rsi', input: { low: 'x' } })).toBe('part 1: input.low must be a number');
  expect(refusal({ indicator: 'rsi', shellPoint: {} })).toBe('part 1: shellPoint is unknown');
  expect(refusal({ indicator: 'rsi', buyPoint: point('xor', 1, 'gt', 2) })).toBe(
    'part 1: connect must be one of base, and, or',
  );
  for (const target of ['other.value', 'rsi.k', 'input.low', 'toString', 'input.constructor']) {
    expect(refusal({ name: 'a', ...rsi, buyPoint: point('base', 'value', 'gt', target) })).toBe(
      `part 1: there is no ${target}`,
    );
  }
});

test('the text of a fault in a vote names the place of the member', () => {
  const second = (member: object) => english('vote', { members: [{ id: 'rsi' }, member] });
  expect(second({ id: 'vote' })).toMatch(/^the id of member 2 must be one of ema_cross, /);
  expect(second({ id: 'rsi', params: { low: 0 } })).toBe('member 2 (rsi): low must be a whole number from 1 to 50');
  expect(second({ id: 'rsi', weight: 2 })).toBe('member 2 must have id and params only');
  expect(english('vote', { members: [{ id: 'rsi' }] })).toBe('members must be a list of 2 to 7');
});

test.each(['', 'x', '[]', '{"heron":3}', '{"heron":2,"options":[]}'])(
  'the text %j is rejected with a reason',
  (text) => {
    const read = importSetup(text);
    expect(read.ok ? '' : read.faults.map((fault) => faultText(fault).en).join()).toMatch(/setup|objects/);
  },
);
