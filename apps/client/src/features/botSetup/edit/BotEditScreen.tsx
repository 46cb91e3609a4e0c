import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import type { Setup } from '@heron/engine/options/setup.ts';
import { environmentOf, exchangeOfVenue } from '@heron/engine/options/venues.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { MarketBadges } from '../../../entities/bot/badges.tsx';
import { runBotCommand } from '../../../entities/bot/pushes.ts';
import { botQuery, botsQuery } from '../../../entities/bot/queries.ts';
import { renewResults } from '../../../entities/bot/renewResults.ts';
import { backtestSetup } from '../../../entities/bot/setup/backtestSetup.ts';
import { changeOf, differences } from '../../../entities/bot/setup/differences.ts';
import {
  checkSetupDraft,
  draftOfBot,
  type Faults,
  faultsAfter,
  fieldFaults,
  figure,
  joinEdits,
  type SetupEdit,
  withEdit,
} from '../../../entities/bot/setup/setupDraft.ts';
import type { SetupSlots } from '../../../entities/bot/slots.ts';
import { ApiError } from '../../../lib/api.ts';
import { goBack } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { ask } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { Screen } from '../../../ui/Screen.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useFaultFocus } from '../../../ui/useFaultFocus.ts';
import { useLeaveGuard } from '../../../ui/useLeaveGuard.ts';
import { FuturesOptions } from '../fields/FuturesOptions.tsx';
import { SetupCards } from '../fields/SetupCards.tsx';
import { SetupOption } from '../fields/SetupOption.tsx';
import { SetupColumns } from '../summary/SetupColumns.tsx';
import { SetupSummary } from '../summary/SetupSummary.tsx';
import { ChangeReview } from './ChangeReview.tsx';
import { savedText } from './savedText.ts';

/** Edits options and parameters of a bot, whether it runs or not. */
export function BotEditScreen({ id, slots }: { id: string; slots: SetupSlots }) {
  const { t } = usePreferences();
  const { data: bot, error, refetch } = useQuery(botQuery(id));
  if (bot) return <Editor bot={bot} slots={slots} />;
  return (
    <Screen title={t('edit.title')} back={`/bot/${id}/`} className="setup-screen">
      {error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} height={180} />}
    </Screen>
  );
}

