/** The worker decides by this part of a request. */
export interface HandledRequest {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/** The platform serves these paths itself. Some of them respond to a navigation, but none is a page of the app. */
const OF_THE_SERVER = /^\/(api|api\.php|panacea|docs|healthz|readyz)(\/|$)/;

/**
 * Decides how the worker handles a request of its page: with the page of the app or with a file of the build. With null
 * the browser sends the request to the server. The worker never handles data.
 *
 * @param origin of the worker
 */
export function handlingOf({ method, mode, url }: HandledRequest, origin: string): 'page' | 'file' | null {
  const { origin: at, pathname } = new URL(url);
  if (method !== 'GET' || at !== origin) return null;
  // The platform distinguishes pages from files in the same way.
  if (mode === 'navigate') return OF_THE_SERVER.test(pathname) || /\.[^/]+$/.test(pathname) ? null : 'page';
  return pathname.startsWith('/assets/') ? 'file' : null;
}
