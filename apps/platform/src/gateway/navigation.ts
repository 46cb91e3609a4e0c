import type { FastifyRequest } from 'fastify';

/** Returns whether a browser requests a page, rather than a script, an image or data. */
export function isNavigation({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
}
