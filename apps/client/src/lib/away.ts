import { useSyncExternalStore } from 'react';
import { stream } from './server.ts';
import { currentSession, onSession } from './session.ts';

/** Whether nothing can be done now: the app began without the server, or the device is offline and the live line is cut. */
function isAway(): boolean {
  const session = currentSession();
  const isKept = session.state === 'member' && session.isKept === true;
  // Devices without any network may still reach a server of their own.
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

/** Whether acting is of no use now, because nobody would hear of it. */
export function useAway(): boolean {
  return useSyncExternalStore(subscribe, isAway);
}
