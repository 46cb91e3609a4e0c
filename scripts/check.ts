import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { recordFailure } from './failures.ts';

const ROOT = path.join(import.meta.dirname, '..');

/** The checks write into pipes, so they cannot detect a terminal themselves. */
const COLOURS = process.stdout.isTTY === true;

/** Each must pass before a commit; `npm run fix` repairs most of what Biome finds. */
const CHECKS: readonly { readonly name: string; readonly command: readonly string[]; readonly advice?: string }[] = [
  {
    name: 'types',
    // Each further checker checks shared types again, which takes more processor time than it saves on two cores.
    command: [
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.json',
      '--noEmit',
      '--checkers',
      '1',
      ...(COLOURS ? ['--pretty'] : []),
    ],
  },
  {
    name: 'style',
    command: [
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      `--colors=${COLOURS ? 'force' : 'off'}`,
    ],
  },
  {
    name: 'words',
    command: [
      'node_modules/cspell/bin.mjs',
      'lint',
      '--no-progress',
      '--no-summary',
      '--cache',
      '--cache-strategy=content',
      `--cache-location=node_modules/.cache/cspell-${hashOfWordLists()}`,
      COLOURS ? '--color' : '--no-color',
    ],
    advice:
      'Names and terms that are spelt correctly go into scripts/dictionary.txt; docs/glossary.md has the words to use.',
  },
  { name: 'dead code', command: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'imports', command: ['scripts/checkImports.ts'] },
  { name: 'comments', command: ['scripts/checkComments.ts'] },
  { name: 'links', command: ['scripts/checkLinks.ts'] },
  { name: 'commits', command: ['scripts/checkCommits.ts'] },
  { name: 'lockfiles', command: ['scripts/checkLockfiles.ts'] },
];

/** cspell does not notice changes of these files, so that each version needs a cache of its own. */
function hashOfWordLists(): string {
  const hash = createHash('sha256');
  for (const file of ['bannedWords.json', 'dictionary.txt', 'fixedNames.json', 'toleratedWords.json']) {
    hash.update(readFileSync(path.join(import.meta.dirname, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

type Check = (typeof CHECKS)[number];
type Result = { readonly name: string; readonly passed: boolean; readonly output: string; readonly seconds: number };

/** All checks run even when one fails, so that one run shows every problem. */
const results = await Promise.all(CHECKS.map(run));
for (const { name, passed, output } of results) {
  if (passed) continue;
  process.stdout.write(`${output.trimEnd()}\n`);
  recordFailure(name, output);
}
for (const { name, passed, seconds } of results) {
  console.log(`${passed ? '✓' : '✗'} ${name.padEnd(10)} ${seconds.toFixed(1)} s`);
}
if (results.some((result) => !result.passed)) process.exitCode = 1;

function run({ name, command, advice }: Check): Promise<Result> {
  const began = performance.now();
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => {
    child.once('close', (code) =>
      resolve({
        name,
        passed: code === 0,
        output: advice === undefined ? output : `${output}${advice}\n`,
        seconds: (performance.now() - began) / 1000,
      }),
    );
  });
}
