import { OPTION_TABLE } from '@heron/engine/options/table.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { describe, expect, test } from 'vitest';
import { changeOf, differences } from './differences.ts';
import {
  draftOfBot,
  emptySetup,
  joinEdits,
  type SetupDraft,
  type SetupEdit,
  setupDraft,
  withEdit,
} from './setupDraft.ts';

const change = (edit: SetupEdit, before = emptySetup()) => changeOf(differences(before, withEdit(before, edit)));

describe('the sent changes of an edited set-up', () => {
  test('are empty while no value differs, even if it is written differently', () => {
    for (const strategy of STRATEGIES.keys()) {
      expect(change({}, setupDraft({ options: { strategy }, params: {} }))).toEqual({ options: {}, params: {} });
    }
    expect(change({ texts: { buy_pct: '20.0', takerFee: ' 0.1' } })).toEqual({ options: {}, params: {} });
    expect(change({ texts: { product_currency: 'usdt' } })).toEqual({ options: {}, params: {} });
  });

  test('contain only differences, with the time at which each takes effect', () => {
    const before = emptySetup();
    const edit = { texts: { takerFee: '0.2', period: '5m' }, tables: { profit_win: [] }, pairs: ['BTC-USDT'] };
    const found = differences(before, withEdit(before, edit));
    const options = { takerFee: 0.2, period: '5m', profit_win: [], watch_pairs: 'BTC-USDT' };
    expect(changeOf(found)).toEqual({ options, params: {} });
    expect(Object.fromEntries(found.map((one) => ['item' in one && one.item.name, one.acts]))).toEqual({
      takerFee: 'now',
      period: 'reload',
      profit_win: 'now',
      watch_pairs: 'now',
    });
  });

  test('leave out hidden options', () => {
    expect(change({ texts: { leverage: '5' } })).toEqual({ options: {}, params: {} });
    const futures = setupDraft({ options: { exchange: 'binanceusdm-demo' }, params: {} });
    expect(change({ texts: { leverage: '5' } }, futures)).toEqual({ options: { leverage: 5 }, params: {} });
  });

  test('contain an incomplete number, so that it is reported as invalid', () => {
    expect(change({ texts: { buy_pct: '' } }).options).toEqual({ buy_pct: Number.NaN });
  });

  test('contain the parameters of a new strategy, and none of the previous one', () => {
    const typed = joinEdits({ params: { fast: '9' } }, { texts: { strategy: 'ema_cross' } });
    const { options, params } = change(typed);
    expect(options).toEqual({ strategy: 'ema_cross' });
    expect(params).toMatchObject({ fast: expect.any(Number), slow: expect.any(Number) });
    expect(params.fast).not.toBe(9);
    expect(change(joinEdits(typed, { texts: { strategy: 'macd' } }))).toEqual({ options: {}, params: {} });
  });

  test('distinguish the parameters that an active grid does not follow', () => {
    const acts = (before: SetupDraft, edit: SetupEdit) =>
      Object.fromEntries(
        differences(before, withEdit(before, edit)).map((one) => ['param' in one && one.param.name, one.acts]),
      );
    const grid = setupDraft({ options: { strategy: 'grid' }, params: {} });
    const edit = { params: { levels: '20', recentre: 'true' } };
    expect(acts(grid, edit)).toEqual({ levels: 'next_plan', recentre: 'now' });
    expect(acts(emptySetup(), { texts: { strategy: 'grid' }, ...edit })).toMatchObject({ levels: 'reload' });
  });

  test('leave a parameter without a field unchanged', () => {
    const members = [{ id: 'macd', params: {} }];
    const strategy = { id: 'vote', params: { members } };
    const options = Object.fromEntries(OPTION_TABLE.map(({ name, value }) => [name, value]));
    const before = draftOfBot({ options: { ...options, strategy: 'vote' }, strategy });
    expect(before.others).toEqual({ members });
    expect(change({ texts: { buy_pct: '10' } }, before)).toEqual({ options: { buy_pct: 10 }, params: {} });
  });
});
