import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { first } from './en/first.ts';
import { loadTexts } from './loadTexts.ts';
import { type Key, type Text, type Texts, translator } from './texts.ts';

const SOURCES = join(import.meta.dirname, '..');
const en = (await loadTexts('en', 'all')) as Texts;
const zhCN = (await loadTexts('zh-CN', 'all')) as Texts;
const keys = Object.keys(en) as Key[];

const forms = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

/** Returns how a source uses a text: by its key, or by `group.${value}` or a table of values as one of a family. */
function asks(code: string, key: Key): 'by key' | 'as family' | null {
  const group = key.slice(0, key.indexOf('.'));
  const family = key.slice(0, key.lastIndexOf('.'));
  if (code.includes(`'${key}'`)) return 'by key';
  // Matches keys such as `venues.${environment}Text`.
  const endings = [...code.matchAll(new RegExp(`\`${group}\\.\\$\\{[^}]+\\}(\\w+)\``, 'g'))];
  if (endings.some(([, ending]) => key.endsWith(ending as string))) return 'by key';
  // The types in labels.ts pair each label with a member of an enumeration.
  if (code.includes(`label('${group}',`)) return 'by key';
  return [group, family].some((start) => code.includes(`\`${start}.\${`)) ? 'as family' : null;
}

/** Returns a source and its imports, without types and lazily loaded screens. */
function withImports(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const code = readFileSync(file, 'utf8');
  found.set(file, code);
  const imports = [...code.matchAll(/^import (?!type\b)[^'"]*'(\..+?\.tsx?)'/gm)];
  // Lazy screens load all texts. Any other import() may be shown with the texts of the first load only.
  const dynamic = /loadAllTexts\(\)|lazyScreen\(/.test(code) ? [] : [...code.matchAll(/import\('(\..+?\.tsx?)'\)/g)];
  for (const [, path] of [...imports, ...dynamic]) withImports(resolve(dirname(file), path as string), found);
  return found;
}

describe('the languages', () => {
  test('have the same keys', () => {
    expect(Object.keys(zhCN).sort()).toEqual([...keys].sort());
  });

  test.each(['en', 'zh-CN'])('have every key once in the files of %s, and contain all its files', (language) => {
    const folder = join(import.meta.dirname, language);
    const named = readdirSync(folder)
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}'([^']+)':/gm)])
      .map(([, key]) => key);
    expect(named.sort()).toEqual([...keys].sort());
  });

  test('fill the same placeholders in every form of every text', () => {
    for (const key of keys) {
      const expected = placeholders(forms(en[key])[0] as string);
      for (const form of [...forms(en[key]), ...forms(zhCN[key])]) {
        expect({ key, names: placeholders(form) }).toEqual({ key, names: expected });
      }
    }
  });

  test('have all plural forms that they need', () => {
    for (const [language, texts] of [
      ['en', en],
      ['zh-CN', zhCN],
    ] as const) {
      const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [key, text] of Object.entries(texts)) {
        if (typeof text !== 'string')
          expect({ key, forms: Object.keys(text).sort() }).toEqual({ key, forms: [...needed].sort() });
      }
    }
  });

  test('have no English word in Chinese except for names', () => {
    const kept =
      /\b(USDT|MACD|RSI|MEXC|key\.pem|ID|PIN|K|IP|HMAC|Ed25519|RSA|PEM|Webhook|Telegram|TradingView|iPhone|iPad|https?|socks5|IOC|STP|MIT|Maker|Post Only|API( Key)?|Secret( Key)?)\b|\/(status|profit|halt|help)\b|\{\w+\}|^[\s%×@：，。,（）→]*$/g;
    for (const [key, text] of Object.entries(zhCN)) {
      for (const form of forms(text))
        expect({ key, rest: form.replace(kept, '') }).toEqual({ key, rest: expect.not.stringMatching(/[A-Za-z]{2,}/) });
    }
  });

  test('contain no unused text', () => {
    const code = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('locales') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
      .join('\n');
    const unused = keys.filter((key) => {
      const asked = asks(code, key);
      const [group, name] = key.split('.') as [string, string];
      return asked === null || (asked === 'as family' && group !== 'role' && !new RegExp(`\\b${name}\\b`).test(code));
    });
    expect(unused).toEqual([]);
  });

  test('have all texts of the shell, the bot list and the login in the first load', () => {
    const loaded = withImports(join(SOURCES, 'app/start.tsx'));
    withImports(join(SOURCES, 'features/accounts/login/LoginScreen.tsx'), loaded);
    const late = [...loaded]
      .filter(([file]) => !file.startsWith(import.meta.dirname))
      .flatMap(([file, code]) =>
        keys
          .filter((key) => !(key in first) && asks(code, key) !== null)
          .map((key) => `${relative(SOURCES, file)}: ${key}`),
      );
    expect(loaded.size).toBeGreaterThan(50);
    expect(late).toEqual([]);
  });
});

describe('t()', () => {
  test('fills placeholders and formats numbers by language', () => {
    const t = translator(en, 'en');
    expect(t('waiting.gathering', { held: 1200, needed: 'x' })).toBe('The strategy is warming up: 1,200 of x candles.');
  });

  test('chooses the plural by count', () => {
    const t = translator(en, 'en');
    expect(t('bots.pairs', { count: 1 })).toBe('1 pair');
    expect(t('bots.pairs', { count: 3 })).toBe('3 pairs');
    expect(translator(zhCN, 'zh-CN')('bots.pairs', { count: 1 })).toBe('1 个交易对');
  });

  test('does not fill placeholders inside of values', () => {
    expect(translator(en, 'en')('bot.deleted', { name: '{name}<b>' })).toBe('{name}<b> was deleted');
  });

  test('shows the key of a text that is not loaded yet', () => {
    expect(translator(first, 'en')('bot.start')).toBe('bot.start');
    expect(translator(first, 'en')('bots.title')).toBe('Bots');
  });
});
