import '../bots.css';
import './add.css';
import { botCalls } from '@heron/contract/bots/calls.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import { OPTIONS } from '@heron/engine/options/table.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../../lib/api.ts';
import { go } from '../../../lib/navigation.ts';
import { useReader } from '../../../lib/reader.ts';
import { ask } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { Choice, SelectField, TextField } from '../../../ui/fields.tsx';
import { toast } from '../../../ui/notices.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { MarketBadges } from '../badges.tsx';
import { optionTitle, optionUnit, rangeHint } from '../options.ts';
import { botQuery, botsQuery, exchangesQuery } from '../queries.ts';
import {
  checkDraft,
  type Draft,
  defaultParams,
  emptyDraft,
  type Faults,
  FIGURES,
  type FigureName,
  isSingle,
  type NewBot,
  rangeOf,
} from './draft.ts';
import { PairPicker } from './PairPicker.tsx';

/** Options that have a field here; what is wrong with others is said for the whole form. */
const SHOWN: ReadonlySet<string> = new Set([...FIGURES, 'exchange', 'strategy', 'period', 'watch_pairs']);

/** Strategies that are made of others are set up elsewhere; a form of single fields cannot. */
const CHOOSABLE = [...STRATEGIES.values()].filter(({ group }) => group !== 'meta');

/** Sets up a new paper bot. Fields, ranges and defaults come from the option table and the strategy catalogue. */
export function BotAddScreen() {
  const reader = useReader();
  const { t, look } = reader;
  const language = look.language === 'zh-CN' ? 'zh' : 'en';
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [faults, setFaults] = useState<Faults>({});
  const { data: exchanges } = useQuery(exchangesQuery());
  const exchange = exchanges?.exchanges.find(({ name }) => name === draft.exchange);
  const strategy = STRATEGIES.get(draft.strategy);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));

  const create = useMutation({
    async mutationFn({ body, start }: { body: NewBot; start: boolean }) {
      const bot = await ask(botCalls.create, { body });
      void queries.invalidateQueries({ queryKey: botsQuery().queryKey });
      queries.setQueryData(botQuery(bot.id).queryKey, bot);
      go(`/bot/${bot.id}/`, { replace: true });
      if (!start) return;
      // The bot exists from here on: that it does not start is told where it can be started again.
      try {
        queries.setQueryData(botQuery(bot.id).queryKey, await ask(botCalls.start, { params: { id: bot.id } }));
      } catch (error) {
        toast(explain(error, t), 'problem');
      }
    },
    onError(error) {
      const fields = error instanceof ApiError ? faultyFields(error, draft) : [];
      showFaults(Object.fromEntries(fields.map((field) => [field, explain(error, t)])));
    },
  });

  function showFaults(found: Faults) {
    setFaults(found);
    // After React has drawn the faults, the first of them takes the focus.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  }

  function submit(event: FormEvent, start: boolean) {
    event.preventDefault();
    const checked = checkDraft(draft, language, {
      nameMissing: t('add.nameMissing'),
      pairsMissing: t('add.pairsMissing'),
    });
    if (!checked.ok) return showFaults(checked.faults);
    setFaults({});
    create.mutate({ body: checked.body, start });
  }

  const general = create.error && Object.keys(faults).length === 0 ? explain(create.error, t) : null;

  function figureField(name: FigureName) {
    const item = OPTIONS.get(name);
    if (item?.type !== 'number') return null;
    return (
      <TextField
        label={optionTitle(item, look.language)}
        inputMode="decimal"
        autoComplete="off"
        value={draft.figures[name]}
        unit={item.format === 'quote' ? 'USDT' : optionUnit(item, reader)}
        hint={rangeHint(rangeOf(name), reader)}
        fault={faults[name]}
        onChange={(text) => change({ figures: { ...draft.figures, [name]: text } })}
      />
    );
  }

  return (
    <Screen
      title={t('add.title')}
      back="/bots/"
      className="add-screen"
      beside={exchange && <MarketBadges demo={exchange.demo} mode="paper" />}
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
          {exchanges && exchanges.exchanges.length > 1 && (
            <SelectField
              label={t('add.exchange')}
              value={draft.exchange}
              choices={exchanges.exchanges.map(({ name, title }) => ({ value: name, title: title[language] }))}
              fault={faults.exchange}
              onChange={(name) => change({ exchange: name, pairs: [] })}
            />
          )}
          {figureField('currency_capital')}
        </section>

        <section className="card form-card">
          <h2>{t('add.strategy')}</h2>
          <SelectField
            label={t('add.strategyChoice')}
            value={draft.strategy}
            choices={CHOOSABLE.map(({ id, title }) => ({ value: id, title: title[language] }))}
            hint={strategy?.help[language]}
            fault={faults.strategy}
            onChange={(id) => change({ strategy: id, params: defaultParams(id) })}
          />
          <div className="form-grid">
            {strategy?.params.filter(isSingle).map((param) =>
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
            <SelectField
              label={t('add.period')}
              value={draft.period}
              choices={Object.keys(PERIODS).map((period) => ({ value: period, title: period }))}
              fault={faults.period}
              onChange={(period) => change({ period })}
            />
            {figureField('min_periods')}
          </div>
        </section>

        <section className="card form-card">
          <h2>{t('add.pairs')}</h2>
          <PairPicker
            exchange={draft.exchange}
            chosen={draft.pairs}
            fault={faults.pairs ?? faults.watch_pairs}
            onChange={(pairs) => change({ pairs })}
          />
        </section>

        <section className="card form-card">
          <h2>{t('add.orders')}</h2>
          {figureField('buy_pct')}
          <Choice
            label={t('order.type')}
            value={draft.orderType}
            choices={[
              { value: 'maker', title: t('option.maker') },
              { value: 'taker', title: t('option.taker') },
            ]}
            onChange={(orderType) => change({ orderType })}
          />
        </section>

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
    </Screen>
  );
}

/** The fields that an answer of the server is about; none when it is about the whole. */
function faultyFields({ code, details }: ApiError, draft: Draft): string[] {
  if (code === 'bot_name_taken') return ['name'];
  if (code === 'pair_unknown') return ['pairs'];
  const options = typeof details.options === 'string' ? details.options.split(',') : [];
  return options
    .map((option) => (option in draft.params ? `params.${option}` : option))
    .filter((field) => SHOWN.has(field) || field.startsWith('params.'));
}
