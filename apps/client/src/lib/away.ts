import { useSyncExternalStore } from 'react';
import { stream } from './server.ts';
import { currentSession, onSession } from './session.ts';

/**
 * Returns whether no action is possible: the app started without the server, or the device is offline and the stream is
 * closed.
 */
function isAway(): boolean {
  const session = currentSession();
  const isKept = session.state === 'member' && session.isKept === true;
  // A device without internet access may still reach a local server.
  return isKept || (!navigator.onLine && stream.status() !== 'open');
}

function subscribe(hear: () => void): () => void {
  const left = [stream.onStatus(hear), onSession(hear)];
  addEventListener('online', hear);
  addEventListener('offline', hear);
  return () => {
    for (const leave of left) leave();
    removeEventListener('online', hear);
    removeEventListener('offline', hear);
  };
}

/** Returns whether actions are impossible because the server cannot be reached. */
export function useAway(): boolean {
  return useSyncExternalStore(subscribe, isAway);
}
