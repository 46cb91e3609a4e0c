import { botCalls } from '@heron/contract/bots/calls.ts';
import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../lib/server.ts';

/** Quotes change all the time; the figures need not follow each of them. */
const RENEWED_MS = 15_000;

/** Fetches the figures of all bots, with days in the time zone of this device. */
export const portfolioQuery = () =>
  queryOptions({
    queryKey: ['portfolio'],
    queryFn: () => ask(botCalls.portfolio, { query: { zone: Intl.DateTimeFormat().resolvedOptions().timeZone } }),
    refetchInterval: RENEWED_MS,
    staleTime: 0,
  });
