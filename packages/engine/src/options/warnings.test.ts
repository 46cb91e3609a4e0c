import { describe, expect, test } from 'vitest';
import { options } from '../../test/harness.ts';
import { optionWarnings } from './warnings.ts';

const warned = (given: Parameters<typeof options>[0], maintenancePercent?: number) =>
  optionWarnings(options(given), ...(maintenancePercent === undefined ? [] : [{ maintenancePercent }]));
const names = (...given: Parameters<typeof warned>) => warned(...given).map(({ option }) => option);

const FUTURES = { exchange: 'binanceusdm', leverage: 10 };
const stopAt = (...profits: number[]) => profits.map((profit) => ({ profit, stop: 100 }));

describe('warnings at save time', () => {
  test('the defaults warn of nothing, on spot, DeFi and futures', () => {
    for (const exchange of ['binance', 'mexc', 'binanceusdm', 'uniswap']) expect(names({ exchange })).toEqual([]);
  });

  describe('the liquidation guard acts first', () => {
    // At 10× and 0.4 % the liquidation is 9.6 % away, 80 % of that is 7.68 %.
    test.each([
      [10, 7.68, false],
      [10, 7.69, true],
      [10, 7.680001, true],
      [20, 3.68, false],
      [20, 3.69, true],
      [125, 0.32, false],
      [125, 0.33, true],
      [25, 5, true],
    ])('at %i× with a full stop at %d %%: %s', (leverage, profit, expected) => {
      // Without targets, fees at high leverage cause no warnings here.
      const calm = { profit_win: [], profit_callback: [] };
      expect(names({ ...FUTURES, ...calm, leverage, stop_sell: stopAt(profit) }).includes('stop_sell')).toBe(expected);
    });

    test('it counts the nearest row that sells all, in whatever order the rows stand', () => {
      expect(names({ ...FUTURES, stop_sell: stopAt(20, 7) })).toEqual([]);
      expect(names({ ...FUTURES, stop_sell: [{ profit: 3, stop: 50 }, ...stopAt(8)] })).toEqual(['stop_sell']);
      expect(names({ ...FUTURES, stop_sell: [{ profit: 30, stop: 99 }] })).toEqual([]);
      expect(names({ ...FUTURES, stop_sell: [] })).toEqual([]);
    });

    test('it uses the maintenance margin rate of the market', () => {
      const stop = { ...FUTURES, stop_sell: stopAt(7) };
      // (10 % − 1.25 %) · 0.8 = 7 %
      expect(names(stop, 1.25)).toEqual([]);
      expect(names(stop, 1.26)).toEqual(['stop_sell']);
    });

    test('the warning contains both distances', () => {
      expect(warned({ ...FUTURES, stop_sell: stopAt(8) })).toEqual([
        { option: 'stop_sell', code: 'guard_before_stop', leverage: 10, guard: '7.68', stop: 8 },
      ]);
    });

    test('it does not apply to spot, whatever leverage is stored', () => {
      expect(names({ leverage: 125, stop_sell: stopAt(100) })).toEqual([]);
    });
  });

  describe('callback exits may not cover the fees', () => {
    const callback = (leverage: number, rest = {}) => names({ ...FUTURES, leverage, stop_sell: stopAt(1), ...rest });

    test('0.1 + 0.1 at 10× is 2, below 5 · 60 % = 3: fine; at 20× it is 4: warned', () => {
      expect(callback(10)).toEqual([]);
      expect(callback(20)).toEqual(['profit_callback']);
    });

    test('it warns from equality on: 15× is 3', () => {
      expect(callback(14)).toEqual([]);
      expect(callback(15)).toEqual(['profit_callback']);
      expect(callback(15, { takerFee: 0.09 })).toEqual([]);
    });

    test('it counts the maximum share kept, the maker entry fee and the taker exit fee', () => {
      const rows = [
        { profit: 30, stop: 50 },
        { profit: 80, stop: 50 },
      ];
      // 5 · 80 % = 4 = 20 · 0.2
      expect(callback(20, { profit_callback: rows })).toEqual(['profit_callback']);
      expect(callback(19, { profit_callback: rows })).toEqual([]);
      // 15 · (0.02 + 0.18) = 3; as taker 15 · 0.36
      expect(callback(15, { makerFee: 0.02, takerFee: 0.18 })).toEqual(['profit_callback']);
      expect(callback(15, { makerFee: 0.02, takerFee: 0.17 })).toEqual([]);
      expect(callback(15, { makerFee: 0.02, takerFee: 0.17, order_type: 'taker' })).toEqual(['profit_callback']);
    });

    test('it applies to spot as well, and not when the table is empty', () => {
      expect(names({ profit_callback_start: 0 })).toEqual(['profit_callback']);
      expect(names({ profit_callback_start: 1, profit_callback: [{ profit: 20, stop: 100 }] })).toEqual([
        'profit_callback',
      ]);
      expect(names({ profit_callback_start: 1, profit_callback: [{ profit: 21, stop: 100 }] })).toEqual([]);
      expect(names({ profit_callback_start: 0, profit_callback: [] })).toEqual([]);
    });

    test('the warning contains both figures', () => {
      const [warning] = warned({ ...FUTURES, leverage: 20, stop_sell: stopAt(1) });
      expect(warning).toMatchObject({ code: 'callback_below_fees', profit: '3', fees: '4' });
    });
  });

  test('the smallest target warns when it is no more than the fees', () => {
    const win = (profit: number) => [
      { profit: 50, stop: 50 },
      { profit, stop: 50 },
    ];
    expect(names({ profit_win: win(0.2) })).toEqual(['profit_win']);
    expect(names({ profit_win: win(0.200001) })).toEqual([]);
    expect(names({ ...FUTURES, profit_win: win(2) })).toEqual(['profit_win']);
    expect(names({ ...FUTURES, profit_win: win(2.1) })).toEqual([]);
    expect(names({ profit_win: [] })).toEqual([]);
    // A take-profit uses order_type: 0.1 + 0.1 as maker, 0.3 + 0.3 as taker.
    expect(names({ takerFee: 0.3, profit_win: win(0.5) })).toEqual([]);
    expect(names({ takerFee: 0.3, profit_win: win(0.5), order_type: 'taker' })).toEqual(['profit_win']);
    // On DeFi every order is a taker order, whatever the stored option.
    expect(names({ exchange: 'uniswap', takerFee: 0.3, profit_win: win(0.6) })).toEqual(['profit_win']);
  });

  test('grid and DCA have their own exits, so callbacks and targets cause no warning', () => {
    const close = { profit_callback_start: 0, profit_win: [{ profit: 0.1, stop: 50 }] };
    expect(names({ ...close, strategy: 'macd' })).toEqual(['profit_callback', 'profit_win']);
    expect(names({ ...close, strategy: 'grid' })).toEqual([]);
    expect(names({ ...FUTURES, ...close, strategy: 'dca', stop_sell: stopAt(8) })).toEqual(['stop_sell']);
  });

  test('futures without a pair limit, or with all money per entry, warn of margin use', () => {
    expect(names({ ...FUTURES, max_buy_pair_count: 0 })).toEqual(['max_buy_pair_count']);
    expect(names({ ...FUTURES, buy_pct: 100 })).toEqual(['buy_pct']);
    expect(names({ ...FUTURES, max_buy_pair_count: 0, buy_pct: 100 })).toEqual(['max_buy_pair_count']);
    expect(names({ ...FUTURES, max_buy_pair_count: 1, buy_pct: 99.9 })).toEqual([]);
    expect(names({ max_buy_pair_count: 0, buy_pct: 100 })).toEqual([]);
  });

  test('cross margin without a stop that sells all is warned of', () => {
    const cross = { ...FUTURES, margin_mode: 'cross' };
    expect(names({ ...cross, stop_sell: [] })).toEqual(['stop_sell']);
    expect(names({ ...cross, stop_sell: [{ profit: 5, stop: 99 }] })).toEqual(['stop_sell']);
    expect(names({ ...cross, stop_sell: stopAt(5) })).toEqual([]);
    expect(names({ ...cross, stop_sell: [], trailing_stop: stopAt(5) })).toEqual([]);
    expect(names({ ...cross, stop_sell: [], trailing_stop: stopAt(5), strategy: 'grid' })).toContain('stop_sell');
    expect(names({ ...FUTURES, stop_sell: [] })).toEqual([]);
    expect(names({ margin_mode: 'cross', stop_sell: [] })).toEqual([]);
  });

  test('a live bot on an exchange without stop orders is warned that Heron must run', () => {
    expect(names({ exchange: 'mexc', mode: 'live' })).toEqual(['stop_sell']);
    expect(names({ exchange: 'mexc', mode: 'live', stop_sell: [] })).toEqual([]);
    expect(names({ exchange: 'binance', mode: 'live' })).toEqual([]);
  });
});