function Editor({ bot, slots: { backtest, ChartPreview } }: { bot: BotDetail; slots: SetupSlots }) {
  const { t, language } = usePreferences();
  const queries = useQueryClient();
  const faultFocus = useFaultFocus();
  const [edits, setEdits] = useState<SetupEdit>({});
  const [faults, setFaults] = useState<Faults>({});
  const [reviewing, setReviewing] = useState(false);
  const [saved, setSaved] = useState(false);
  /** The setup in the backtest sheet. */
  const [testing, setTesting] = useState<Setup | null>(null);
  // The options in force may change elsewhere in the meantime. Only the edits made here count as differences.
  const before = draftOfBot(bot);
  const draft = withEdit(before, edits);
  const found = differences(before, draft);
  const free = useLeaveGuard(found.length > 0);

  const save = useMutation({
    mutationFn: (resets: boolean) =>
      runBotCommand(
        queries,
        () => carryOut(resets),
        ({ now }) => [now],
      ),
    onSuccess({ changes }, resets) {
      if (resets) renewResults(queries, bot.id);
      void queries.invalidateQueries({ queryKey: botsQuery().queryKey });
      toast(savedText(changes.length, t));
      setReviewing(false);
      setSaved(true);
    },
    onError(error) {
      const wrong = error instanceof ApiError ? fieldFaults(error.faults, draft.params) : {};
      if (Object.keys(wrong).length > 0) return showFaults(wrong);
      setReviewing(false);
      toast(explain(error, t), 'problem');
    },
  });

  // Waits until the review is closed, because the browser's Back would close the review first.
  useEffect(() => {
    if (!saved) return;
    free();
    goBack(`/bot/${bot.id}/`);
  }, [saved, free, bot.id]);

  async function carryOut(resets: boolean) {
    const params = { id: bot.id };
    const { bot: changed, changes } = await ask(botCalls.change, { params, body: changeOf(found) });
    if (!resets) return { now: changed, changes };
    // The saved changes stay when the paper account can no longer be reset.
    const now = await ask(botCalls.resetPaper, { params, body: { confirm: bot.name } }).catch((error: unknown) => {
      toast(explain(error, t), 'problem');
      return changed;
    });
    return { now, changes };
  }

  function showFaults(wrong: Faults) {
    setReviewing(false);
    setFaults(wrong);
    faultFocus.seek();
  }

  function review(event: FormEvent) {
    event.preventDefault();
    const wrong = draft.pairs.length === 0 ? { pairs: t('add.pairsMissing') } : checkSetupDraft(draft, language).faults;
    setFaults(wrong);
    if (Object.keys(wrong).length > 0) showFaults(wrong);
    else if (found.length > 0) setReviewing(true);
  }

  function openBacktest() {
    const wrong = draft.pairs.length === 0 ? { pairs: t('add.pairsMissing') } : checkSetupDraft(draft, language).faults;
    if (Object.keys(wrong).length > 0) return showFaults(wrong);
    setTesting(backtestSetup(draft, bot.mode === 'live' ? Number(bot.performance.startCapital) : null));
  }

  function change(edit: SetupEdit) {
    setEdits((now) => joinEdits(now, edit));
    setFaults((now) => faultsAfter(now, edit));
  }

  const { warnings } = checkSetupDraft(draft, language);
  const setup = { draft, before, host: hostOf(bot.id), faults, warnings, change };
  const amount =
    bot.mode === 'live' ? Number(bot.performance.startCapital) : figure(draft.texts.currency_capital ?? '');
  return (
    <Screen
      title={t('edit.titleOf', { name: bot.name })}
      back={`/bot/${bot.id}/`}
      className={`setup-screen edit-screen ${bot.mode === 'live' ? 'edit-screen-live' : ''} ${found.length > 0 ? 'no-swipeback' : ''}`}
      beside={<MarketBadges venue={bot.venue} mode={bot.mode} />}
      footer={
        <div className="edit-bar">
          <div>
            <p role="status">{found.length > 0 ? t('edit.count', { count: found.length }) : t('edit.none')}</p>
            {found.length > 0 && (
              <Button
                kind="quiet"
                onClick={() => {
                  setEdits({});
                  setFaults({});
                }}
              >
                {t('edit.undoAll')}
              </Button>
            )}
          </div>
          <div>
            <backtest.Button of={bot.id} kind="quiet" onClick={openBacktest} />
            <Button kind="primary" disabled={found.length === 0} onClick={review}>
              {t('edit.review')}
            </Button>
          </div>
        </div>
      }
    >
      <SetupColumns summary={<SetupSummary form={setup} stake={{ amount }} ChartPreview={ChartPreview} />}>
        <form {...faultFocus.props} className="form" noValidate onSubmit={review}>
          {bot.mode === 'live' && (
            <p className="callout callout-warning">
              {t(environmentOf(bot.venue) === 'real' ? 'edit.liveReal' : 'edit.livePlay')}
            </p>
          )}
          {(bot.mode === 'paper' || exchangeOfVenue(bot.venue)?.future) && (
            <section className="card form-card">
              <h2>{t('add.general')}</h2>
              <FuturesOptions form={setup} />
              <SetupOption form={setup} name="currency_capital" />
            </section>
          )}
          <SetupCards form={setup} />
          {/* The Enter key in a field opens the review, as the button in the bar does. */}
          <button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
        </form>
      </SetupColumns>
      {testing && (
        <backtest.Sheet
          of={bot.id}
          setup={testing}
          name={bot.name}
          host={setup.host}
          onClose={() => setTesting(null)}
        />
      )}
      {reviewing && (
        <ChangeReview
          bot={bot}
          found={found}
          warnings={warnings}
          busy={save.isPending}
          onConfirm={(resets) => save.mutate(resets)}
          onClose={() => setReviewing(false)}
        />
      )}
    </Screen>
  );
}
