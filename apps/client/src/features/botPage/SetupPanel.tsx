import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import { optionTexts } from '@heron/contract/locales/optionTexts.ts';
import { paramTitle, strategyHelp } from '@heron/contract/locales/strategyTexts.ts';
import { exportSetup } from '@heron/engine/options/document.ts';
import type { Item } from '@heron/engine/options/item.ts';
import { type BotOptions, OPTION_TABLE } from '@heron/engine/options/table.ts';
import { isShown } from '@heron/engine/options/validate.ts';
import { findParam, STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { botsQuery } from '../../entities/bot/queries.ts';
import { backtestSetup } from '../../entities/bot/setup/backtestSetup.ts';
import { OptionWarnings } from '../../entities/bot/setup/OptionWarnings.tsx';
import { draftOfBot } from '../../entities/bot/setup/setupDraft.ts';
import { optionText, paramText } from '../../entities/bot/setup/valueLabels.ts';
import type { BacktestSlot } from '../../entities/bot/slots.ts';
import { strategyTitle } from '../../entities/bot/strategyTitle.ts';
import { ApiError } from '../../lib/api.ts';
import { goBack } from '../../lib/navigation.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { saveFile } from '../../lib/saveFile.ts';
import { ask } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { confirm, toast } from '../../ui/toasts.tsx';
import { RenameBot } from './RenameBot.tsx';
import { ResetPaper } from './ResetPaper.tsx';

/** Lists the strategy, parameters and options of a bot, with actions to edit and delete it. */
export function SetupPanel({ bot, backtest }: { bot: BotDetail; backtest: BacktestSlot }) {
  const preferences = usePreferences();
  const { t, language } = preferences;
  const strategy = STRATEGIES.get(bot.strategy.id);
  const [testing, setTesting] = useState(false);
  const setup = backtestSetup(draftOfBot(bot), bot.mode === 'live' ? Number(bot.performance.startCapital) : null);
  return (
    <div className="card panel">
      <h2>{strategyTitle(bot.strategy.id, preferences)}</h2>
      {strategy && <p className="panel-text">{strategyHelp(strategy.id)?.[language]}</p>}
      <div className="panel-actions">
        <Link className="btn btn-plain" href={`/bot-edit/${bot.id}/`}>
          <Icon name="settings" size={18} />
          <span>{t('edit.open')}</span>
        </Link>
        <Link className="btn btn-plain" href={`/bot-add/from/${bot.id}/`}>
          <Icon name="plus" size={18} />
          <span>{t('setup.duplicate')}</span>
        </Link>
        <backtest.Button of={bot.id} disabled={setup === null} onClick={() => setTesting(true)} />
        <RenameBot bot={bot} />
        <Button onClick={() => saveSetup(bot)}>{t('setup.export')}</Button>
      </div>
      {testing && setup && (
        <backtest.Sheet
          of={bot.id}
          setup={setup}
          name={bot.name}
          host={hostOf(bot.id)}
          onClose={() => setTesting(false)}
        />
      )}
      <dl className="facts">
        {Object.entries(bot.strategy.params).map(([name, value]) => {
          const param = findParam(bot.strategy.id, name);
          return (
            <div key={name}>
              <dt>{param === undefined ? name : paramTitle(param)[language]}</dt>
              <dd className="num">{paramText(param, value, preferences)}</dd>
            </div>
          );
        })}
      </dl>
      <OptionWarnings warnings={bot.warnings} />
      <h2>{t('setup.options')}</h2>
      <dl className="facts">
        {(OPTION_TABLE as readonly Item[])
          .filter((item) => item.name in bot.options && item.name !== 'strategy')
          // The engine validated the stored options. Options that only other venues need are not shown.
          .filter((item) => isShown(item, bot.options as unknown as BotOptions))
          .map((item) => (
            <div key={item.name}>
              <dt>{optionTexts(item.name).title[language]}</dt>
              <dd className="num">{optionText(item, bot.options[item.name], preferences)}</dd>
            </div>
          ))}
      </dl>
      {bot.mode === 'paper' && (
        <div className="danger-zone">
          <ResetPaper bot={bot} />
        </div>
      )}
      <DeleteBot bot={bot} />
    </div>
  );
}

/** Saves the setup as a file with the name of the bot. */
function saveSetup({ name, options, strategy }: BotDetail) {
  const text = exportSetup({ options: { ...options, strategy: strategy.id }, params: strategy.params });
  const named = name.replace(/[^\p{L}\p{N} _-]/gu, '') || 'bot';
  saveFile(new Blob([text], { type: 'application/json' }), `${named}.heron.json`);
}

function DeleteBot({ bot }: { bot: BotDetail }) {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (orders?: 'cancel' | 'leave') =>
      ask(botCalls.remove, { params: { id: bot.id }, query: orders === undefined ? {} : { orders } }),
    onSuccess() {
      toast(t('bot.deleted', { name: bot.name }));
      void queries.invalidateQueries({ queryKey: botsQuery().queryKey });
      goBack('/bots/');
    },
    async onError(error) {
      const code = error instanceof ApiError ? error.code : null;
      if (code !== 'orders_rest' && code !== 'orders_may_rest') return toast(explain(error, t), 'problem');
      const rest = code === 'orders_rest';
      const agreed = await confirm({
        title: t(rest ? 'bot.ordersRest' : 'bot.ordersMayRest'),
        text: explain(error, t),
        confirm: t(rest ? 'bot.deleteWithOrders' : 'bot.deleteLeavingOrders'),
        danger: true,
      });
      if (agreed) remove.mutate(rest ? 'cancel' : 'leave');
    },
  });

  async function askToDelete() {
    const agreed = await confirm({
      title: t('bot.deleteTitle', { name: bot.name }),
      text: t(bot.mode === 'live' ? 'bot.deleteLiveText' : 'bot.deleteText'),
      confirm: t('bot.delete'),
      danger: true,
    });
    if (agreed) remove.mutate(undefined);
  }

  return (
    <div className="danger-zone">
      <ActButton
        kind="danger"
        icon="trash"
        busy={remove.isPending}
        disabled={!isStopped(bot.status)}
        onClick={() => void askToDelete()}
      >
        {t('bot.delete')}
      </ActButton>
      {!isStopped(bot.status) && <p className="field-note">{t('bot.stopFirst')}</p>}
    </div>
  );
}
