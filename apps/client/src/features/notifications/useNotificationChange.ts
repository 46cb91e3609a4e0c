import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usePreferences } from '../../lib/preferences.ts';
import { toastProblem } from '../../ui/toastProblem.ts';

export const CHANNELS_KEY = ['notifyChannels'];

/**
 * Returns a mutation that changes notification settings, fetches them again and reports errors.
 *
 * @param inTurn groups changes of the same object, which are sent one after another
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
