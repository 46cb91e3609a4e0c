import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STRATEGIES } from '../strategies/catalogue.ts';
import { exportSetup, importSetup } from './document.ts';
import type { Item } from './item.ts';
import { checkSetup } from './setup.ts';
import { setupWarnings } from './setupWarnings.ts';
import { OPTION_TABLE } from './table.ts';
import { TEMPLATES } from './templates.ts';

/** Generates valid values of a single option. */
function givenValue(item: Item): fc.Arbitrary<unknown> {
  switch (item.type) {
    case 'number':
      return fc.double({ min: item.step[0], max: item.step[1], noNaN: true });
    case 'tab':
    case 'array':
      return fc.constantFrom(...item.list);
    case 'table':
      return fc.uniqueArray(
        fc.record({
          profit: fc.integer({ min: Math.ceil(item.columns.profit.step[0]), max: item.columns.profit.step[1] }),
          stop: fc.integer({ min: 1, max: 100 }),
        }),
        { maxLength: item.maxRows, selector: ({ profit }) => profit },
      );
    default:
      return fc.constant(item.value);
  }
}

const setups = fc.record({
  options: fc.record(
    {
      ...Object.fromEntries((OPTION_TABLE as readonly Item[]).map((item) => [item.name, givenValue(item)])),
      strategy: fc.constantFrom(...STRATEGIES.keys()),
    },
    { requiredKeys: [] },
  ),
  params: fc.constant({}),
});

describe('a set-up as a text', () => {
  test('comes back as the same set-up, but for whether it trades with money', () => {
    let read = 0;
    fc.assert(
      fc.property(setups, (given) => {
        const checked = checkSetup(given);
        if (!checked.ok) return;
        const { options, params } = checked;
        const imported = importSetup(exportSetup({ options, params }));
        if (!imported.ok) throw new Error(JSON.stringify(imported.faults));
        expect(imported.unknown).toEqual([]);
        expect(imported.setup.options).not.toHaveProperty('mode');
        const again = checkSetup({ ...imported.setup, options: { ...imported.setup.options, mode: options.mode } });
        expect(again).toEqual(checked);
        read++;
      }),
      { numRuns: 300 },
    );
    expect(read).toBeGreaterThan(20);
  });

  test('never has a key, a share or a mode, whatever is passed in', () => {
    const text = exportSetup({ options: { mode: 'live', key: 'k-1', allotment: '5', buy_pct: 10 }, params: {} });
    expect(JSON.parse(text)).toEqual({ heron: 2, options: { buy_pct: 10 }, params: {} });
  });

  test('reports unknown names and accepts the rest, and never becomes live', () => {
    const options = { buy_pct: 10, mode: 'live', key: 'k-1', __proto__x: 1, constructor: 2 };
    const read = importSetup(JSON.stringify({ heron: 2, options, params: { fast: 9, nonsense: 1 } }));
    expect(read).toEqual({
      ok: true,
      isBeforeVenues: false,
      setup: { options: { buy_pct: 10 }, params: { fast: 9 } },
      unknown: ['key', '__proto__x', 'constructor', 'nonsense'],
    });
  });

  test('with a wrong value is rejected with every fault', () => {
    const options = { buy_pct: 101, stop_sell: 'x', period: '2y' };
    const read = importSetup(JSON.stringify({ heron: 2, options }));
    expect(read.ok ? [] : read.faults.map((fault) => 'option' in fault && fault.option).sort()).toEqual([
      'buy_pct',
      'period',
      'stop_sell',
    ]);
  });

  test.each([
    [1, 'binance', 'binance-demo'],
    [1, 'mexc', 'mexc-demo'],
    [1, undefined, undefined],
    [2, 'binance', 'binance'],
  ])('of version %i with the exchange %s are for the venue %s', (heron, exchange, venue) => {
    const read = importSetup(JSON.stringify({ heron, options: { exchange } }));
    expect(read).toMatchObject({ ok: true, isBeforeVenues: heron === 1 });
    expect(read.ok && read.setup.options.exchange).toBe(venue);
  });

  test.each(['', 'x', 'null', '[]', '5', '{}', '{"heron":3}', '{"heron":2,"options":[]}', ' '.repeat(300_000)])(
    'is rejected when it is not one: %j',
    (text) => {
      const read = importSetup(text);
      expect(read.ok ? '' : read.faults[0]?.code).toMatch(/^document_/);
    },
  );

  test('of any text at all is read or rejected, and throws nothing', () => {
    const isAnswered = (text: string) => typeof importSetup(text).ok === 'boolean';
    const names = fc.constantFrom(...OPTION_TABLE.map(({ name }) => name));
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), isAnswered));
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), (options) => isAnswered(JSON.stringify({ heron: 2, options }))),
    );
  });
});

describe.each(TEMPLATES)('the template $id', ({ options, params }) => {
  test.each(['binance', 'binanceusdm', 'mexc'] as const)('is valid on %s and is warned of nothing', (exchange) => {
    const checked = checkSetup({ options: { ...options, exchange }, params });
    expect(checked.ok ? setupWarnings(checked) : checked.faults).toEqual([]);
  });

  test('leaves venue, mode, money and pairs to the user', () => {
    for (const name of ['exchange', 'mode', 'currency_capital', 'watch_pairs', 'product_currency'])
      expect(options).not.toHaveProperty(name);
  });

  test('is valid with whatever market, margin and fees it is used with', () => {
    const world = fc.record({
      exchange: fc.constantFrom('binance', 'binanceusdm', 'mexc'),
      market: fc.constantFrom('only_long', 'only_short', 'both'),
      margin_mode: fc.constantFrom('cross', 'isolated'),
      makerFee: fc.constantFrom(0.01, 0.02, 0.1, 0.2),
      takerFee: fc.constantFrom(0.01, 0.05, 0.1, 0.2),
    });
    fc.assert(
      fc.property(world, (given) => {
        const checked = checkSetup({ options: { ...options, ...given }, params });
        expect(checked.ok || checked.faults).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
