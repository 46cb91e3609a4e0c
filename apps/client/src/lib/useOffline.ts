import { useSyncExternalStore } from 'react';
import { stream } from './server.ts';
import { currentSession, onSession } from './session.ts';

/**
 * Returns whether no action is possible: the app started without the server, or the device is offline and the stream is
 * closed.
 */
function isOffline(): boolean {
  const session = currentSession();
  const isFromCache = session.state === 'member' && session.isFromCache === true;
  // A device without internet access may still reach a local server.
  return isFromCache || (!navigator.onLine && stream.status() !== 'open');
}

function subscribe(listener: () => void): () => void {
  const unsubscribes = [stream.onStatus(listener), onSession(listener)];
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Returns whether actions are impossible because the server cannot be reached. */
export function useOffline(): boolean {
  return useSyncExternalStore(subscribe, isOffline);
}
