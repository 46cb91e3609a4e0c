import { expect, test } from 'vitest';
import { acceptedLanguage } from './language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['zh', 'zh'],
  ['zh-Hans-CN', 'zh'],
  ['en-US,en;q=0.9,zh-CN;q=0.8', 'en'],
  ['fr;q=0.3, zh-TW;q=0.7, en;q=0.5', 'zh'],
  ['zh;q=0', 'en'],
  ['zh;q=x', 'en'],
  ['de', 'en'],
] as const)('%j is parsed as %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});
