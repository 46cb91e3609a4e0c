import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { anchorsOf, brokenLinks } from './checkLinks.ts';

function checkout(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'heron-links-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}

test('anchors are those that GitHub makes of headings', () => {
  const page =
    '# A `buy_pct` page\n\n## Fees, and more!\n## Fees, and more!\n```\n# no heading\n```\n## [Link](x.md)\n## 中文';
  expect([...anchorsOf(page)]).toEqual(['a-buy_pct-page', 'fees-and-more', 'fees-and-more-1', 'link', '中文']);
});

test('links to files and headings that exist are not reported', () => {
  const root = checkout({
    'README.md': '[a](docs/a.md) [b](docs/a.md#one) [c](#here) <img src="docs/x.png"> [d](https://x.y/z)\n# Here\n',
    'docs/a.md': '# One\n```\n[no](link.md)\n```\n',
    'docs/x.png': '',
    'scripts/x.ts': '/** @see docs/a.md#one */',
  });
  expect(brokenLinks(root)).toEqual([]);
});

test('links to missing files and headings are reported with their line', () => {
  const root = checkout({
    'docs/a.md': '# One\n\n[b](b.md)\n[c](#two)\n',
    'scripts/x.ts': '\n/** @see docs/a.md#three */\n// docs/gone.md\n',
  });
  expect(brokenLinks(root)).toEqual([
    { file: 'docs/a.md', line: 3, link: 'b.md', problem: 'docs/b.md does not exist' },
    { file: 'docs/a.md', line: 4, link: '#two', problem: 'docs/a.md has no heading #two' },
    { file: 'scripts/x.ts', line: 2, link: 'docs/a.md#three', problem: 'docs/a.md has no heading #three' },
    { file: 'scripts/x.ts', line: 3, link: 'docs/gone.md', problem: 'docs/gone.md does not exist' },
  ]);
});
