import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { defaultOptions, OPTION_TABLE } from '@heron/engine/options/table.ts';
import { describe, expect, test } from 'vitest';
import { checkSetupDraft, defaultParams, shownParams } from '../../../entities/bot/setup/setupDraft.ts';
import { withVenue } from '../../../entities/bot/setup/standards.ts';
import { checkDraft, type Draft, draftLike, emptyDraft, withImport, withKnownKey } from './draft.ts';

const messages = {
  nameMissing: 'name!',
  pairsMissing: 'pairs!',
  keyMissing: 'key!',
  capitalMissing: 'capital!',
  allotmentWrong: 'share!',
  allotmentTooLarge: 'too much!',
};
const unknown = { available: null, messages };
const texts = (given: Record<string, string>) => ({ texts: { ...emptyDraft().texts, ...given } });
const check = (part: Partial<Draft>) => checkDraft({ ...emptyDraft(), name: 'One', ...part }, 'en', unknown);

const warningsOf = (draft: Draft) => checkSetupDraft(draft, 'en').warnings;

function faultsOf(part: Partial<Draft>) {
  const checked = check(part);
  return checked.ok ? {} : checked.faults;
}

describe('a new bot', () => {
  test('with the defaults needs only a name, and is valid by the contract', () => {
    const checked = check({});
    expect(checked.ok).toBe(true);
    if (!checked.ok) return;
    expect(botCalls.create.body?.parse(checked.body)).toMatchObject(checked.body);
    expect(checked.body.options).toMatchObject({ currency_capital: 10_000, watch_pairs: 'BTC-USDT,ETH-USDT' });
  });

  test('without name and pairs gets an error at both', () => {
    expect(faultsOf({ name: '  ', pairs: [] })).toEqual({ name: 'name!', pairs: 'pairs!' });
  });

  test('on paper needs a capital', () => {
    expect(faultsOf(texts({ currency_capital: '0' }))).toEqual({ currency_capital: 'capital!' });
    expect(faultsOf(texts({ currency_capital: '0.01' }))).toEqual({});
  });

  test('gets the only key of its venue, unless it has one that exists', () => {
    const chosen = (key: string, keys: string[]) =>
      withKnownKey(
        { ...emptyDraft(), account: { ...emptyDraft().account, key } },
        keys.map((id) => ({ id })),
      ).account.key;
    expect(chosen('', ['a'])).toBe('a');
    expect(chosen('b', ['a', 'b'])).toBe('b');
    // Its key was removed.
    expect(chosen('b', ['a', 'c'])).toBe('');
    expect(chosen('b', ['a'])).toBe('a');
    expect(chosen('', ['a', 'b'])).toBe('');
    expect(chosen('', [])).toBe('');
  });

  test('that is live needs a key and a valid share, or the whole account', () => {
    const live = (account: Partial<Draft['account']>) => ({
      ...texts({ mode: 'live' }),
      account: { ...emptyDraft().account, ...account },
    });
    const key = 'c2b5fd6a-2e0f-4c39-9a3b-0c8c8e2a3d10';
    expect(faultsOf(live({}))).toEqual({ key: 'key!', allotment: 'share!' });
    expect(faultsOf(live({ key, allotment: '0' }))).toEqual({ allotment: 'share!' });
    const part = check(live({ key, allotment: '２，500.5' }));
    expect(part.ok && botCalls.create.body?.parse(part.body)).toMatchObject({ key, allotment: '2500.5' });
    // More than the engine can hold.
    expect(faultsOf(live({ key, allotment: '99,999,999' }))).toEqual({ allotment: 'share!' });
    // At most what is available, to the last unit.
    const given = { available: '2500.5', messages };
    const checked = (allotment: string) =>
      checkDraft({ ...emptyDraft(), name: 'One', ...live({ key, allotment }) }, 'en', given);
    expect(checked('2500.5').ok).toBe(true);
    for (const allotment of ['2500.50000001', '99,999,999'])
      expect(checked(allotment)).toEqual({ ok: false, faults: { allotment: 'too much!' } });
    const all = check(live({ key, share: 'all', allotment: 'x' }));
    expect(all.ok && all.body).not.toHaveProperty('allotment');
    expect(all.ok && all.body.options).not.toHaveProperty('currency_capital');
  });

  test('that is live on an exchange without stop orders gets a warning at once', () => {
    const warned = (mode: string, exchange: string) =>
      warningsOf({ ...emptyDraft(), ...texts({ mode, exchange }) }).map(({ option }) => option);
    expect(warned('live', 'mexc')).toContain('stop_sell');
    expect(warned('live', 'binance')).not.toContain('stop_sell');
    expect(warned('paper', 'mexc')).not.toContain('stop_sell');
  });

  test('has the fees of its venue; a change of the venue keeps fees that were typed', () => {
    const fees = ({ takerFee, makerFee }: Draft['texts']) => ({ takerFee, makerFee });
    expect(fees(emptyDraft().texts)).toEqual({ takerFee: '0.1', makerFee: '0.1' });
    const future = emptyDraft('binanceusdm-demo').texts;
    expect(fees(future)).toEqual({ takerFee: '0.05', makerFee: '0.02' });
    expect(fees(withVenue(future, 'mexc'))).toEqual({ takerFee: '0.05', makerFee: '0' });
    expect(fees(withVenue(future, 'uniswap'))).toEqual({ takerFee: '0.3', makerFee: '0.3' });
    const typed = withVenue({ ...future, takerFee: '0.04' }, 'pancakeswap');
    expect(typed).toMatchObject({ takerFee: '0.04', makerFee: '0.25', exchange: 'pancakeswap' });
  });

  test('on futures starts with a leverage of 3, and accepts 1 to 125', () => {
    const { texts: future } = emptyDraft('binanceusdm');
    expect(future.leverage).toBe('3');
    const faults = (leverage: string) => Object.keys(faultsOf({ texts: { ...future, leverage } }));
    expect([faults('1'), faults('125')]).toEqual([[], []]);
    expect([faults('0'), faults('126')]).toEqual([['leverage'], ['leverage']]);
  });

  test('that copies a bot leaves out options that the bot does not use', () => {
    const options = { ...defaultOptions(), leverage: 20, market: 'both', takerFee: 0.2 } as const;
    const copy = draftLike({ options, strategy: { id: 'macd', params: {} } as BotDetail['strategy'] }, 'Copy');
    expect(copy.texts).toMatchObject({ leverage: '3', market: 'only_long', takerFee: '0.2' });
    const future = { ...options, exchange: 'binanceusdm' } as const;
    const same = draftLike({ options: future, strategy: { id: 'macd', params: {} } as BotDetail['strategy'] }, 'Copy');
    expect(same.texts).toMatchObject({ leverage: '20', market: 'both' });
  });

  test('on paper is sent without an account, even if one was entered', () => {
    const paper = check({ account: { key: 'x', share: 'part', allotment: '5' } });
    expect(paper.ok && Object.keys(paper.body).sort()).toEqual(['name', 'options', 'params']);
  });

  test('with a number out of range gets an error at its field', () => {
    const wrong = texts({ currency_capital: '1000001', buy_pct: '', quarentine_time: 'x' });
    expect(Object.keys(faultsOf(wrong)).sort()).toEqual(['buy_pct', 'currency_capital', 'quarentine_time']);
  });

  test('with a parameter out of range gets an error at the field of the parameter', () => {
    const params = { ...defaultParams('ema_cross'), fast: '1' };
    expect(Object.keys(faultsOf({ ...texts({ strategy: 'ema_cross' }), params }))).toEqual(['params.fast']);
  });

  test('with a grid or DCA plan shows relevant parameters and rejects unprofitable grids', () => {
    const shown = (strategy: string, given: Record<string, string> = {}) =>
      shownParams({ ...emptyDraft(), ...texts({ strategy }), params: { ...defaultParams(strategy), ...given } }).map(
        ({ name }) => name,
      );
    expect(shown('dca', { mode: 'periodic' })).toEqual(['mode', 'every', 'amount', 'only_below_ema']);
    expect(shown('dca')).toContain('rsi_low');
    expect(shown('dca')).not.toContain('signal');
    expect(shown('dca', { start: 'strategy' })).toContain('signal');
    expect(shown('grid')).toContain('range_pct');
    expect(shown('grid', { lower: '90', upper: '110' })).not.toContain('range_pct');
    const params = { ...defaultParams('grid'), levels: '100', range_pct: '1' };
    expect(Object.keys(faultsOf({ ...texts({ strategy: 'grid' }), params }))).toEqual(['params.levels']);
  });

  test('with contradictory parameters gets an error at the strategy, in its language', () => {
    const params = { fast: '50', slow: '20', band: '0' };
    const draft = { ...emptyDraft(), name: 'x', ...texts({ strategy: 'ema_cross' }), params };
    expect(checkDraft(draft, 'zh', unknown)).toEqual({ ok: false, faults: { strategy: '慢线必须长于快线' } });
  });

  test('has a field for every option of the table, and sends the shown options', () => {
    const draft = emptyDraft();
    const names = [...Object.keys(draft.texts), ...Object.keys(draft.tables), 'watch_pairs'].sort();
    expect(names).toEqual(OPTION_TABLE.map(({ name }) => name).sort());
    const sent = (given: Record<string, string>) => {
      const checked = check(texts(given));
      return checked.ok ? Object.keys(checked.body.options) : [];
    };
    expect(sent({})).not.toContain('leverage');
    expect(sent({ exchange: 'binanceusdm-demo' })).toContain('leverage');
    // An invalid but hidden option is not reported.
    expect(faultsOf(texts({ leverage: 'x' }))).toEqual({});
    expect(Object.keys(faultsOf(texts({ exchange: 'binanceusdm-demo', leverage: 'x' })))).toEqual(['leverage']);
  });

  test('sends exit tables as entered, and an empty table disables its exits', () => {
    const tables = { ...emptyDraft().tables, profit_win: [], stop_sell: [{ profit: '2.5', stop: '50' }] };
    const checked = check({ tables });
    expect(checked.ok && checked.body.options).toMatchObject({
      profit_win: [],
      stop_sell: [{ profit: 2.5, stop: 50 }],
    });
    const twins = [
      { profit: '5', stop: '50' },
      { profit: '5', stop: '' },
    ];
    expect(Object.keys(faultsOf({ tables: { ...tables, stop_sell: twins } }))).toEqual(['stop_sell']);
  });

  test('gets warnings before it has a name, and none while a value is invalid', () => {
    const risky = { ...emptyDraft(), ...texts({ exchange: 'binanceusdm-demo', buy_pct: '100' }) };
    expect(warningsOf(risky).map(({ option }) => option)).toEqual(['buy_pct']);
    expect(warningsOf({ ...risky, texts: { ...risky.texts, leverage: '' } })).toEqual([]);
    expect(warningsOf(emptyDraft())).toEqual([]);
  });
});

