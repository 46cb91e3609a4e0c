import type { QueryClient } from '@tanstack/react-query';
import { go } from '../lib/navigation.ts';
import { currentSession, type Session, setSession } from '../lib/session.ts';
import { retryDelayMs } from '../lib/stream.ts';

/**
 * Asks who is here until the server answers, while what was kept is shown, and then goes on live: with the same person, or
 * with whoever it is now, of whom nothing was kept.
 *
 * @param asked the question that is under way
 * @param ask puts it again
 */
export async function comeBack(asked: Promise<Session>, ask: () => Promise<Session>, queries: QueryClient) {
  const shown = currentSession();
  let found = await asked;
  for (let tries = 0; found.state === 'unreachable'; tries++) {
    await worthTrying(retryDelayMs(tries, Math.random()));
    found = await ask();
  }
  if (found.state === 'member' && shown.state === 'member' && found.user.uid !== shown.user.uid) {
    location.reload();
    return;
  }
  // A session that had ended led to the login before this device logged in again by itself.
  const wasOut = currentSession().state === 'anonymous';
  setSession(found);
  if (found.state !== 'member') return;
  if (wasOut) go(location.pathname + location.search, { root: true });
  else await queries.invalidateQueries();
}

/** Resolves when the network came back, when the page is looked at again, or after a while. */
function worthTrying(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const looked = () => document.visibilityState === 'visible' && done();
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    document.addEventListener('visibilitychange', looked);
    function done() {
      clearTimeout(timer);
      removeEventListener('online', done);
      document.removeEventListener('visibilitychange', looked);
      resolve();
    }
  });
}
