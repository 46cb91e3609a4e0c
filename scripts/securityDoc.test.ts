import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');
const page = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');
const named = [...page.matchAll(/`([\w/-]+)`: "([^"]+)"/g)].map(([, file = '', title = '']) => ({ file, title }));

test.each(named)('the page on security names a test that is there: $file, "$title"', ({ file, title }) => {
  const source = path.join(ROOT, file.includes('/') ? '' : 'apps/platform/test', `${file}.test.ts`);
  expect(existsSync(source)).toBe(true);
  expect(readFileSync(source, 'utf8')).toContain(title);
});

test('every requirement on the page says in one word whether it is met', () => {
  const rows = page.split('\n').filter((line) => /^\| \d+\.\d+/.test(line));
  expect(rows.length).toBeGreaterThan(80);
  for (const row of rows) expect(row.split('|')[3]?.trim(), row).toMatch(/^(met|partly|\*\*not met\*\*|n\/a)$/);
});
