import { readFileSync } from 'node:fs';
import { OPTION_TEXTS } from '@heron/contract/locales/optionTexts.ts';
import { expect, test } from 'vitest';
import { OPTIONS_PAGE, optionsPage } from './docsOptions.ts';

test('docs/options.md agrees with the option table; npm run docs:options writes it', () => {
  expect(readFileSync(OPTIONS_PAGE, 'utf8')).toBe(optionsPage());
});

test('every option has its row in both languages', () => {
  const page = optionsPage();
  for (const [name, { title, help }] of Object.entries(OPTION_TEXTS)) {
    for (const language of ['zh', 'en'] as const) {
      expect(page).toContain(`\n| \`${name}\` | ${title[language]} | ${help[language]} |`);
    }
  }
});
