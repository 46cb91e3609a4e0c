import { expect, test } from 'vitest';
import { slippageText } from './slippageText.ts';
import { chinese, english } from './testLocales.ts';

test('slippage says whether the fills were worse or better', () => {
  expect(slippageText('0.44', '0.44%', english)).toBe('0.44% worse');
  expect(slippageText(-0.44, '0.44%', english)).toBe('0.44% better');
  expect(slippageText('0', '0.00%', english)).toBe('0.00%');
  expect(slippageText(1, '1.00 USDT', chinese)).toBe('1.00 USDT（不利）');
});