describe('an imported set-up', () => {
  const account = { key: 'c2b5fd6a', share: 'part', allotment: '500' } as const;
  const draft = { ...emptyDraft(), ...texts({ mode: 'live', exchange: 'binance-demo' }), name: 'Mine', account };
  const taken = (options: Record<string, unknown>) =>
    withImport(draft, { options, params: {} }, ['binance-demo', 'binanceusdm-demo']);

  test('keeps name, mode and account on the same venue', () => {
    const { name, texts: taking, account: kept } = taken({ exchange: 'binance-demo', mode: 'paper', buy_pct: 7 });
    expect([name, taking.mode, taking.buy_pct, kept]).toEqual(['Mine', 'live', '7', account]);
  });

  test('of another venue or currency resets the account', () => {
    const none = { key: '', share: 'part', allotment: '' };
    expect(taken({ exchange: 'binanceusdm-demo' })).toMatchObject({ account: none, texts: { mode: 'live' } });
    expect(taken({ exchange: 'binance-demo', product_currency: 'USDC' })).toMatchObject({ account: none });
  });

  test('of a venue without live trading is set to paper', () => {
    expect(taken({ exchange: 'mexc-demo' }).texts).toMatchObject({ exchange: 'mexc-demo', mode: 'paper' });
  });
});
