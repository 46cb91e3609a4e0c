import type { Period } from '@heron/engine/market/period.ts';
import { isVenueId } from '@heron/engine/options/venues.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { completeParams } from '@heron/engine/strategies/completeParams.ts';
import { useDeferredValue } from 'react';
import { OptionWarnings } from '../../../entities/bot/setup/OptionWarnings.tsx';
import { typedParams } from '../../../entities/bot/setup/setupDraft.ts';
import type { ChartPreviewSlot, PlannedOrder } from '../../../entities/bot/slots.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import type { SetupForm } from '../fields/setupForm.ts';
import { PlanPart } from './PlanPart.tsx';
import { linesOf } from './planOf.ts';
import { type Stake, setupSentences } from './setupSentences.ts';
import { usePlan } from './usePlan.ts';

const NO_ORDERS: readonly PlannedOrder[] = [];

interface SetupSummaryProps {
  readonly form: SetupForm;
  readonly stake: Stake;
  readonly ChartPreview: ChartPreviewSlot;
}

/** Says what the bot will do: a chart of its first pair, sentences, and the warnings of its setup. */
export function SetupSummary({ form, stake, ChartPreview }: SetupSummaryProps) {
  const preferences = usePreferences();
  const { t } = preferences;
  // The chart and the sentences follow the typing when there is time for it.
  const draft = useDeferredValue(form.draft);
  const { exchange: venue = '', period = '' } = draft.texts;
  const [pair] = draft.pairs;
  const previews = usePlan(draft, isVenueId(venue) ? venue : null, form.host, stake);
  const [plan] = previews;
  return (
    <div className="card form-card">
      <h2>{t('summary.title')}</h2>
      {pair !== undefined && isVenueId(venue) && (
        <div className="summary-chart">
          <p className="field-note">{t('summary.chart', { pair, period })}</p>
          <ChartPreview
            venue={venue}
            host={form.host}
            pair={pair}
            period={period as Period}
            strategy={validStrategy(draft.texts.strategy ?? '', typedParams(draft))}
            orders={plan?.pair === pair ? linesOf(plan) : NO_ORDERS}
          />
        </div>
      )}
      {isVenueId(venue) && <PlanPart form={form} venue={venue} previews={previews} />}
      <OptionWarnings warnings={form.warnings} />
      <dl className="summary-parts">
        {setupSentences(draft, stake, preferences).map(({ part, sentences }) => (
          <div key={part} data-part={part}>
            <dt>{t(`summary.part.${part}`)}</dt>
            {sentences.map((sentence) => (
              <dd key={sentence}>{sentence}</dd>
            ))}
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Returns the strategy with its parameters; null while they are not valid. */
function validStrategy(id: string, given: Readonly<Record<string, unknown>>) {
  const strategy = STRATEGIES.get(id);
  const completed = strategy && completeParams(strategy, given);
  return completed?.ok ? { id, params: completed.params } : null;
}
