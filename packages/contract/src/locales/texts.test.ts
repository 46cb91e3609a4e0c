import { OPTION_TABLE } from '@heron/engine/options/table.ts';
import { TEMPLATES } from '@heron/engine/options/templates.ts';
import { validateOptions } from '@heron/engine/options/validate.ts';
import { optionWarnings } from '@heron/engine/options/warnings.ts';
import { STRATEGIES, strategyOf } from '@heron/engine/strategies/catalogue.ts';
import { expect, test } from 'vitest';
import { OPTION_TEXTS } from './optionTexts.ts';
import { describeWarning } from './optionWarningText.ts';
import { SERIES_LABELS } from './seriesLabels.ts';
import { paramHelp, paramTitle, paramValueText, strategyHelp } from './strategyTexts.ts';
import { strategyTitle } from './strategyTitles.ts';
import { TEMPLATE_TEXTS } from './templateTexts.ts';

test('each option has a title and a help text in Chinese and English', () => {
  expect(Object.keys(OPTION_TEXTS)).toEqual(OPTION_TABLE.map(({ name }) => name));
  for (const { title, help } of Object.values(OPTION_TEXTS)) {
    for (const { zh, en } of [title, help]) {
      expect(zh).toMatch(/\p{Script=Han}/u);
      expect(en).toMatch(/^[\x20-\x7e]+$/);
    }
  }
});

test.each(['zh', 'en'] as const)('no two options have the same title in %s', (language) => {
  const titles = Object.values(OPTION_TEXTS).map(({ title }) => title[language]);
  expect(new Set(titles).size).toBe(titles.length);
});

test('each strategy, parameter and choice has texts in both languages', () => {
  for (const strategy of STRATEGIES.values()) {
    const texts = [strategyTitle(strategy.id), strategyHelp(strategy.id), ...strategy.params.map(paramTitle)];
    for (const param of strategy.params) {
      const help = paramHelp(param);
      expect(help?.zh, `${strategy.id} ${param.name}`).toMatch(/^.*\p{Script=Han}.*。$/u);
      expect(help?.en, `${strategy.id} ${param.name}`).toMatch(/^[A-Z0-9][\x20-\x7e]+\.$/);
      if (!('list' in param)) continue;
      for (const value of param.list) {
        const text = paramValueText(param, value);
        expect(text.zh, `${strategy.id} ${param.name}`).not.toBe(value);
        texts.push(text);
      }
    }
    for (const text of texts) expect([text?.zh, text?.en].filter(Boolean)).toHaveLength(2);
  }
});

test('exactly the series that no parameter names have labels', () => {
  const unnamed = [...STRATEGIES.values()].flatMap((strategy) => {
    const { params } = strategyOf(strategy.id, {});
    return strategy
      .series(params)
      .map(({ name }) => name)
      .filter((name) => !name.includes('.') && strategy.params.every((param) => param.name !== name));
  });
  expect(new Set(unnamed)).toEqual(new Set(Object.keys(SERIES_LABELS)));
});

test('each template has texts', () => {
  expect(Object.keys(TEMPLATE_TEXTS)).toEqual(TEMPLATES.map(({ id }) => id));
});

test('the texts of warnings contain their figures', () => {
  const warned = (given: Readonly<Record<string, unknown>>) => {
    const checked = validateOptions({ exchange: 'binanceusdm', ...given });
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    return optionWarnings(checked.options).map(describeWarning);
  };
  const [guard] = warned({ leverage: 10, stop_sell: [{ profit: 8, stop: 100 }] });
  expect(guard?.option).toBe('stop_sell');
  for (const text of [guard?.message.zh, guard?.message.en]) {
    for (const figure of ['10', '7.68%', '8%']) expect(text).toContain(figure);
  }
  const fees = warned({ leverage: 20, stop_sell: [{ profit: 1, stop: 100 }] }).find(
    ({ option }) => option === 'profit_callback',
  );
  for (const text of [fees?.message.zh, fees?.message.en]) {
    for (const figure of ['3%', '4%']) expect(text).toContain(figure);
  }
});
