import { formatters } from '../../lib/format.ts';
import type { Locale } from '../../lib/preferences.ts';
import { loadTexts } from '../../locales/loadTexts.ts';
import { translator } from '../../locales/texts.ts';

/** English with all texts, for tests. */
export const english: Locale = {
  t: translator(await loadTexts('en', 'all'), 'en'),
  format: formatters('en'),
  language: 'en',
};

/** Chinese with all texts, for tests. */
export const chinese: Locale = {
  t: translator(await loadTexts('zh-CN', 'all'), 'zh-CN'),
  format: formatters('zh-CN'),
  language: 'zh',
};
