import { expect, test } from 'vitest';
import { formatters } from '../../lib/format.ts';
import type { Preferences } from '../../lib/preferences.ts';
import { loadTexts } from '../../locales/loadTexts.ts';
import { translator } from '../../locales/texts.ts';
import { seriesTitle } from './seriesTitle.ts';

/** Returns the preferences that labels depend on. */
async function preferencesOf(tag: 'en' | 'zh-CN'): Promise<Preferences> {
  const language = tag === 'en' ? 'en' : 'zh';
  return { t: translator(await loadTexts(tag, 'all'), tag), format: formatters(tag), language } as Preferences;
}

const english = await preferencesOf('en');
const chinese = await preferencesOf('zh-CN');

test('a line has the title of the parameter with its name, or its own title', () => {
  expect(seriesTitle({ id: 'ema_cross', params: {} }, 'fast', chinese)).toBe('快线');
  expect(seriesTitle({ id: 'macd', params: {} }, 'histogram', english)).toBe('Histogram');
  expect(seriesTitle({ id: 'macd', params: {} }, 'of_a_newer_host', english)).toBe('of_a_newer_host');
});

test('a line of a rule has the title, the numbers and one named value of its part', () => {
  const rule = {
    id: 'custom',
    params: {
      parts: [
        { name: 'trend', indicator: 'ema', input: { length: 50 } },
        { name: 'macd', indicator: 'macd', input: {} },
      ],
    },
  };
  expect(seriesTitle(rule, 'trend.value', english)).toBe('EMA (50)');
  expect(seriesTitle(rule, 'macd.signal', english)).toBe('MACD (12, 26, 9) signal line');
  expect(seriesTitle(rule, 'macd.signal', chinese)).toBe('MACD (12, 26, 9) 信号线');
  expect(seriesTitle(rule, 'rule', chinese)).toBe('规则（1 买，-1 卖）');
  expect(seriesTitle(rule, 'gone.value', english)).toBe('gone.value');
});

test('a line of a vote names its member, with a number if a strategy votes twice', () => {
  const parts = [{ name: 'trend', indicator: 'ema', input: { length: 50 } }];
  const vote = {
    id: 'vote',
    params: {
      members: [
        { id: 'macd', params: {} },
        { id: 'rsi', params: {} },
        { id: 'macd', params: { fast: 5 } },
        { id: 'custom', params: { parts } },
      ],
    },
  };
  expect(seriesTitle(vote, 'buy_votes', english)).toBe('Buy votes');
  expect(seriesTitle(vote, '1.signal', english)).toBe('MACD #1 · Signal');
  expect(seriesTitle(vote, '3.histogram', chinese)).toBe('MACD #3 · 柱');
  expect(seriesTitle(vote, '2.rsi', english)).toBe('RSI');
  expect(seriesTitle(vote, '4.trend.value', english)).toMatch(/ · EMA \(50\)$/);
  expect(seriesTitle(vote, '9.rsi', english)).toBe('9.rsi');
});
