const started = new Map<string, Promise<Response>>();

const MEMBER = 'heron.member';

/** Keeps in mind whether somebody was logged in here, so that the next visit asks early only for what it may see. */
export function rememberVisit(member: boolean): void {
  try {
    if (member) localStorage.setItem(MEMBER, '1');
    else localStorage.removeItem(MEMBER);
  } catch {}
}

/** Whether somebody was probably logged in here. A guess: only the server knows. */
export function wasMember(): boolean {
  try {
    return localStorage.getItem(MEMBER) !== null;
  } catch {
    return false;
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
