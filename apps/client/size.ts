import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Most JavaScript that a first visit may load before a screen shows, brotli, in bytes. */
export const JS_BUDGET = 120_000;
/** Most CSS of the same visit, brotli, in bytes. */
export const CSS_BUDGET = 9_000;
/** Most JavaScript files of the same visit. Each one takes a request, and its own time to compress and compile. */
export const FILE_BUDGET = 14;

interface ManifestEntry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, ManifestEntry>>;

/**
 * A first visit loads these files, the larger language, and all their static imports. The manifest lists `boot.ts` by its
 * page, and `boot.ts` imports the shell.
 */
const FIRST = ['index.html', 'src/app/start.tsx'];
const LANGUAGES = ['src/locales/zh-CN/first.ts', 'src/locales/en/first.ts'];

/**
 * Measures the first load of a build.
 *
 * @param dist folder of the build, with its manifest and the `.br` beside each file
 * @returns bytes as they travel, by file
 */
export async function firstLoad(dist: string): Promise<{ js: Map<string, number>; css: Map<string, number> }> {
  const manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  const js = new Map<string, number>();
  const css = new Map<string, number>();
  const size = async (file: string) => (await readFile(join(dist, `${file}.br`))).length;

  async function add(key: string): Promise<void> {
    const entry = manifest[key];
    if (!entry) throw new Error(`The manifest of ${dist} has no ${key}`);
    if (js.has(entry.file)) return;
    js.set(entry.file, await size(entry.file));
    for (const file of entry.css ?? []) css.set(file, await size(file));
    for (const next of entry.imports ?? []) await add(next);
  }

  for (const key of FIRST) {
    await add(key);
  }
  const languages = await Promise.all(
    LANGUAGES.map(async (key) => ({ key, bytes: await size((manifest[key] as ManifestEntry).file) })),
  );
  const largest = languages.sort((a, b) => b.bytes - a.bytes)[0];
  if (largest) await add(largest.key);
  return { js, css };
}

export const total = (sizes: ReadonlyMap<string, number>): number =>
  [...sizes.values()].reduce((sum, one) => sum + one, 0);
