import type { RecentProfit } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { profitsQuery } from '../../entities/bot/queries.ts';
import { localDayStart } from '../../lib/localDay.ts';

/**
 * Returns the recent profits of the member's bots.
 *
 * @returns the start of today by the clock of this device, and the profits by bot; null while unknown
 */
export function useRecentProfits(): { midnight: number; recent: ReadonlyMap<string, RecentProfit> | null } {
  const midnight = localDayStart(Date.now());
  const { data } = useQuery(profitsQuery(midnight));
  const recent = useMemo(() => (data ? new Map(data.bots.map((each) => [each.id, each])) : null), [data]);
  return { midnight, recent };
}
