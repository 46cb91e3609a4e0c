import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const isHashed = (file: string) => file.startsWith('assets/');

/**
 * Writes the service worker, `sw.js`, with the list of build files that it caches. Writes the name of the build into
 * the page. The name is a hash of the file names, which contain hashes themselves.
 *
 * @param source path of the worker, which is built separately: it cannot share chunks with the page
 */
export function serviceWorker(source: string): Plugin {
  let id = '';
  return {
    name: 'heron:service-worker',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return [];
        const names = Object.keys(bundle).filter(isHashed).sort();
        id = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16);
        return [{ tag: 'meta', attrs: { name: 'heron-build', content: id }, injectTo: 'head' }];
      },
    },
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter(isHashed).sort();
      const built = (await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: { BUILD: JSON.stringify({ id, files: files.map((file) => `/${file}`) }) },
        build: { write: false, target: 'es2022', rolldownOptions: { input: source, output: { format: 'iife' } } },
      })) as Rolldown.RolldownOutput;
      await writeFile(join(dir, 'sw.js'), built.output[0].code);
    },
  };
}
