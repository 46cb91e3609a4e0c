import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { options } from '../../test/harness.ts';
import { STRATEGIES } from '../strategies/catalogue.ts';
import { effectiveOptions } from './effective.ts';
import { EXCHANGES } from './exchanges.ts';
import type { Item, Range } from './item.ts';
import { checkSetup } from './setup.ts';
import { type BotOptions, defaultOptions, OPTION_TABLE, OPTIONS } from './table.ts';
import { isShown, validateOptions } from './validate.ts';

const ITEMS: readonly Item[] = OPTION_TABLE;
const EXITS = ['stop_sell', 'trailing_stop', 'profit_callback', 'profit_win'] as const;

/** Setups that together show every item, and hide every item with a condition. */
const PLACES = [
  { exchange: 'binance', order_type: 'maker' },
  { exchange: 'binance', order_type: 'taker', mode: 'live' },
  { exchange: 'binanceusdm', order_type: 'maker', market: 'both' },
  { exchange: 'binanceusdm', market: 'only_long' },
  { exchange: 'uniswap' },
] as const;

/** Returns options that show an item, with the related limits disabled. */
function placeShowing(item: Item): Record<string, unknown> {
  const place = PLACES.find((candidate) => isShown(item, { ...defaultOptions(), ...candidate } as BotOptions));
  if (!place) throw new Error(`no place shows ${item.name}`);
  return { ...place, min_buy_size: 0 };
}

const faultsOf = (given: Record<string, unknown>) => {
  const checked = validateOptions(given);
  return checked.ok ? [] : checked.faults;
};
const faulty = (given: Record<string, unknown>) => faultsOf(given).map(({ option }) => option);

/** Returns values that a choice, a text or a table accepts, and values that it rejects; none of a number. */
function examplesOf(item: Item): { accepted: readonly unknown[]; rejected: readonly unknown[] } {
  switch (item.type) {
    case 'tab':
    case 'array': {
      const others = ['', item.list[0]?.toUpperCase(), 1, null, [item.list[0]]];
      return { accepted: item.list, rejected: others.filter((value) => !item.list.includes(value as string)) };
    }
    case 'text':
    case 'textarea':
    case 'string':
      return { accepted: [], rejected: [null, 1, ['BTC'], undefined] };
    case 'table': {
      const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ profit: row + 1, stop: 50 }));
      const incomplete = [{ profit: 5 }];
      const unknownKey = [{ profit: 5, stop: 5, more: 1 }];
      return { accepted: [[], rows(10)], rejected: [rows(11), {}, null, [null], [1], incomplete, unknownKey] };
    }
    case 'number':
      return { accepted: [], rejected: [] };
  }
}

/** Returns the ranges of an item, each with a function that sets a number. */
function ranges(item: Item): { range: Range; value: (number: unknown) => unknown }[] {
  if (item.type === 'number') return [{ range: item.step, value: (number) => number }];
  if (item.type !== 'table') return [];
  const row = item.value[0] ?? { profit: 5, stop: 100 };
  return (['profit', 'stop'] as const).map((column) => ({
    range: item.columns[column].step,
    value: (number) => [{ ...row, [column]: number }],
  }));
}

describe('acceptance case 1: defaults', () => {
  test('load, validate, and are complete', () => {
    expect(validateOptions({})).toEqual({ ok: true, options: defaultOptions() });
    expect(validateOptions({ ...defaultOptions() })).toEqual({ ok: true, options: defaultOptions() });
    expect(checkSetup({ options: {}, params: {} })).toMatchObject({ ok: true, options: defaultOptions() });
  });

  test('validate on every exchange, with every strategy unless it needs more candles', () => {
    for (const { name } of EXCHANGES) expect(validateOptions({ exchange: name })).toMatchObject({ ok: true });
    for (const { id } of STRATEGIES.values()) {
      expect(checkSetup({ options: { strategy: id, keep_lookback_periods: 50_000 }, params: {} })).toMatchObject({
        ok: true,
      });
    }
  });

  test('replace every missing key', () => {
    fc.assert(
      fc.property(fc.subarray(ITEMS.map(({ name }) => name)), (names) => {
        const defaults: Record<string, unknown> = defaultOptions();
        const given = Object.fromEntries(names.map((name) => [name, defaults[name]]));
        expect(validateOptions(given)).toEqual({ ok: true, options: defaults });
      }),
    );
  });
});

