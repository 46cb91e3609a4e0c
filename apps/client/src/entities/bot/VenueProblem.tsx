import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { z } from 'zod';
import { usePreferences } from '../../lib/preferences.ts';

type VenueState = z.output<typeof botCalls.exchanges.response>['exchanges'][number];

/** Describes the problem of a venue and the remedy; renders nothing while the venue works. */
export function VenueProblem({ state }: { state: Pick<VenueState, 'reachable' | 'trading' | 'problem'> }) {
  const { t, language } = usePreferences();
  const { reachable, trading, problem } = state;
  const dataOnly = reachable === true && trading === false;
  if (reachable === null || (problem === null && reachable && !dataOnly)) return null;
  return (
    <p className="callout callout-warning" role="status" data-testid="venue-problem">
      {dataOnly && <strong>{t('exchanges.cannotTrade')} </strong>}
      {problem?.[language] ?? (reachable ? null : t('exchanges.unreachable'))}
    </p>
  );
}
