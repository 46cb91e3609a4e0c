import '../bots.css';
import './add.css';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { effectiveOptions } from '@heron/engine/options/effective.ts';
import { GROUPS, type Group, type Item } from '@heron/engine/options/item.ts';
import { OPTION_TABLE, OPTIONS } from '@heron/engine/options/table.ts';
import { isShown } from '@heron/engine/options/validate.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../../lib/api.ts';
import { go } from '../../../lib/navigation.ts';
import { useReader } from '../../../lib/reader.ts';
import { ask } from '../../../lib/server.ts';
import type { Key } from '../../../locales/texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { Choice, SelectField, TextField } from '../../../ui/fields.tsx';
import { toast } from '../../../ui/notices.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { MarketBadges } from '../badges.tsx';
import { LiveStartDialog } from '../LiveStartDialog.tsx';
import { OptionWarnings } from '../OptionWarnings.tsx';
import { rangeHint } from '../options.ts';
import { botQuery, botsQuery, exchangesQuery, keysQuery } from '../queries.ts';
import { strategyGroupWord } from '../words.ts';
import {
  checkDraft,
  type Draft,
  defaultParams,
  draftWarnings,
  emptyDraft,
  type Faults,
  isLiveDraft,
  type NewBot,
  shownParams,
  typedOptions,
} from './draft.ts';
import { LiveAccountCard } from './LiveAccountCard.tsx';
import { ExitRows, OptionField } from './OptionField.tsx';
import { PairPicker } from './PairPicker.tsx';

const ITEMS: readonly Item[] = OPTION_TABLE;

/** Options that are chosen by widgets of their own. */
const APART: ReadonlySet<string> = new Set(['exchange', 'mode', 'watch_pairs', 'strategy']);
/** Options that everybody decides on. The others wait behind "More options". */
const FIRST: ReadonlySet<string> = new Set(['currency_capital', 'period', 'min_periods', 'buy_pct', 'order_type']);

const GROUP_TITLES = {
  exchange: 'add.groupExchange',
  buy: 'add.groupBuy',
  sell: 'add.groupSell',
  strategy: 'add.groupStrategy',
  server: 'add.groupServer',
  advance: 'add.groupAdvance',
} as const satisfies Record<Group, Key>;

/** Strategies that are made of others are set up elsewhere; a form of single fields cannot. */
const CHOOSABLE = [...STRATEGIES.values()].filter(({ group }) => group !== 'meta');

