import { useCallback, useEffect, useRef } from 'react';
import { guardLeaving } from '../lib/navigation.ts';
import { currentPreferences } from '../lib/preferences.ts';
import { currentSession } from '../lib/session.ts';
import { confirm } from './toasts.tsx';

/**
 * Asks the user before the screen or the page is closed while it has unsaved input.
 *
 * @returns removes the guard once the input is saved
 */
export function useLeaveGuard(losing: boolean): () => void {
  const release = useRef<() => void>(() => undefined);

  useEffect(() => {
    if (!losing) return;
    const guard = guardLeaving(async () => {
      // A user who is signed out must leave.
      if (currentSession().state !== 'member') return true;
      const { t } = currentPreferences();
      return confirm({ title: t('leaving.title'), text: t('leaving.text'), confirm: t('leaving.leave'), danger: true });
    });
    const close = (event: BeforeUnloadEvent) => guard.isOn() && event.preventDefault();
    window.addEventListener('beforeunload', close);
    release.current = () => {
      guard.release();
      window.removeEventListener('beforeunload', close);
    };
    return release.current;
  }, [losing]);

  return useCallback(() => release.current(), []);
}
