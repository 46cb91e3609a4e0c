import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { ask } from '../../../lib/server.ts';
import { ActButton } from '../../../ui/ActButton.tsx';
import { explain } from '../../../ui/explain.ts';
import { toast } from '../../../ui/notices.tsx';
import { isAtRest } from '../atRest.ts';
import { LiveStartDialog } from '../LiveStartDialog.tsx';
import { botQuery, exchangesQuery } from '../queries.ts';
import { StopDialog } from './StopDialog.tsx';

/** Starts a bot at rest, a live one when its name was typed; stops one that runs after asking: its orders are cancelled. */
export function RunButton({ bot }: { bot: BotDetail }) {
  const { t, language } = useReader();
  const queries = useQueryClient();
  const { data: exchanges } = useQuery({ ...exchangesQuery(hostOf(bot.id)), enabled: bot.account !== null });
  const [confirming, setConfirming] = useState(false);
  const [ending, setEnding] = useState(false);
  const done = (changed: BotDetail) => queries.setQueryData(botQuery(bot.id).queryKey, changed);
  const params = { id: bot.id };
  const start = useMutation({
    mutationFn: (body: { confirm?: string }) => ask(botCalls.start, { params, body }),
    onSuccess(changed) {
      setConfirming(false);
      done(changed);
    },
    onError(error) {
      if (!confirming) toast(explain(error, t), 'problem');
    },
  });
  const end = useMutation({
    mutationFn: (how: 'stop' | 'drain') => ask(botCalls[how], { params }),
    onSuccess: done,
    onError: (error) => toast(explain(error, t), 'problem'),
  });

  const venue = exchanges?.exchanges.find(({ name }) => name === bot.exchange);
  if (!isAtRest(bot.status)) {
    const stopping = bot.status === 'stopping' && !bot.draining;
    return (
      <>
        <ActButton icon="stop" busy={end.isPending || stopping} onClick={() => setEnding(true)}>
          {t('bot.stop')}
        </ActButton>
        {ending && (
          <StopDialog
            bot={bot}
            onStop={() => end.mutate('stop')}
            onDrain={() => end.mutate('drain')}
            onClose={() => setEnding(false)}
          />
        )}
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
            demo: bot.demo,
            exchange: venue?.title[language] ?? bot.exchange,
            keyId: bot.account.key,
            allotment: bot.account.allotment,
            currency: bot.performance.currency,
            pairs: bot.pairs,
          }}
          busy={start.isPending}
          problem={start.error ? explain(start.error, t) : null}
          onConfirm={() => start.mutate({ confirm: bot.name })}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
