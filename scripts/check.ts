import { spawn } from 'node:child_process';
import path from 'node:path';
import { noteFailure } from './failures.ts';

const ROOT = path.join(import.meta.dirname, '..');

/** The checks write into pipes; whether a person reads along only this process can see. */
const COLOURS = process.stdout.isTTY === true;

/** What must hold before anything is committed; `npm run fix` mends most of what Biome finds. */
const CHECKS: readonly { readonly name: string; readonly command: readonly string[] }[] = [
  {
    name: 'types',
    command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit', ...(COLOURS ? ['--pretty'] : [])],
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
  { name: 'dead code', command: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'house', command: ['scripts/check-house.ts'] },
  { name: 'lockfiles', command: ['scripts/check-lockfiles.ts'] },
];

type Result = { readonly name: string; readonly passed: boolean; readonly output: string; readonly seconds: number };

/** All run, so that one look shows all that is wrong. */
const results = await Promise.all(CHECKS.map(({ name, command }) => check(name, command)));
for (const { name, passed, output } of results) {
  if (passed) continue;
  process.stdout.write(`${output.trimEnd()}\n`);
  noteFailure(name, output);
}
for (const { name, passed, seconds } of results) {
  console.log(`${passed ? '✓' : '✗'} ${name.padEnd(10)} ${seconds.toFixed(1)} s`);
}
if (results.some((result) => !result.passed)) process.exitCode = 1;

function check(name: string, command: readonly string[]): Promise<Result> {
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
      resolve({ name, passed: code === 0, output, seconds: (performance.now() - began) / 1000 }),
    );
  });
}
