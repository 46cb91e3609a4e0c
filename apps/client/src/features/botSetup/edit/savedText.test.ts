import { expect, test } from 'vitest';
import { first } from '../../../locales/en/first.ts';
import { rest } from '../../../locales/en/rest.ts';
import { translator } from '../../../locales/texts.ts';
import { savedText } from './savedText.ts';

const t = translator({ ...first, ...rest }, 'en');

test.each([
  [0, 'Changes saved'],
  [1, '1 change saved'],
  [2, '2 changes saved'],
])('saving %i changes is confirmed', (count, text) => {
  expect(savedText(count, t)).toBe(text);
});
