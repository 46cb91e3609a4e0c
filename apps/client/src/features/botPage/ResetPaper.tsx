import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { runBotCommand } from '../../entities/bot/pushes.ts';
import { renewResults } from '../../entities/bot/renewResults.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ask } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { explain } from '../../ui/explain.ts';
import { confirm, toast } from '../../ui/toasts.tsx';

/** Resets the account of a paper bot after a confirmation. */
export function ResetPaper({ bot }: { bot: BotDetail }) {
  const { t, format } = usePreferences();
  const queries = useQueryClient();
  const reset = useMutation({
    mutationFn: () =>
      runBotCommand(queries, () => ask(botCalls.resetPaper, { params: { id: bot.id }, body: { confirm: bot.name } })),
    onSuccess() {
      renewResults(queries, bot.id);
      toast(t('reset.done'));
    },
    onError: (error) => toast(explain(error, t), 'problem'),
  });
  const busy = bot.pairViews.some(({ position, orders }) => position !== null || orders.length > 0);

  async function askToReset() {
    const agreed = await confirm({
      title: t('reset.title', { name: bot.name }),
      text: t('reset.text', {
        capital: format.money(Number(bot.options.currency_capital), bot.performance.currency),
      }),
      confirm: t('reset.do'),
      danger: true,
    });
    if (agreed) reset.mutate();
  }

  return (
    <>
      <ActButton icon="undo" busy={reset.isPending} disabled={busy} onClick={() => void askToReset()}>
        {t('reset.do')}
      </ActButton>
      {busy && <p className="field-note">{t('reset.notFlat')}</p>}
    </>
  );
}
