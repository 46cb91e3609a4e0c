import type { QueryClient } from '@tanstack/react-query';
import { go } from '../lib/navigation.ts';
import { currentSession, type Session, setSession } from '../lib/session.ts';
import { retryDelayMs } from '../lib/stream.ts';

/**
 * Requests the session until the server responds, while the offline cache is on screen, and then continues live. For
 * another user it reloads the page, since nothing is stored for them.
 *
 * @param pending the pending request
 * @param ask sends the request again
 */
export async function resumeSession(pending: Promise<Session>, ask: () => Promise<Session>, queries: QueryClient) {
  const shown = currentSession();
  let found = await pending;
  for (let tries = 0; found.state === 'unreachable'; tries++) {
    await worthTrying(retryDelayMs(tries, Math.random()));
    found = await ask();
  }
  if (found.state === 'member' && shown.state === 'member' && found.user.uid !== shown.user.uid) {
    location.reload();
    return;
  }
  // An ended session led to the login screen before this device signed in automatically.
  const wasOut = currentSession().state === 'anonymous';
  setSession(found);
  if (found.state !== 'member') return;
  if (wasOut) go(location.pathname + location.search, { root: true });
  else await queries.invalidateQueries();
}

/** Resolves when the network is back, when the page is visible again, or after `ms`. */
function worthTrying(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const onVisible = () => document.visibilityState === 'visible' && done();
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    document.addEventListener('visibilitychange', onVisible);
    function done() {
      clearTimeout(timer);
      removeEventListener('online', done);
      document.removeEventListener('visibilitychange', onVisible);
      resolve();
    }
  });
}
