import { expect, test } from 'vitest';
import { commentsOf, isHeadless, longSentences } from './comments.ts';

test('line comments on lines that follow each other are one comment', () => {
  const source = '// The first line\n// Of two.\nconst a = 1; // Another.\n/** What it\n * holds. */\nconst b = 2;\n';
  expect(commentsOf('a.ts', source)).toEqual([
    { text: 'The first line Of two.', line: 1 },
    { text: 'Another.', line: 3 },
    { text: 'What it holds.', line: 4 },
  ]);
});

test('directives of tools are no comments', () => {
  expect(
    commentsOf('a.ts', '// biome-ignore lint/x: reason\nconst a = 1;\n// @ts-expect-error\nconst b = 2;\n'),
  ).toEqual([]);
});

test('a comment without a subject is headless', () => {
  const headless = (text: string) => isHeadless({ text, line: 1 });
  expect(['What rests.', 'Who asks.', 'Whoever asks.', 'Of two, one.'].every(headless)).toBe(true);
  expect(['Whole numbers.', 'Offers a price.', 'Returns what rests.'].some(headless)).toBe(false);
});

test('only sentences with more words than allowed are long', () => {
  const text = 'One two three four. One two three. @param a one two three four';
  expect(longSentences({ text, line: 1 }, 3)).toEqual(['One two three four.', '@param a one two three four']);
});
