import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** The file in which `npm test` collects what failed, to repeat it at its end; absent in any other run. */
const FILE = process.env.HERON_FAILURES;
const ROOT = path.join(import.meta.dirname, '..');
/** Of each failure; the whole is further up. */
const MOST_LINES = 30;

/** Notes a failure for the end of `npm test`, where a log of which only the end was kept still has it. */
export function noteFailure(name: string, what: string): void {
  if (FILE === undefined) return;
  const lines = stripVTControlCharacters(what).trimEnd().split('\n').slice(0, MOST_LINES);
  appendFileSync(FILE, `${[`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join('\n')}\n`);
}

/** Notes failed tests, files that could not be run, and errors outside tests. */
export default class FailureReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const module of modules) {
      const file = path.relative(ROOT, module.moduleId);
      for (const error of module.errors()) noteFailure(file, described(error));
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) noteFailure(`${file} > ${suite.fullName}`, described(error));
      }
      for (const test of module.children.allTests('failed')) {
        const errors = test.result().errors ?? [];
        noteFailure(`${file} > ${test.fullName}`, errors.map(described).join('\n'));
      }
    }
    for (const error of unhandled) noteFailure('an error outside the tests', described(error));
  }
}

function described({ message, diff, stack }: SerializedError): string {
  const where = stack?.split('\n').find((line) => line.trimStart().startsWith('at ') && line.includes(ROOT));
  return [message, diff, where].filter(Boolean).join('\n');
}
