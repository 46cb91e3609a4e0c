import { choose, useReader } from '../../lib/reader.ts';
import { toast } from '../../ui/toasts.tsx';

/** Changes a setting; says so when the texts of a language cannot be had. */
export function useChoose(): (change: Parameters<typeof choose>[0]) => Promise<void> {
  const { t } = useReader();
  return async (change) => {
    try {
      await choose(change);
    } catch {
      toast(t('error.network'), 'problem');
    }
  };
}
