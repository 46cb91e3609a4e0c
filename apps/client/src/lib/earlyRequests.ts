/** The path of `memberInfo`. An import of the contract would add its schemas to the first script. */
export const MEMBER_INFO_PATH = '/api/member/memberInfo';

const started = new Map<string, Promise<Response>>();

const MEMBER = 'heron.member';

/**
 * Stores who is signed in here. The next visit then sends only early requests that this user may make, and reads only
 * their cache. All windows share it: a sign-out in one window is a sign-out in all.
 *
 * @param uid null when nobody is
 */
export function rememberVisit(uid: number | null): void {
  try {
    if (uid === null) localStorage.removeItem(MEMBER);
    else localStorage.setItem(MEMBER, String(uid));
  } catch {}
}

/** Returns who was probably signed in here; null for nobody. Only the server knows for certain. */
export function lastMember(): number | null {
  try {
    return Number(localStorage.getItem(MEMBER)) || null;
  } catch {
    return null;
  }
}

const keyOf = (url: string, init: RequestInit | undefined) => `${init?.method ?? 'GET'} ${url} ${init?.body ?? ''}`;

/** Discards the early requests. Responses from before a sign-in, or for another page, must not serve later requests. */
export function discardEarlyRequests(): void {
  started.clear();
}

/** Sends a request that the app will need soon, while the app is still loading. */
export function startEarlyRequest(url: string, init: RequestInit): void {
  const answer = fetch(url, init);
  // The caller that uses this promise handles its failure; without a caller the failure is ignored.
  answer.catch(() => {});
  started.set(keyOf(url, init), answer);
}

/** Works like `fetch`, but uses the early request with the same method, address and body, once. */
export const fetchOrUseEarly: typeof fetch = (url, init) => {
  const key = keyOf(String(url), init);
  const early = started.get(key);
  if (!early) return fetch(url, init);
  started.delete(key);
  return early;
};
