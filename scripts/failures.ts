import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** The file in which `npm test` collects failures, to repeat them at its end; absent in any other run. */
const FILE = process.env.HERON_FAILURES;
const ROOT = path.join(import.meta.dirname, '..');
/** Lines of each failure that are repeated; the full output is further up. */
const MAX_LINES = 30;

/** Records a failure for the end of `npm test`, so that it is still in a log of which only the end is kept. */
export function recordFailure(name: string, what: string): void {
  if (FILE === undefined) return;
  const lines = stripVTControlCharacters(what).trimEnd().split('\n').slice(0, MAX_LINES);
  appendFileSync(FILE, `${[`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join('\n')}\n`);
}

/** Records failed tests, files that could not run, and errors outside tests. */
export default class FailureReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const module of modules) {
      const file = path.relative(ROOT, module.moduleId);
      for (const error of module.errors()) recordFailure(file, described(error));
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) recordFailure(`${file} > ${suite.fullName}`, described(error));
      }
      for (const test of module.children.allTests('failed')) {
        const errors = test.result().errors ?? [];
        recordFailure(`${file} > ${test.fullName}`, errors.map(described).join('\n'));
      }
    }
    for (const error of unhandled) recordFailure('an error outside the tests', described(error));
  }
}

function described({ message, diff, stack }: SerializedError): string {
  const where = stack?.split('\n').find((line) => line.trimStart().startsWith('at ') && line.includes(ROOT));
  return [message, diff, where].filter(Boolean).join('\n');
}
