import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useReader } from '../../../lib/reader.ts';
import { ask } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { confirm, toast } from '../../../ui/notices.tsx';
import { isAtRest } from '../badges.tsx';
import { botQuery } from '../queries.ts';

/** Starts a bot at rest; stops a running one after asking, because its open orders are cancelled. */
export function RunButton({ bot }: { bot: BotDetail }) {
  const { t } = useReader();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (call: typeof botCalls.start | typeof botCalls.stop) => ask(call, { params: { id: bot.id } }),
    onSuccess: (changed) => queries.setQueryData(botQuery(bot.id).queryKey, changed),
    onError: (error) => toast(explain(error, t), 'problem'),
  });

  async function stop() {
    const agreed = await confirm({
      title: t('bot.stopTitle', { name: bot.name }),
      text: t('bot.stopText'),
      confirm: t('bot.stop'),
      danger: true,
    });
    if (agreed) change.mutate(botCalls.stop);
  }

  return isAtRest(bot.status) ? (
    <Button kind="primary" icon="play" busy={change.isPending} onClick={() => change.mutate(botCalls.start)}>
      {t('bot.start')}
    </Button>
  ) : (
    <Button icon="stop" busy={change.isPending || bot.status === 'stopping'} onClick={() => void stop()}>
      {t('bot.stop')}
    </Button>
  );
}