/** Sets up a new bot, on paper or live. Fields, ranges and defaults come from the option table and the strategy catalogue. */
export function BotAddScreen() {
  const reader = useReader();
  const { t, look } = reader;
  const language = look.language === 'zh-CN' ? 'zh' : 'en';
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [faults, setFaults] = useState<Faults>({});
  const { data: exchanges } = useQuery(exchangesQuery());
  const { data: keys } = useQuery(keysQuery());
  const [more, setMore] = useState(false);
  /** A live bot that waits for its owner's word. */
  const [confirming, setConfirming] = useState<NewBot | null>(null);
  const live = isLiveDraft(draft);
  const exchange = exchanges?.exchanges.find(({ name }) => name === draft.texts.exchange);
  const strategy = STRATEGIES.get(draft.texts.strategy ?? '');
  const typed = typedOptions(draft);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const changeText = (name: string, text: string) =>
    setDraft((before) => ({ ...before, texts: { ...before.texts, [name]: text } }));

  const venues = exchanges?.exchanges.filter((venue) => venue.live || !live) ?? [];

  function changeExchange(name: string) {
    change({ texts: { ...draft.texts, exchange: name }, pairs: [], account: { ...draft.account, key: '' } });
  }

  function changeMode(mode: 'paper' | 'live') {
    changeText('mode', mode);
    const possible = exchanges?.exchanges.find(({ live: trades }) => trades);
    if (mode === 'live' && exchange?.live === false && possible) {
      const texts = { ...draft.texts, mode, exchange: possible.name };
      change({ texts, pairs: [] });
    }
  }

  const create = useMutation({
    async mutationFn({ body, start }: { body: NewBot; start: boolean }) {
      const confirm = isLiveDraft(draft) ? { confirm: body.name } : {};
      const bot = await ask(botCalls.create, { body });
      void queries.invalidateQueries({ queryKey: botsQuery().queryKey });
      queries.setQueryData(botQuery(bot.id).queryKey, bot);
      go(`/bot/${bot.id}/`, { replace: true });
      if (!start) return;
      // The bot exists from here on: that it does not start is told where it can be started again.
      try {
        queries.setQueryData(
          botQuery(bot.id).queryKey,
          await ask(botCalls.start, { params: { id: bot.id }, body: confirm }),
        );
      } catch (error) {
        toast(explain(error, t), 'problem');
      }
    },
    onError(error) {
      setConfirming(null);
      showFaults(error instanceof ApiError ? faultsOf(error, draft) : {});
    },
  });

  function showFaults(found: Faults) {
    setFaults(found);
    if (Object.keys(found).some((field) => OPTIONS.has(field) && !APART.has(field) && !FIRST.has(field))) setMore(true);
    // After React has drawn the faults, the first of them takes the focus.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  }

  function submit(event: FormEvent, start: boolean) {
    event.preventDefault();
    const checked = checkDraft(draft, language, {
      nameMissing: t('add.nameMissing'),
      pairsMissing: t('add.pairsMissing'),
      keyMissing: t('live.keyMissing'),
      allotmentWrong: t('order.valueWrong'),
    });
    if (!checked.ok) return showFaults(checked.faults);
    setFaults({});
    if (live && start) setConfirming(checked.body);
    else create.mutate({ body: checked.body, start });
  }

  const general = create.error && Object.keys(faults).length === 0 ? explain(create.error, t) : null;

  function optionField(name: string) {
    const item = OPTIONS.get(name);
    if (item === undefined || !isShown(item, typed)) return null;
    const fault = faults[name];
    return item.type === 'table' ? (
      <ExitRows
        key={name}
        item={item}
        rows={draft.tables[name] ?? []}
        leverage={effectiveOptions(typed).leverage}
        fault={fault}
        onChange={(rows) => change({ tables: { ...draft.tables, [name]: rows } })}
      />
    ) : (
      <OptionField
        key={name}
        item={item}
        value={draft.texts[name] ?? ''}
        currency={draft.texts.product_currency ?? ''}
        fault={fault}
        onChange={(text) => changeText(name, text)}
      />
    );
  }

  function groupCard(group: Group) {
    const items = ITEMS.filter(({ name }) => !APART.has(name) && !FIRST.has(name)).filter(
      (item) => item.group === group && isShown(item, typed),
    );
    if (items.length === 0) return null;
    return (
      <section key={group} className="card form-card">
        <h2>{t(GROUP_TITLES[group])}</h2>
        <div className="form-grid form-grid-wide">{items.map(({ name }) => optionField(name))}</div>
      </section>
    );
  }

  return (
    <Screen
      title={t('add.title')}
      back="/bots/"
      className="add-screen"
      beside={exchange && <MarketBadges demo={exchange.demo} mode={live ? 'live' : 'paper'} />}
    >
      <form ref={form} className="form" noValidate onSubmit={(event) => submit(event, true)}>
        <section className="card form-card">
          <h2>{t('add.general')}</h2>
          <TextField
            label={t('add.name')}
            value={draft.name}
            maxLength={40}
            autoComplete="off"
            placeholder={t('add.nameExample')}
            fault={faults.name}
            onChange={(name) => change({ name })}
          />
          <Choice
            label={t('live.mode')}
            value={live ? 'live' : 'paper'}
            choices={[
              { value: 'paper', title: t('market.paper') },
              { value: 'live', title: t('market.live') },
            ]}
            onChange={(mode) => changeMode(mode)}
          />
          <p className="field-note form-note">{t(live ? 'live.liveText' : 'live.paperText')}</p>
          {venues.length > 1 && (
            <SelectField
              label={t('add.exchange')}
              value={draft.texts.exchange ?? ''}
              choices={venues.map(({ name, title }) => ({ value: name, title: title[language] }))}
              fault={faults.exchange}
              onChange={(name) => changeExchange(name)}
            />
          )}
          {optionField('currency_capital')}
        </section>

        {live && exchange && (
          <LiveAccountCard
            exchange={exchange}
            keys={keys?.keys.filter((key) => key.exchange === exchange.name)}
            account={draft.account}
            currency={draft.texts.product_currency ?? ''}
            faults={faults}
            onChange={(part) => change({ account: { ...draft.account, ...part } })}
          />
        )}

        <section className="card form-card">
          <h2>{t('add.strategy')}</h2>
          <SelectField
            label={t('add.strategyChoice')}
            value={draft.texts.strategy ?? ''}
            choices={CHOOSABLE.map(({ id, title, group }) => ({
              value: id,
              title: title[language],
              group: strategyGroupWord(group, reader),
            }))}
            hint={strategy?.help[language]}
            fault={faults.strategy}
            onChange={(id) => change({ texts: { ...draft.texts, strategy: id }, params: defaultParams(id) })}
          />
          <div className="form-grid">
            {shownParams(draft).map((param) =>
              param.type === 'number' ? (
                <TextField
                  key={param.name}
                  label={param.title[language]}
                  inputMode="decimal"
                  autoComplete="off"
                  value={draft.params[param.name] ?? ''}
                  hint={rangeHint(param.step, reader)}
                  fault={faults[`params.${param.name}`]}
                  onChange={(text) => change({ params: { ...draft.params, [param.name]: text } })}
                />
              ) : (
                <SelectField
                  key={param.name}
                  label={param.title[language]}
                  value={draft.params[param.name] ?? ''}
                  choices={
                    param.type === 'bool'
                      ? [
                          { value: 'true', title: t('setup.on') },
                          { value: 'false', title: t('setup.off') },
                        ]
                      : param.list.map((value) => ({ value, title: param.words[value]?.[language] ?? value }))
                  }
                  fault={faults[`params.${param.name}`]}
                  onChange={(text) => change({ params: { ...draft.params, [param.name]: text } })}
                />
              ),
            )}
            {optionField('period')}
            {optionField('min_periods')}
          </div>
        </section>

        <section className="card form-card">
          <h2>{t('add.pairs')}</h2>
          <PairPicker
            exchange={draft.texts.exchange ?? ''}
            chosen={draft.pairs}
            fault={faults.pairs ?? faults.watch_pairs}
            onChange={(pairs) => change({ pairs })}
          />
        </section>

        <section className="card form-card">
          <h2>{t('add.orders')}</h2>
          {optionField('buy_pct')}
          {optionField('order_type')}
        </section>

        <details className="more-options" open={more} onToggle={(event) => setMore(event.currentTarget.open)}>
          <summary>{t('add.more')}</summary>
          {more && <div className="form">{GROUPS.map(groupCard)}</div>}
        </details>

        <OptionWarnings warnings={draftWarnings(draft)} />
        {general && (
          <p className="notice notice-problem" role="alert">
            {general}
          </p>
        )}
        <div className="form-actions">
          <Button disabled={create.isPending} onClick={(event) => submit(event, false)}>
            {t('add.createOnly')}
          </Button>
          <Button kind="primary" type="submit" icon="play" busy={create.isPending}>
            {t('add.createAndStart')}
          </Button>
        </div>
      </form>
      {confirming && exchange && (
        <LiveStartDialog
          bot={{
            name: confirming.name,
            demo: exchange.demo,
            exchange: exchange.title[language],
            keyId: draft.account.key,
            allotment: confirming.allotment ?? null,
            currency: draft.texts.product_currency ?? '',
            pairs: draft.pairs,
          }}
          busy={create.isPending}
          onConfirm={() => create.mutate({ body: confirming, start: true })}
          onClose={() => setConfirming(null)}
        />
      )}
    </Screen>
  );
}

/** What an answer of the server says of single fields; nothing when it is about the whole. */
function faultsOf(error: ApiError, draft: Draft): Faults {
  if (error.code === 'bot_name_taken') return { name: error.message };
  if (error.code === 'key_needed') return { key: error.message };
  if (error.code === 'pair_unknown') return { pairs: error.message };
  return Object.fromEntries(
    error.faults
      .map(({ option, message }) => [option in draft.params ? `params.${option}` : option, message] as const)
      .filter(([field]) => field.startsWith('params.') || (OPTIONS.has(field) && field !== 'mode')),
  );
}
