import { botCalls } from '@heron/contract/bots/calls.ts';
import { describe, expect, test } from 'vitest';
import { checkDraft, type Draft, defaultParams, emptyDraft } from './draft.ts';

const words = { nameMissing: 'name!', pairsMissing: 'pairs!' };
const check = (part: Partial<Draft>) => checkDraft({ ...emptyDraft(), name: 'One', ...part }, 'en', words);

function faultsOf(part: Partial<Draft>) {
  const checked = check(part);
  return checked.ok ? {} : checked.faults;
}

describe('a new bot', () => {
  test('at its defaults needs nothing but a name, and is what the contract takes', () => {
    const checked = check({});
    expect(checked.ok).toBe(true);
    if (!checked.ok) return;
    expect(botCalls.create.body?.parse(checked.body)).toMatchObject(checked.body);
    expect(checked.body.options).toMatchObject({ currency_capital: 10_000, watch_pairs: 'BTC-USDT,ETH-USDT' });
  });

  test('without name and pairs is told of both', () => {
    expect(faultsOf({ name: '  ', pairs: [] })).toEqual({ name: 'name!', pairs: 'pairs!' });
  });

  test('with a figure out of range is told at its field', () => {
    const figures = { ...emptyDraft().figures, currency_capital: '1000001', buy_pct: '' };
    expect(Object.keys(faultsOf({ figures })).sort()).toEqual(['buy_pct', 'currency_capital']);
  });

  test('with a parameter out of range is told at the field of the parameter', () => {
    const params = { ...defaultParams('ema_cross'), fast: '1' };
    expect(Object.keys(faultsOf({ strategy: 'ema_cross', params }))).toEqual(['params.fast']);
  });

  test('with parameters that do not fit together is told at the strategy, in the language asked for', () => {
    const draft = { ...emptyDraft(), name: 'x', strategy: 'ema_cross', params: { fast: '50', slow: '20', band: '0' } };
    expect(checkDraft(draft, 'zh', words)).toEqual({ ok: false, faults: { strategy: '慢线必须长于快线' } });
  });
});