describe('acceptance case 2: hidden items', () => {
  test('leverage counts as 1 and market as only_long on binance; stored values stay', () => {
    const stored = options({ exchange: 'binance', leverage: 20, market: 'both' });
    expect(stored).toMatchObject({ leverage: 20, market: 'both' });
    expect(effectiveOptions(stored)).toMatchObject({ leverage: 1, market: 'only_long' });
    const future = { ...stored, exchange: 'binanceusdm' } as const;
    expect(effectiveOptions(future)).toEqual(future);
  });

  test.each(ITEMS.filter(({ show }) => show))('$name: hidden, it is kept, not validated and not used', (item) => {
    const hiding = PLACES.find((place) => !isShown(item, { ...defaultOptions(), ...place } as BotOptions));
    expect(hiding, 'a place that hides it').toBeDefined();
    fc.assert(
      fc.property(fc.jsonValue(), (drawn) => {
        // JSON does not preserve negative zero, so options have none.
        const value = drawn === 0 ? 0 : drawn;
        const given = { ...hiding, [item.name]: value };
        const checked = validateOptions(given);
        expect(checked).toEqual({ ok: true, options: { ...defaultOptions(), ...given } });
        if (!checked.ok) return;
        const without = effectiveOptions({ ...defaultOptions(), ...hiding } as BotOptions);
        expect(effectiveOptions(checked.options)).toEqual(without);
      }),
      { numRuns: 50 },
    );
  });

  test('on DeFi orders count as taker, and no price is shaded', () => {
    const defi = options({ exchange: 'uniswap', order_type: 'maker', markdown_buy_pct: 1, markup_sell_pct: 1 });
    expect(effectiveOptions(defi)).toMatchObject({ order_type: 'taker', markdown_buy_pct: 0, markup_sell_pct: 0 });
  });

  test('futures items appear and are validated on binanceusdm', () => {
    const futures = { exchange: 'binanceusdm', market: 'both' };
    expect(faulty({ ...futures, leverage: 0 })).toEqual(['leverage']);
    expect(faulty({ ...futures, leverage: 1 })).toEqual([]);
    expect(faulty({ ...futures, margin_mode: 'shared' })).toEqual(['margin_mode']);
    expect(faulty({ ...futures, short_buy_pct: 101 })).toEqual(['short_buy_pct']);
    expect(faulty({ ...futures, market: 'only_long', short_buy_pct: 101 })).toEqual([]);
    expect(faulty({ exchange: 'binance', leverage: 0, short_buy_pct: 101 })).toEqual([]);
  });
});

