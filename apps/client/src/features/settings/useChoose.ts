import { choose, usePreferences } from '../../lib/preferences.ts';
import { toast } from '../../ui/toasts.tsx';

/** Changes a setting; shows an error when the texts of a language cannot be loaded. */
export function useChoose(): (change: Parameters<typeof choose>[0]) => Promise<void> {
  const { t } = usePreferences();
  return async (change) => {
    try {
      await choose(change);
    } catch {
      toast(t('error.network'), 'problem');
    }
  };
}
