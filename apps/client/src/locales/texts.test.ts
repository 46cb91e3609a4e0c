import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { en } from './en.ts';
import { type Text, translator } from './texts.ts';
import { zhCN } from './zh-CN.ts';

const forms = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('the languages', () => {
  test('have the same keys', () => {
    expect(Object.keys(zhCN).sort()).toEqual(Object.keys(en).sort());
  });

  test('fill the same placeholders in every form of every text', () => {
    for (const [key, text] of Object.entries(en)) {
      const expected = placeholders(forms(text)[0] as string);
      for (const form of [...forms(text), ...forms(zhCN[key as keyof typeof zhCN])]) {
        expect({ key, names: placeholders(form) }).toEqual({ key, names: expected });
      }
    }
  });

  test('have every plural form that they need', () => {
    for (const [language, texts] of [
      ['en', en],
      ['zh-CN', zhCN],
    ] as const) {
      const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [key, text] of Object.entries(texts as Record<string, Text>)) {
        if (typeof text !== 'string')
          expect({ key, forms: Object.keys(text).sort() }).toEqual({ key, forms: [...needed].sort() });
      }
    }
  });

  test('leave no English word in Chinese but names of things', () => {
    const kept = /\b(USDT|MACD|RSI|ID|PIN|K|IP|HMAC|API( Key)?|Secret( Key)?)\b|\{\w+\}|^[\s%×@：，。,（）→]*$/g;
    for (const [key, text] of Object.entries(zhCN as Record<string, Text>)) {
      for (const form of forms(text))
        expect({ key, rest: form.replace(kept, '') }).toEqual({ key, rest: expect.not.stringMatching(/[A-Za-z]{2,}/) });
    }
  });

  test('hold no text that no source asks for', () => {
    const sources = join(import.meta.dirname, '..');
    const code = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('locales') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(sources, file), 'utf8'))
      .join('\n');
    const unused = Object.keys(en).filter((key) => {
      const [group, name] = key.split('.') as [string, string];
      const asked = code.includes(`'${key}'`);
      // Families are asked for as `group.${value}` or by a table of their values.
      const family = code.includes(`\`${group}.\${`) || code.includes(`known('${group}',`);
      return !asked && !(family && (new RegExp(`\\b${name}\\b`).test(code) || group === 'role'));
    });
    expect(unused).toEqual([]);
  });
});

describe('t()', () => {
  test('fills placeholders and writes numbers as the language does', () => {
    const t = translator(en, 'en');
    expect(t('waiting.gathering', { held: 1200, needed: 'x' })).toBe('The strategy is warming up: 1,200 of x candles.');
  });

  test('chooses the plural by count', () => {
    const t = translator(en, 'en');
    expect(t('bots.pairs', { count: 1 })).toBe('1 pair');
    expect(t('bots.pairs', { count: 3 })).toBe('3 pairs');
    expect(translator(zhCN, 'zh-CN')('bots.pairs', { count: 1 })).toBe('1 个交易对');
  });

  test('takes values as they are: a placeholder in a value is not filled again', () => {
    expect(translator(en, 'en')('bot.deleted', { name: '{name}<b>' })).toBe('{name}<b> was deleted');
  });
});
