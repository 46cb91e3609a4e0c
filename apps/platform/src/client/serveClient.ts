import { existsSync } from 'node:fs';
import path from 'node:path';
import staticFiles from '@fastify/static';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyInstance } from 'fastify';
import { isNavigation } from '../gateway/navigation.ts';

/** Files in it have a hash of their content in their name. */
const HASHED = /[\\/]assets[\\/]/;
const PAGE = 'index.html';

/**
 * Serves the built client: files, `.br` files for brotli, and `index.html` for every other address that a browser
 * opens.
 *
 * @param folder may be built later
 */
export async function serveClient(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(staticFiles, {
    root: folder,
    suppressWarning: true,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders(reply, file) {
      const immutable = HASHED.test(path.sep + path.relative(folder, file));
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.setNotFoundHandler(async (request, reply) => {
    const [asked = ''] = request.url.split('?', 1);
    const isFile = path.posix.extname(asked) !== '';
    const isPage = isNavigation(request) && !isFile && existsSync(path.join(folder, PAGE));
    if (!isPage) throw new CallError('not_found');
    return reply.sendFile(PAGE);
  });
}
