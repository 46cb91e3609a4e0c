import { INDICATOR_LABELS, INPUT_LABELS, OUTPUT_LABELS } from '@heron/contract/locales/ruleLabels.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { completeParts, type Part, type Point } from '@heron/engine/strategies/custom/part.ts';
import { PART_KINDS } from '@heron/engine/strategies/custom/partKinds.ts';
import { describe, expect, test } from 'vitest';
import { entryFault } from '../../../features/botSetup/fields/entryFault.ts';
import { formatters } from '../../../lib/format.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import { rules as english } from '../../../locales/en/rules.ts';
import { translator } from '../../../locales/texts.ts';
import { rules as chinese } from '../../../locales/zh-CN/rules.ts';
import { withGiven } from './givenParams.ts';
import { membersIn } from './members.ts';
import { firstPoint, movedPart, partsIn, withChanged, withIndicator, withoutPart, withPart } from './ruleParts.ts';
import { ruleSentence } from './ruleSentence.ts';
import { checkSetupDraft, emptySetup, paramEdit, shownParams, withEdit } from './setupDraft.ts';
import { paramText } from './valueLabels.ts';

/** Returns the preferences that labels depend on. */
function preferencesOf(language: 'en' | 'zh'): Preferences {
  const tag = language === 'en' ? 'en' : 'zh-CN';
  const locale = { language, format: formatters(tag), t: translator(language === 'en' ? english : chinese, tag) };
  return locale as Preferences;
}

const param = (strategy: string, name: string) => {
  const found = STRATEGIES.get(strategy)?.params.find((each) => each.name === name);
  if (found?.type !== 'structure') throw new Error(`${strategy} has no ${name}`);
  return found;
};

const STANDARD = partsIn(param('custom', 'parts').value);
const isRight = (parts: readonly Part[]) => completeParts(parts).ok;

describe('a rule', () => {
  test('has a sentence of when it buys and when it sells, from top to bottom', () => {
    expect(ruleSentence(STANDARD, 'buyPoint', preferencesOf('en'))).toBe(
      'Buys when the close is above EMA (50), and RSI (14) crosses above 45.',
    );
    expect(ruleSentence(STANDARD, 'sellPoint', preferencesOf('zh'))).toBe('当 RSI (14) 下穿 70 时卖出。');
    const [trend, rsi] = STANDARD as [Part, Part];
    const repaired = { ...rsi, buyPoint: { ...rsi.buyPoint, connect: 'base' } as Point };
    expect(ruleSentence([trend, repaired], 'buyPoint', preferencesOf('en'))).toBe(
      'Buys when RSI (14) crosses above 45.',
    );
    expect(ruleSentence([trend], 'sellPoint', preferencesOf('en'))).toBe('Never sells by a signal; exits and you do.');
  });

  test('has labels for every indicator, input and value in both languages', () => {
    const locale = [...PART_KINDS].flatMap(([id, { inputs, outputs }]) => [
      INDICATOR_LABELS[id],
      ...Object.keys(inputs).map((name) => INPUT_LABELS[name]),
      ...(outputs.length > 1 ? outputs.map((name) => OUTPUT_LABELS[name]) : []),
    ]);
    for (const text of locale) expect(text).toEqual({ zh: expect.stringMatching(/./), en: expect.stringMatching(/./) });
    expect(Object.keys(INDICATOR_LABELS).sort()).toEqual([...PART_KINDS.keys()].sort());
  });

  test('stays valid when parts are added, moved, changed to any indicator and removed', () => {
    expect(isRight(STANDARD)).toBe(true);
    for (const indicator of PART_KINDS.keys()) {
      const added = withPart(STANDARD, indicator);
      expect(isRight(added)).toBe(true);
      expect(isRight(movedPart(added, 2, -1))).toBe(true);
      const changed = withIndicator(added, 0, indicator);
      expect(isRight(changed)).toBe(true);
      // References to the first part now refer to its first output.
      expect(changed[0]?.buyPoint).toMatchObject({
        source: 'close',
        target: `trend.${PART_KINDS.get(indicator)?.outputs[0]}`,
      });
      expect(isRight(withIndicator(added, 1, indicator))).toBe(true);
    }
    const alone = withoutPart(
      [
        ...STANDARD,
        {
          ...(STANDARD[1] as Part),
          name: 'third',
          buyPoint: { connect: 'or', source: 'rsi.value', op: 'gt', target: 1 },
        },
      ],
      1,
    );
    expect(isRight(alone)).toBe(true);
    expect(alone.map(({ name, buyPoint }) => [name, buyPoint.connect])).toEqual([
      ['trend', 'base'],
      ['third', 'none'],
    ]);
    expect(new Set(withPart(withPart(STANDARD, 'ema'), 'ema').map(({ name }) => name)).size).toBe(4);
  });

  test('keeps all conditions when another part becomes the first', () => {
    const [trend, rsi] = STANDARD as [Part, Part];
    const either = [trend, { ...rsi, buyPoint: { ...rsi.buyPoint, connect: 'or' } as Point }];
    const turned = movedPart(either, 1, -1);
    expect(ruleSentence(turned, 'buyPoint', preferencesOf('en'))).toBe(
      'Buys when RSI (14) crosses above 45, or the close is above EMA (50).',
    );
    expect(movedPart(turned, 0, 1)).toEqual(either);
    // A part that gets its first condition before the others does not disable them.
    const sells = withChanged(STANDARD, 0, { ...trend, sellPoint: firstPoint(trend, true) });
    expect(ruleSentence(sells, 'sellPoint', preferencesOf('en'))).toBe(
      'Sells when the close is above EMA (50), and RSI (14) crosses below 70.',
    );
  });

  test('reports an error at the part that causes it', () => {
    const wrong = STANDARD.map((part, at) => (at === 1 ? { ...part, input: { length: Number.NaN } } : part));
    expect(entryFault(param('custom', 'parts'), wrong, 'en')).toEqual({
      message: 'Indicator 2: Length must be a whole number from 2 to 300',
      entry: 1,
    });
    const members = [
      { id: 'macd', params: {} },
      { id: 'rsi', params: { length: 0 } },
    ];
    expect(entryFault(param('vote', 'members'), members, 'zh')).toMatchObject({ entry: 1 });
    expect(entryFault(param('vote', 'members'), [], 'en')).toMatchObject({ entry: undefined });
  });
});