describe('acceptance case 3: ranges', () => {
  const numeric = ITEMS.filter((item) => ranges(item).length > 0);

  test.each(numeric)('$name: each end is accepted, one step outside is rejected by name and range', (item) => {
    for (const { range, value } of ranges(item)) {
      const [min, max, step] = range;
      const place = placeShowing(item);
      for (const end of [min, max]) {
        // A small number of kept candles would be a fault between options, not of this one.
        const room = item.name === 'keep_lookback_periods' ? {} : { keep_lookback_periods: 50_000 };
        expect(faulty({ ...place, ...room, [item.name]: value(end) }), `${end}`).toEqual([]);
      }
      for (const outside of [min - step, max + step]) {
        const [fault, ...more] = faultsOf({ ...place, [item.name]: value(outside) });
        expect(more).toEqual([]);
        expect(fault).toMatchObject({ option: item.name, range: [min, max] });
        expect(fault).toMatchObject({ min, max });
      }
    }
  });

  test.each(numeric)('$name: all inside is accepted, also off the step; all outside is rejected', (item) => {
    for (const { range, value } of ranges(item)) {
      const [min, max] = range;
      const place = placeShowing(item);
      const inside = fc.double({ min, max, noNaN: true });
      fc.assert(
        fc.property(inside, (number) => {
          // A maximum below the minimum entry would be a fault between two options; `place` has no minimum entry.
          expect(faulty({ ...place, [item.name]: value(number) })).toEqual([]);
        }),
      );
      const below = fc.double({ max: min, maxExcluded: true, noNaN: true });
      const above = fc.double({ min: max, minExcluded: true, noNaN: true });
      fc.assert(
        fc.property(
          fc.oneof(below, above).filter((number) => number < min || number > max),
          (number) => {
            expect(faulty({ ...place, [item.name]: value(number) })).toEqual([item.name]);
          },
        ),
      );
    }
  });

  test.each(numeric)('$name: anything but a finite number is rejected', (item) => {
    for (const { value } of ranges(item)) {
      for (const wrong of [Number.NaN, Infinity, -Infinity, '10', null, true, [], {}]) {
        expect(faulty({ ...placeShowing(item), [item.name]: value(wrong) }), String(wrong)).toEqual([item.name]);
      }
    }
  });

  test('-0 is stored as 0', () => {
    const setup = checkSetup({ options: { strategy: 'ema_cross' }, params: { band: -0 } });
    expect(setup.ok && Object.is(setup.params.band, 0)).toBe(true);
    for (const item of numeric) {
      if (item.type !== 'number' || item.step[0] > 0) continue;
      const checked = validateOptions({ ...placeShowing(item), [item.name]: -0 });
      expect(checked.ok && Object.is((checked.options as Record<string, unknown>)[item.name], 0), item.name).toBe(true);
    }
  });

  test('choices, texts and tables accept the values of 2.1 and nothing else', () => {
    for (const item of ITEMS) {
      const faultsWith = (value: unknown) => faulty({ ...placeShowing(item), [item.name]: value });
      const { accepted, rejected } = examplesOf(item);
      for (const value of accepted) expect(faultsWith(value), JSON.stringify(value)).toEqual([]);
      for (const value of rejected) expect(faultsWith(value), JSON.stringify(value)).toEqual([item.name]);
    }
    for (const mask of ['0', '0.0', '0.000000000000']) expect(faulty({ price_format: mask })).toEqual([]);
    for (const mask of ['', '0.', '00', '0.0000000000000', '#.##']) {
      expect(faulty({ price_format: mask })).toEqual(['price_format']);
    }
    for (const currency of ['U', 'US-DT', 'ABCDEFGHIJKLM']) {
      expect(faulty({ product_currency: currency })).toEqual(['product_currency']);
    }
  });

  test('unknown keys are rejected, whatever their names', () => {
    const unknown = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'buy_Pct'));
    fc.assert(
      fc.property(
        unknown.filter((key) => !OPTIONS.has(key)),
        fc.jsonValue(),
        (key, value) => {
          const given = JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)},"buy_pct":10}`);
          const [fault, ...more] = faultsOf(given);
          expect(more).toEqual([]);
          expect(fault).toEqual({ option: key, code: 'unknown_option' });
        },
      ),
    );
  });
});

describe('cross-checks between options', () => {
  test('the largest entry may not be below the smallest, unless it is 0', () => {
    expect(faulty({ min_buy_size: 50, max_buy_size: 49 })).toEqual(['max_buy_size']);
    expect(faulty({ min_buy_size: 50, max_buy_size: 50 })).toEqual([]);
    expect(faulty({ min_buy_size: 50, max_buy_size: 0 })).toEqual([]);
    const [fault] = faultsOf({ min_buy_size: 50, max_buy_size: 49 });
    expect(fault).toEqual({ option: 'max_buy_size', code: 'entry_size', max: 49, min: 50 });
  });

  test.each(EXITS)('%s may not have two rows of the same profit', (name) => {
    const rows = (...profits: number[]) => ({ [name]: profits.map((profit) => ({ profit, stop: 50 })) });
    expect(faulty(rows(5, 6, 7))).toEqual([]);
    expect(faulty(rows(5, 6, 5))).toEqual([name]);
    expect(faultsOf(rows(5, 6, 5))[0]).toMatchObject({ code: 'same_trigger', first: 1, second: 3, percent: 5 });
    // Both values are the same ratio at the precision of the engine.
    expect(faulty(rows(5, 5.000_000_01))).toEqual([name]);
  });

  test('too few candles kept are rejected: max(min_periods, warm-up) + 2', () => {
    const check = (given: Record<string, unknown>, params = {}) => {
      const checked = checkSetup({ options: given, params });
      return checked.ok ? [] : checked.faults;
    };
    const periods = { strategy: 'ema_cross', min_periods: 100 };
    expect(check({ ...periods, keep_lookback_periods: 102 })).toEqual([]);
    const [byPeriods] = check({ ...periods, keep_lookback_periods: 101 });
    expect(byPeriods).toMatchObject({
      option: 'keep_lookback_periods',
      ...{ code: 'lookback', kept: 101, min: 102, minPeriods: 100, warmup: null },
    });
    const slow = { fast: 10, slow: 60 };
    const warmup = STRATEGIES.get('ema_cross')?.warmup({ ...slow, band: 0 }) ?? 0;
    expect(warmup).toBeGreaterThan(100);
    expect(check({ ...periods, keep_lookback_periods: warmup + 2 }, slow)).toEqual([]);
    const [byWarmup] = check({ ...periods, keep_lookback_periods: warmup + 1 }, slow);
    expect(byWarmup).toMatchObject({ code: 'lookback', warmup });
  });

  test('a poll_scan_time that is no finite number is rejected by name and range', () => {
    for (const poll_scan_time of [Number.NaN, Infinity, '3000', null]) {
      const [fault] = faultsOf({ poll_scan_time });
      expect(fault).toMatchObject({ option: 'poll_scan_time', range: [1_000, 60_000] });
    }
  });

  test('an unknown strategy is rejected, and a parameter out of its range', () => {
    expect(checkSetup({ options: { strategy: 'nope' }, params: {} })).toMatchObject({
      faults: [{ option: 'strategy', code: 'unknown_strategy', id: 'nope' }],
    });
    expect(checkSetup({ options: { strategy: 'ema_cross' }, params: { fast: 1_000, colour: 1 } })).toMatchObject({
      faults: [{ option: 'fast' }, { option: 'colour' }],
    });
  });

  test('a pair in another currency is no fault', () => {
    expect(faulty({ watch_pairs: 'BTC-EUR', product_currency: 'USDT' })).toEqual([]);
  });

  test('all faults are reported at once, each option once', () => {
    const checked = checkSetup({
      options: { buy_pct: 101, leverage: 1, max_buy_size: -1, colour: 1, strategy: 'ema_cross' },
      params: { fast: 0 },
    });
    expect(checked.ok ? [] : checked.faults.map(({ option }) => option)).toEqual([
      'colour',
      'buy_pct',
      'max_buy_size',
      'fast',
    ]);
  });
});
