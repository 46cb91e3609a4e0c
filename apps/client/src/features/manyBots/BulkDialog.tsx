import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { MarketBadges } from '../../entities/bot/badges.tsx';
import { runBotCommand } from '../../entities/bot/pushes.ts';
import { botsQuery } from '../../entities/bot/queries.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ask } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { Overlay } from '../../ui/Overlay.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { BulkAct, BulkPlan } from './bulkActs.ts';
import { type Outcome, runBulk } from './runBulk.ts';

interface BulkDialogProps {
  readonly act: BulkAct;
  readonly plan: BulkPlan;
  readonly onClose: () => void;
}

/** Confirms an action on several bots, then shows its outcome for each of them. */
export function BulkDialog({ act, plan, onClose }: BulkDialogProps) {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const isClosed = useRef(false);
  const close = () => {
    isClosed.current = true;
    onClose();
  };
  const run = useMutation({
    mutationFn: () =>
      runBulk(plan.targets, sender(queries, act), (bot, outcome) => {
        setOutcomes((before) => new Map(before).set(bot.id, outcome));
        // The list is gone, but a failure must still be seen.
        if (isClosed.current && outcome.is === 'failed') {
          toast(t('many.failed', { name: bot.name, reason: explain(outcome.error, t) }), 'problem');
        }
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: botsQuery().queryKey }),
  });
  const count = plan.targets.length;
  const live = plan.targets.filter(({ mode }) => mode === 'live').length;
  return (
    <Overlay alert title={t(`many.${act}Title`, { count })} onClose={close}>
      <p className="overlay-text">{t(`many.${act}Text`)}</p>
      {live > 0 && <p className="callout callout-warning">{t('many.live', { count: live })}</p>}
      <ul className="many-targets">
        {plan.targets.map((bot) => (
          <Target key={bot.id} bot={bot} outcome={outcomes.get(bot.id) ?? (run.isIdle ? null : { is: 'waiting' })} />
        ))}
      </ul>
      {plan.leftOut.length > 0 && run.isIdle && (
        <>
          <p className="overlay-text">{t('many.leftOut')}</p>
          <ul className="many-targets">
            {plan.leftOut.map(({ bot, why }) => (
              <li key={bot.id}>
                <span>{bot.name}</span> <small>{t(`many.why.${why}`)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="hidden" role="status">
        {run.isSuccess &&
          t('many.finished', { count: [...outcomes.values()].filter(({ is }) => is === 'done').length })}
      </p>
      <div className="overlay-actions">
        <Button autoFocus onClick={close}>
          {t(run.isIdle ? 'app.cancel' : 'app.close')}
        </Button>
        {!run.isSuccess && (
          <ActButton
            kind={act === 'close' || act === 'remove' ? 'danger' : 'primary'}
            busy={run.isPending}
            onClick={() => run.mutate()}
          >
            {t(`many.${act}`)}
          </ActButton>
        )}
      </div>
    </Overlay>
  );
}

function Target({ bot, outcome }: { bot: BotSummary; outcome: Outcome | null }) {
  const { t } = usePreferences();
  return (
    <li data-testid="many-target" data-outcome={outcome?.is}>
      <span>{bot.name}</span> <MarketBadges venue={bot.venue} mode={bot.mode} />
      {outcome?.is === 'waiting' && <small>{t('many.waiting')}</small>}
      {outcome?.is === 'done' && <small className="many-done">{t('many.done')}</small>}
      {outcome?.is === 'failed' && <small className="many-failed">{explain(outcome.error, t)}</small>}
    </li>
  );
}

/** Returns the request of an action for one bot. */
function sender(queries: QueryClient, act: BulkAct): (bot: BotSummary) => Promise<unknown> {
  return ({ id }) => {
    const params = { id };
    if (act === 'remove') return ask(botCalls.remove, { params, query: {} });
    if (act === 'start') return runBotCommand(queries, () => ask(botCalls.start, { params, body: {} }));
    return runBotCommand(queries, () => ask(botCalls[act], { params }));
  };
}
