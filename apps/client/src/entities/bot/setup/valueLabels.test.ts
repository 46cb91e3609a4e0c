import { OPTIONS } from '@heron/engine/options/table.ts';
import { expect, test } from 'vitest';
import { formatters } from '../../../lib/format.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import { loadTexts } from '../../../locales/loadTexts.ts';
import { translator } from '../../../locales/texts.ts';
import { optionText } from './valueLabels.ts';

test('the value of an option is shown in the language of the user, never as stored', async () => {
  const languages: Preferences[] = [];
  for (const [tag, language] of [['en', 'en'] as const, ['zh-CN', 'zh'] as const])
    languages.push({
      t: translator(await loadTexts(tag, 'all'), tag),
      format: formatters(tag),
      language,
    } as Preferences);
  const label = (name: string, value: unknown) =>
    languages.map((preferences) => optionText(OPTIONS.get(name) as never, value, preferences));
  expect(label('exchange', 'binanceusdm')).toEqual(['Binance USD-M futures', '币安U本位合约']);
  expect(label('exchange', 'of_a_newer_host')).toEqual(['of_a_newer_host', 'of_a_newer_host']);
  expect(label('strategy', 'ema_cross')).toEqual(['EMA cross', '均线交叉']);
  expect(label('mode', 'paper')).toEqual(['Paper', '模拟盘']);
  expect(label('watch_pairs', 'BTC-USDT,ETH-USDT')).toEqual(['BTC-USDT, ETH-USDT', 'BTC-USDT, ETH-USDT']);
});
