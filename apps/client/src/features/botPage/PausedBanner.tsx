import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isOrderPlanStrategy, pausedSentence } from '../../entities/bot/labels.ts';
import { runBotCommand } from '../../entities/bot/pushes.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ask } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { explain } from '../../ui/explain.ts';
import { confirm, toast } from '../../ui/toasts.tsx';

/** Explains why the chosen pair makes no entries, and resumes it after a confirmation, because the bot may buy at once. */
export function PausedBanner({ bot, view }: { bot: BotDetail; view: PairView }) {
  const preferences = usePreferences();
  const { t } = preferences;
  const queries = useQueryClient();
  const { pair } = view;
  const resume = useMutation({
    mutationFn: () => runBotCommand(queries, () => ask(botCalls.resume, { params: { id: bot.id }, body: { pair } })),
    onSuccess: () => toast(t('paused.resumed', { pair })),
    onError: (error) => toast(explain(error, t), 'problem'),
  });

  async function ifAgreed() {
    const agreed = await confirm({
      title: t('paused.resumeTitle', { pair }),
      text: t('paused.resumeText', { pair }),
      confirm: t('paused.resume'),
    });
    if (agreed) resume.mutate();
  }

  return (
    <section className="callout callout-warning paused" data-testid="paused" aria-label={t('paused.title', { pair })}>
      <p>
        <strong>{t('paused.title', { pair })}</strong>
        {t('paused.text', {
          why: pausedSentence(view.pausedBy, isOrderPlanStrategy(bot.strategy.id), preferences),
          until: t('paused.untilResumed'),
        })}
      </p>
      <ActButton icon="play" busy={resume.isPending} onClick={() => void ifAgreed()}>
        {t('paused.resume')}
      </ActButton>
    </section>
  );
}
