import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usePreferences } from '../../lib/preferences.ts';
import { toastProblem } from '../../ui/toastProblem.ts';

export const CHANNELS_KEY = ['notifyChannels'];

/**
 * Changes something, shows what came of it, and says what went wrong.
 *
 * @param inTurn changes of the same thing, which are sent one after another
 */
export function useNotificationChange(inTurn?: string) {
  const { t } = usePreferences();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    ...(inTurn !== undefined && { scope: { id: inTurn } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: CHANNELS_KEY }),
    onError: (problem) => toastProblem(problem, t),
  });
}
