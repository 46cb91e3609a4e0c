import type { Item } from '@heron/engine/options/item.ts';
import { defaultOptions, OPTION_TABLE } from '@heron/engine/options/table.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newBot, setupFaults } from './newBot.ts';

const parse = (options: Record<string, unknown>, params: Record<string, unknown> = {}) =>
  newBot.safeParse({ name: 'One', options, params });

describe('a new bot by the contract', () => {
  test('is parsed with every option and parameter', () => {
    const bot = newBot.parse({ name: ' One ', options: { buy_pct: 7 }, params: {} });
    expect(bot.name).toBe('One');
    expect(bot.options).toEqual({ ...defaultOptions(), buy_pct: 7 });
    expect(Object.keys(bot.params).length).toBeGreaterThan(0);
  });

  test('is rejected with all faults, each with its place and its range', () => {
    const { error } = parse({ buy_pct: 101, colour: 'red', strategy: 'ema_cross' }, { fast: 0 });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'options.colour',
      'options.buy_pct',
      'params.fast',
    ]);
    const faults = error ? setupFaults(error) : [];
    expect(faults[1]).toMatchObject({ option: 'buy_pct', range: [0, 100] });
    expect(error?.issues[1]?.message).toContain('(buy_pct)');
  });

  test('is rejected at the option or the parameter of the same name', () => {
    const paths = (...given: Parameters<typeof parse>) =>
      parse(...given).error?.issues.map(({ path }) => path.join('.'));
    expect(paths({ mode: 'x', strategy: 'dca' }, { mode: 'averaging' })).toEqual(['options.mode']);
    expect(paths({ mode: 'paper', strategy: 'dca' }, { mode: 'x' })).toEqual(['params.mode']);
  });

  test('is rejected without faults of options when its shape is wrong', () => {
    const { error } = newBot.safeParse({ name: '', options: {}, params: {} });
    expect(error && setupFaults(error)).toEqual([]);
  });

  test('is rejected when its share of the account is zero or invalid', () => {
    const shared = (allotment: string) => newBot.safeParse({ name: 'One', options: {}, params: {}, allotment });
    expect(shared('250.5').success).toBe(true);
    for (const share of ['0', '-1', '0.000000001', '100.000000001', '90071993', '9'.repeat(40)]) {
      expect(shared(share).success, share).toBe(false);
    }
  });

  test('is rejected for exactly the values that the option table rejects', () => {
    const items: readonly Item[] = OPTION_TABLE;
    const numbers = items.flatMap((item) => (item.type === 'number' ? item.step : []));
    const value = fc.oneof(
      fc.constantFrom(...numbers, ...items.flatMap((item) => ('list' in item ? item.list : []))),
      fc.double(),
      fc.jsonValue(),
      fc.array(fc.record({ profit: fc.constantFrom(...numbers), stop: fc.constantFrom(...numbers) })),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...items.map(({ name }) => name)), value), (options) => {
        // The strategy has tests of its own, because it affects more than the option table.
        const given = { ...options, strategy: 'manual', min_periods: 32 };
        const lookback = { keep_lookback_periods: 500 };
        expect(parse({ ...given, ...lookback }).success).toBe(validateOptions({ ...given, ...lookback }).ok);
      }),
    );
  });
});
