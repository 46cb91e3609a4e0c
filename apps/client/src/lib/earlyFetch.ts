const started = new Map<string, Promise<Response>>();

const MEMBER = 'heron.member';

/**
 * Keeps in mind who was logged in here, so that the next visit asks early only for what it may see, and finds what was kept
 * for them alone. All windows share it: a log-out in one is one in all.
 *
 * @param uid null when nobody is
 */
export function rememberVisit(uid: number | null): void {
  try {
    if (uid === null) localStorage.removeItem(MEMBER);
    else localStorage.setItem(MEMBER, String(uid));
  } catch {}
}

/** Returns who was probably signed in here; null for nobody. Only the server knows for sure. */
export function lastMember(): number | null {
  try {
    return Number(localStorage.getItem(MEMBER)) || null;
  } catch {
    return null;
  }
}

const keyOf = (url: string, init: RequestInit | undefined) => `${init?.method ?? 'GET'} ${url} ${init?.body ?? ''}`;

/** What was asked before somebody logged in, or before they looked at something else, answers no later question. */
export function forgetEarly(): void {
  started.clear();
}

/** Sends a request that the app will make soon, while it is still loading. */
export function fetchEarly(url: string, init: RequestInit): void {
  const answer = fetch(url, init);
  // Whoever takes it sees the failure; untaken, it is nobody's.
  answer.catch(() => {});
  started.set(keyOf(url, init), answer);
}

/** `fetch` that takes the answer of an early request with the same method, address and body, once. */
export const takingFetch: typeof fetch = (url, init) => {
  const key = keyOf(String(url), init);
  const early = started.get(key);
  if (!early) return fetch(url, init);
  started.delete(key);
  return early;
};
