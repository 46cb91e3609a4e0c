import { useCallback, useEffect, useRef } from 'react';
import { guardLeaving } from '../lib/navigation.ts';
import { currentPreferences } from '../lib/preferences.ts';
import { currentSession } from '../lib/session.ts';
import { confirm } from './toasts.tsx';

/**
 * Asks before the screen is left, in the app or by closing the page, while something typed on it would be lost.
 *
 * @returns lets go without asking: what was typed is kept by now
 */
export function useLeaveGuard(losing: boolean): () => void {
  const release = useRef<() => void>(() => undefined);

  useEffect(() => {
    if (!losing) return;
    const guard = guardLeaving(async () => {
      // Whoever is logged out has to go.
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
