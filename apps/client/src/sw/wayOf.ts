/** The part of a request that the worker decides by. */
export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/** Served by the platform itself; some answer a browser that navigates to them, and none is a page of the app. */
const OF_THE_SERVER = /^\/(api\.php|panacea|docs|healthz|readyz)(\/|$)/;

/**
 * How the worker answers a request of its page: with the app itself, with a file of the build, or, `null`, not at all, so
 * that the browser asks the server as if there were no worker. Data is never its affair.
 *
 * @param origin where the worker lives
 */
export function wayOf({ method, mode, url }: Asked, origin: string): 'page' | 'file' | null {
  const { origin: at, pathname } = new URL(url);
  if (method !== 'GET' || at !== origin) return null;
  // As the platform tells pages from files.
  if (mode === 'navigate') return OF_THE_SERVER.test(pathname) || /\.[^/]+$/.test(pathname) ? null : 'page';
  return pathname.startsWith('/assets/') ? 'file' : null;
}