test('unknown data is read where it is valid', () => {
  expect(partsIn([null, 3, { indicator: 'nothing' }, { indicator: 'macd' }])).toMatchObject([
    { name: 'macd', indicator: 'macd', input: { fast: 12, slow: 26, signal: 9 }, buyPoint: { connect: 'none' } },
  ]);
  expect(membersIn('rsi')).toEqual([]);
  expect(membersIn([{ id: 'rsi' }, {}])).toMatchObject([{ id: 'rsi', params: { length: expect.any(Number) } }]);
});

test('every strategy can be set up in the form and is valid with its defaults', () => {
  for (const id of STRATEGIES.keys()) {
    const draft = withEdit({ ...emptySetup(), pairs: ['BTC-USDT'] }, { texts: { strategy: id } });
    expect(checkSetupDraft(draft, 'en').faults).toEqual({});
  }
  const custom = withEdit({ ...emptySetup(), pairs: ['BTC-USDT'] }, { texts: { strategy: 'custom' } });
  expect(shownParams(custom).map(({ name }) => name)).toEqual(['parts']);
  const edited = withEdit(custom, { others: { parts: withPart(STANDARD, 'macd') } });
  expect(checkSetupDraft(edited, 'en').faults).toEqual({});
  const wrong = withEdit(custom, { others: { parts: [] } });
  expect(Object.keys(checkSetupDraft(wrong, 'en').faults)).toEqual(['params.parts']);
  // Another strategy has other parameters.
  expect(withEdit(edited, { texts: { strategy: 'vote' } }).others).toEqual({});
});

describe('parameters of the strategy that starts a deal', () => {
  const empty = { ...emptySetup(), pairs: ['BTC-USDT'] };
  const start = withEdit(empty, { texts: { strategy: 'dca' }, params: { start: 'strategy', signal: 'rsi' } });
  const given = withEdit(start, { others: { signal_params: withGiven('rsi', {}, { length: 9 }) } });

  test('have fields when a strategy starts it, and only differences are stored', () => {
    expect(shownParams(start).map(({ name }) => name)).toContain('signal_params');
    expect(shownParams(withEdit(start, { params: { start: 'now' } })).map(({ name }) => name)).not.toContain(
      'signal_params',
    );
    expect(given.others).toEqual({ signal_params: [{ length: 9 }] });
    expect(checkSetupDraft(given, 'en').faults).toEqual({});
    const standard = STRATEGIES.get('rsi')?.params.find(({ name }) => name === 'length')?.value;
    expect(withGiven('rsi', { length: 9 }, { length: standard })).toEqual([]);
  });

  test('are reported at their own field when they are invalid', () => {
    const wrong = withEdit(given, { others: { signal_params: [{ length: 1 }] } });
    expect(checkSetupDraft(wrong, 'en').faults).toEqual({
      'params.signal_params': 'Length must be a whole number from 2 to 100',
    });
  });

  test('are removed when another strategy starts it', () => {
    const other = withEdit(given, paramEdit(given, 'signal', 'psar'));
    expect(other.others).toEqual({ signal_params: [] });
    expect(checkSetupDraft(other, 'en').faults).toEqual({});
    expect(withEdit(other, paramEdit(other, 'signal', 'rsi', given.others))).toEqual(given);
    expect(paramEdit(given, 'take_profit', '2')).toEqual({ params: { take_profit: '2' } });
  });

  test('are shown with their titles', () => {
    const signalParams = param('dca', 'signal_params');
    expect(paramText(signalParams, [{ length: 9 }], preferencesOf('en'))).toMatch(/^Length 9$/i);
    expect(paramText(signalParams, [], preferencesOf('zh'))).toBe('策略自带参数');
  });
});
