import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bannedWordsIn } from './bannedWords.ts';
import { filesIn } from './sources.ts';
import toleratedWords from './toleratedWords.json' with { type: 'json' };

const ROOT = path.join(import.meta.dirname, '..');

/** Returns the complaints of cspell about a text, as `npm run check` makes them for a file of this name. */
function complaintsOf(file: string, text: string): string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [
      path.join('node_modules', 'cspell', 'bin.mjs'),
      ...['lint', '--no-progress', '--no-summary', '--no-color'],
      `stdin://${path.join(ROOT, file)}`,
    ],
    { cwd: ROOT, input: text },
  );
  return [...stdout.toString().matchAll(/Forbidden word \((\w+)\)/g)].map(([, word = '']) => word);
}

test('banned words are found inside names as well', () => {
  expect(bannedWordsIn('x.ts', 'startAnew anewAt ANEW_MS renew')).toEqual(['anew', 'anew', 'anew']);
});

test('a fixed name does not count, in the files where it is fixed', () => {
  const text = 'tell_unknown_accounts: tellsWithdrawals, least(a, b), greatest(a, b)';
  expect(bannedWordsIn('apps/bothost/src/store/botEquity.ts', text)).toEqual([]);
  expect(bannedWordsIn('packages/engine/src/money/units.ts', text)).toEqual(['greatest']);
});

test('cspell rejects a banned word, and allows a fixed name where it is fixed', () => {
  const text = "const told = 1;\nconst name = 'tell_unknown_accounts';\nconst sql = 'greatest(1, 2)';\n";
  expect(complaintsOf('apps/bothost/src/store/sample.ts', text)).toEqual(['told']);
  expect(complaintsOf('packages/engine/src/sample.ts', text)).toEqual(['told', 'greatest']);
});

test.each(Object.entries(toleratedWords))('every word that %s tolerates still occurs there', (pattern, words) => {
  const found = filesIn(ROOT, pattern).flatMap((file) =>
    bannedWordsIn(file, readFileSync(path.join(ROOT, file), 'utf8')),
  );
  expect(words.filter((word) => !found.includes(word))).toEqual([]);
});
