import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Golden, goldenOf, goldenRuns } from './runs.ts';

const KNOWN: Readonly<Record<string, Golden>> = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'golden.json'), 'utf8'),
);

test('real candles make the fills they always made', () => {
  const now = Object.fromEntries(goldenRuns().map((run) => [run.name, goldenOf(run)]));
  expect(
    now,
    'A trade has changed. If that is meant, run `npm run golden:update` and explain the change in the commit.',
  ).toEqual(KNOWN);
});
