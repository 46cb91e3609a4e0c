import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commentsOf, isHeadless, longSentences } from './comments.ts';
import { filesIn } from './sources.ts';

const ROOT = path.join(import.meta.dirname, '..');
const MAX_WORDS = 25;

/** Folders whose comments are checked. The others still hold comments without a subject. */
const CHECKED = [
  'apps/bothost',
  'apps/cli',
  'apps/client',
  'apps/platform',
  'apps/sandbox',
  'bench',
  'e2e',
  'packages/contract',
  'packages/database',
  'packages/engine',
  'packages/exchanges',
  'packages/runtime',
  'scripts',
];

let headless = 0;
let long = 0;
for (const folder of CHECKED) {
  for (const name of filesIn(path.join(ROOT, folder), '**/*.{ts,tsx,mjs}')) {
    const file = path.join(folder, name);
    for (const comment of commentsOf(file, readFileSync(path.join(ROOT, file), 'utf8'))) {
      if (isHeadless(comment)) {
        console.error(`${file}:${comment.line}  begins without a subject: ${comment.text.slice(0, 80)}`);
        headless += 1;
      }
      const sentences = longSentences(comment, MAX_WORDS);
      long += sentences.length;
      if (process.argv.includes('--long')) {
        for (const sentence of sentences) console.log(`${file}:${comment.line}  ${sentence}`);
      }
    }
  }
}
if (long > 0) console.log(`${long} sentences in comments have more than ${MAX_WORDS} words; --long lists them.`);
if (headless > 0) process.exitCode = 1;
