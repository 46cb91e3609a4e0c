import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { Item } from '@heron/engine/options/item.ts';
import { type BotOptions, OPTION_TABLE } from '@heron/engine/options/table.ts';
import { isShown } from '@heron/engine/options/validate.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../lib/api.ts';
import { goBack } from '../../../lib/navigation.ts';
import { type Reader, useReader } from '../../../lib/reader.ts';
import { ask } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { confirm, toast } from '../../../ui/notices.tsx';
import { isAtRest } from '../badges.tsx';
import { OptionWarnings } from '../OptionWarnings.tsx';
import { optionChoiceWord, optionUnit } from '../options.ts';
import { botsQuery } from '../queries.ts';
import { strategyTitle } from '../strategyTitle.ts';

/** With what the bot runs, every option by its name; and how to be rid of it. */
export function SetupPanel({ bot }: { bot: BotDetail }) {
  const reader = useReader();
  const { t, look } = reader;
  const language = look.language === 'zh-CN' ? 'zh' : 'en';
  const strategy = STRATEGIES.get(bot.strategy.id);
  return (
    <div className="card panel">
      <h2>{strategyTitle(bot.strategy.id, reader)}</h2>
      {strategy && <p className="panel-text">{strategy.help[language]}</p>}
      <dl className="facts">
        {Object.entries(bot.strategy.params).map(([name, value]) => {
          const param = strategy?.params.find((candidate) => candidate.name === name);
          return (
            <div key={name}>
              <dt>{param?.title[language] ?? name}</dt>
              <dd className="num">{paramText(param, value, language, reader)}</dd>
            </div>
          );
        })}
      </dl>
      <OptionWarnings warnings={bot.warnings} />
      <h2>{t('setup.options')}</h2>
      <dl className="facts">
        {(OPTION_TABLE as readonly Item[])
          .filter((item) => item.name in bot.options && item.name !== 'strategy')
          // Stored as the engine validated them; what another venue would need is not shown.
          .filter((item) => isShown(item, bot.options as unknown as BotOptions))
          .map((item) => (
            <div key={item.name}>
              <dt>{item.title[language]}</dt>
              <dd className="num">{optionText(item, bot.options[item.name], reader)}</dd>
            </div>
          ))}
      </dl>
      <DeleteBot bot={bot} />
    </div>
  );
}

function paramText(param: Param | undefined, value: unknown, language: 'zh' | 'en', { t }: Reader): string {
  if (typeof value === 'boolean') return t(value ? 'setup.on' : 'setup.off');
  if (typeof value === 'object')
    return Array.isArray(value) ? value.map((part) => partText(param, part, language)).join(', ') : '';
  return partText(param, value, language);
}

/** A value of a list in words; a member or a part of a larger strategy by what it is. */
function partText(param: Param | undefined, part: unknown, language: 'zh' | 'en'): string {
  if (typeof part === 'object' && part !== null) {
    const id = 'id' in part ? String(part.id) : 'indicator' in part ? String(part.indicator) : null;
    if (id === null)
      return Object.entries(part)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ');
    return STRATEGIES.get(id)?.title[language] ?? id;
  }
  const words = param && 'words' in param ? param.words[String(part)] : undefined;
  return words?.[language] ?? String(part);
}

function optionText(item: Item, value: unknown, reader: Reader): string {
  if (item.type === 'number') return `${reader.format.number(Number(value))} ${optionUnit(item, reader)}`.trim();
  if (item.type === 'table') {
    const rows = value as { profit: number; stop: number }[];
    return rows.length === 0
      ? reader.t('setup.off')
      : rows.map(({ profit, stop }) => `${profit}% → ${stop}%`).join(', ');
  }
  return item.type === 'tab' ? optionChoiceWord(String(value), reader) : String(value);
}

function DeleteBot({ bot }: { bot: BotDetail }) {
  const { t } = useReader();
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
      <Button
        kind="danger"
        icon="trash"
        busy={remove.isPending}
        disabled={!isAtRest(bot.status)}
        onClick={() => void askToDelete()}
      >
        {t('bot.delete')}
      </Button>
      {!isAtRest(bot.status) && <p className="field-note">{t('bot.stopFirst')}</p>}
    </div>
  );
}
