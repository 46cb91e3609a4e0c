import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LiveStartDialog } from '../../entities/bot/LiveStartDialog.tsx';
import { runBotCommand } from '../../entities/bot/pushes.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { proven } from '../../lib/proof.ts';
import { ask } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { explainFailure } from '../../ui/explain.ts';
import { toastProblem } from '../../ui/toastProblem.ts';
import { type Ending, StopDialog } from './StopDialog.tsx';

/**
 * Starts a bot that does not run; a live bot only after its name is typed. Stops a running bot after a confirmation and
 * cancels its orders.
 */
export function RunButton({ bot }: { bot: BotDetail }) {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const [ending, setEnding] = useState(false);
  const params = { id: bot.id };
  const start = useMutation({
    mutationFn: (body: { confirm?: string }) =>
      proven(() => runBotCommand(queries, () => ask(botCalls.start, { params, body }))),
    onSuccess: () => setConfirming(false),
    onError(error) {
      if (!confirming) toastProblem(error, t);
    },
  });
  const end = useMutation({
    mutationFn: (how: Ending) => runBotCommand(queries, () => ask(botCalls[how], { params })),
    onError: (error) => toastProblem(error, t),
  });

  if (!isStopped(bot.status)) {
    const stopping = bot.status === 'stopping' && !bot.draining;
    return (
      <>
        <ActButton icon="stop" busy={end.isPending || stopping} onClick={() => setEnding(true)}>
          {t('bot.stop')}
        </ActButton>
        {ending && <StopDialog bot={bot} onEnd={end.mutate} onClose={() => setEnding(false)} />}
      </>
    );
  }
  return (
    <>
      <ActButton
        kind="primary"
        icon="play"
        busy={start.isPending && !confirming}
        onClick={() => (bot.account === null ? start.mutate({}) : setConfirming(true))}
      >
        {t('bot.start')}
      </ActButton>
      {confirming && bot.account && (
        <LiveStartDialog
          bot={{
            name: bot.name,
            host: hostOf(bot.id),
            venue: bot.venue,
            keyId: bot.account.key,
            allotment: bot.account.allotment,
            capital: Number(bot.performance.startCapital) > 0 ? bot.performance.totalCapital : null,
            currency: bot.performance.currency,
            pairs: bot.pairs,
          }}
          busy={start.isPending}
          problem={explainFailure(start.error, t)}
          onConfirm={() => start.mutate({ confirm: bot.name })}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
