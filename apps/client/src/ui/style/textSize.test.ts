import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = path.join(import.meta.dirname, '..', '..');

test('text, controls and breakpoints follow the text size of the browser, not pixels', async () => {
  const fixed: string[] = [];
  let files = 0;
  for await (const file of glob('**/*.css', { cwd: SOURCE })) {
    files++;
    const text = await readFile(path.join(SOURCE, file), 'utf8');
    for (const [found] of text.matchAll(/(font-size|min-height|--press):\s*[\d.]+px|@media[^{]*\dpx/g))
      fixed.push(`${file}: ${found}`);
  }
  expect(files).toBeGreaterThan(10);
  expect(fixed).toEqual([]);
});
