import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { useEffect, useState } from 'react';
import { usePreferences } from '../../lib/preferences.ts';
import { planWaitSentence } from './planWaitSentence.ts';

type NextPlan = NonNullable<BotSummary['nextPlan']>;

/** Says when a grid, a DCA deal or a periodic entry may start next, with a countdown. */
export function PlanWait({ strategy, next }: { strategy: string; next: NextPlan }) {
  const preferences = usePreferences();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="num" data-testid="plan-wait">
      {planWaitSentence(strategy, next, now, preferences)}
    </span>
  );
}
