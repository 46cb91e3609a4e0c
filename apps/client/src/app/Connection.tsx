import { useEffect, useSyncExternalStore } from 'react';
import { useReader } from '../lib/reader.ts';
import { stream } from '../lib/server.ts';
import { Icon } from '../ui/Icon.tsx';

const online = {
  subscribe(hear: () => void) {
    addEventListener('online', hear);
    addEventListener('offline', hear);
    return () => {
      removeEventListener('online', hear);
      removeEventListener('offline', hear);
    };
  },
  get: () => navigator.onLine,
};

/** Says when what is on screen may be old: the device is offline, or the live line is being restored. */
export function Connection() {
  const { t } = useReader();
  const isOnline = useSyncExternalStore(online.subscribe, online.get);
  const status = useSyncExternalStore(stream.onStatus, stream.status);

  useEffect(() => {
    const hurry = () => {
      if (document.visibilityState === 'visible') stream.hurry();
    };
    addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    return () => {
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
    };
  }, []);

  const text = !isOnline ? t('connection.offline') : status === 'lost' ? t('connection.lost') : null;
  return (
    <div role="status" className="connection-place">
      {text && (
        <p className="connection" data-testid="connection">
          <Icon name="offline" size={18} />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}
