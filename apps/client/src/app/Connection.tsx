import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { botQuery, botsQuery } from '../entities/bot/queries.ts';
import { usePreferences } from '../lib/preferences.ts';
import { stream } from '../lib/server.ts';
import { useSession } from '../lib/session.ts';
import { Icon } from '../ui/Icon.tsx';
import { currentPath, onPath } from './path.ts';

const online = {
  subscribe(listener: () => void) {
    addEventListener('online', listener);
    addEventListener('offline', listener);
    return () => {
      removeEventListener('online', listener);
      removeEventListener('offline', listener);
    };
  },
  get: () => navigator.onLine,
};

/**
 * Shows that the data on screen may be outdated, and since when. The app started without the server, the device is
 * offline, or the stream is reconnecting.
 */
export function Connection() {
  const { t, format } = usePreferences();
  const isOnline = useSyncExternalStore(online.subscribe, online.get);
  const status = useSyncExternalStore(stream.onStatus, stream.status);

  useEffect(() => {
    const hurry = () => {
      if (document.visibilityState === 'visible') stream.reconnectNow();
    };
    addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    return () => {
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
    };
  }, []);

  const session = useSession();
  const isFromCache = session.state === 'member' && session.isFromCache === true;
  const path = useSyncExternalStore(onPath, currentPath);
  const queries = useQueryClient();
  const isCut = !isOnline || status === 'lost';
  const cutAt = useRef(0);
  if (!isCut) cutAt.current = 0;
  else if (cutAt.current === 0) cutAt.current = Date.now();

  function text(): string | null {
    if (isFromCache) {
      // Each page was stored when it was last open.
      const bot = /^\/bot\/([^/]+)\/$/.exec(path)?.[1];
      const storedAt = queries.getQueryState<unknown>(
        bot ? botQuery(bot).queryKey : botsQuery().queryKey,
      )?.dataUpdatedAt;
      return storedAt ? t('connection.kept', { time: format.dateTime(storedAt) }) : t('connection.away');
    }
    if (!isCut) return null;
    return t(isOnline ? 'connection.lost' : 'connection.offline', { time: format.dateTime(cutAt.current) });
  }

  const message = text();
  return (
    <div role="status" className="connection-place">
      {message && (
        <p className="connection" data-testid="connection">
          <Icon name="offline" size={18} />
          <span>{message}</span>
        </p>
      )}
    </div>
  );
}
