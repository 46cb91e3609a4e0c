import { globSync } from 'node:fs';
import path from 'node:path';

const SKIPPED = /^(node_modules|dist.*|coverage|\.git|\.cache)$/;

/**
 * Lists files below a folder, without installed packages and builds.
 *
 * @param pattern of names, such as `docs/*.md`
 * @returns paths relative to the folder, sorted
 */
export function filesIn(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder, exclude: (name) => SKIPPED.test(path.basename(name)) }).sort();
}

/** Returns whether a file holds tests, or serves only them. */
export function isTestFile(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || /(^|\/)(test|testing)\//.test(file) || file.startsWith('e2e/');
}
