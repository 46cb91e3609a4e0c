import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);

/** Writes `file.br` beside each text file of the build, so that the server need not compress it. */
export function brotli(): Plugin {
  let folder = '';
  return {
    name: 'heron:brotli',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      await Promise.all(
        entries
          .filter((entry) => entry.isFile() && /\.(js|css|html|svg|json|webmanifest)$/.test(entry.name))
          .map(async (entry) => {
            const path = join(entry.parentPath, entry.name);
            const bytes = await readFile(path);
            const packed = await compress(bytes, {
              params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
            });
            await writeFile(`${path}.br`, packed);
          }),
      );
    },
  };
}
