import { botCalls } from '@heron/contract/bots/calls.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import type { PlanPreview } from '@heron/engine/preview/previewPlan.ts';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isOrderPlanStrategy } from '../../../entities/bot/labels.ts';
import { marketsQuery } from '../../../entities/bot/queries.ts';
import type { SetupDraft } from '../../../entities/bot/setup/setupDraft.ts';
import { ask } from '../../../lib/server.ts';
import { planOf } from './planOf.ts';
import type { Stake } from './setupSentences.ts';

const MINUTE_MS = 60_000;

/** Max number of pairs in a preview, since the rules of each are fetched. */
export const MAX_PREVIEW_PAIRS = 10;

const termsQuery = (venue: VenueId, host: string | null, pair: string) =>
  queryOptions({
    queryKey: ['marketTerms', host, venue, pair],
    queryFn: () => {
      const to = Date.now();
      return ask(botCalls.marketTerms, { query: { venue, pair, from: to - MINUTE_MS, to }, host });
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Returns what the draft would place at the present prices, pair by pair; empty for other strategies and while unknown. */
export function usePlan(draft: SetupDraft, venue: VenueId | null, host: string | null, stake: Stake): PlanPreview[] {
  const { strategy = '', mode } = draft.texts;
  const planned = isOrderPlanStrategy(strategy) ? venue : null;
  const { data: listed, dataUpdatedAt } = useQuery(marketsQuery(planned, host));
  const terms = useQueries({
    queries:
      planned === null ? [] : draft.pairs.slice(0, MAX_PREVIEW_PAIRS).map((pair) => termsQuery(planned, host, pair)),
  });
  const known = terms.flatMap(({ data }) => {
    const last = listed?.markets.find(({ pair }) => pair === data?.market.pair)?.last;
    return data && last ? [{ market: data.market, last }] : [];
  });
  // The rules are new objects at each rendering, although they rarely differ.
  const text = JSON.stringify(known);
  const { amount } = stake;
  const isLive = mode === 'live';
  return useMemo(() => {
    if (isLive && (amount === null || !(amount > 0))) return [];
    return planOf(draft, isLive ? amount : null, JSON.parse(text), dataUpdatedAt);
  }, [draft, isLive, amount, text, dataUpdatedAt]);
}
