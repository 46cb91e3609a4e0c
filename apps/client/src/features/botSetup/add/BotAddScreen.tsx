import { botCalls } from '@heron/contract/bots/calls.ts';
import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import type { Setup } from '@heron/engine/options/setup.ts';
import { TEMPLATES, type Template } from '@heron/engine/options/templates.ts';
import { isVenueId, type VenueId } from '@heron/engine/options/venues.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { z } from 'zod';
import { MarketBadges } from '../../../entities/bot/badges.tsx';
import { ExchangePauseBanner } from '../../../entities/bot/ExchangePauseBanner.tsx';
import { LiveStartDialog } from '../../../entities/bot/LiveStartDialog.tsx';
import { runBotCommand } from '../../../entities/bot/pushes.ts';
import { botQuery, botsQuery, exchangesQuery, keyBalanceQuery, keysQuery } from '../../../entities/bot/queries.ts';
import { backtestSetup } from '../../../entities/bot/setup/backtestSetup.ts';
import { differences } from '../../../entities/bot/setup/differences.ts';
import { checkSetupDraft, type Faults, faultsAfter, withEdit } from '../../../entities/bot/setup/setupDraft.ts';
import { withVenue } from '../../../entities/bot/setup/standards.ts';
import type { SetupSlots } from '../../../entities/bot/slots.ts';
import { VenueProblem } from '../../../entities/bot/VenueProblem.tsx';
import { readAmount } from '../../../lib/amount.ts';
import { ApiError } from '../../../lib/api.ts';
import { go } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { ask } from '../../../lib/server.ts';
import { useMember } from '../../../lib/session.ts';
import { useSettled } from '../../../lib/useSettled.ts';
import { ActButton } from '../../../ui/ActButton.tsx';
import { explain } from '../../../ui/explain.ts';
import { Choice } from '../../../ui/fields/Choice.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';
import { toastProblem } from '../../../ui/toastProblem.ts';
import { confirm, toast } from '../../../ui/toasts.tsx';
import { useFaultFocus } from '../../../ui/useFaultFocus.ts';
import { FuturesOptions } from '../fields/FuturesOptions.tsx';
import { ModeHelp } from '../fields/ModeHelp.tsx';
import { SetupCards } from '../fields/SetupCards.tsx';
import { SetupOption } from '../fields/SetupOption.tsx';
import type { SetupForm } from '../fields/setupForm.ts';
import { SetupColumns } from '../summary/SetupColumns.tsx';
import { SetupSummary } from '../summary/SetupSummary.tsx';
import {
  checkDraft,
  type Draft,
  draftLike,
  emptyDraft,
  fromTemplate,
  isLiveDraft,
  NAME_LENGTH,
  type NewBot,
  stakeOf,
  withImport,
  withKnownKey,
} from './draft.ts';
import { forgetDraft, readDraft, type StoredDraft, storeDraft } from './draftStorage.ts';
import { faultsOf } from './faultsOf.ts';
import { HostField } from './HostField.tsx';
import { type ImportedSetup, ImportSheet } from './ImportSheet.tsx';
import { LiveAccountCard } from './LiveAccountCard.tsx';
import { TemplateCard } from './TemplateCard.tsx';
import { VenueChoice } from './VenueChoice.tsx';

/** Sets up a new paper or live bot from a template, as a copy of the bot `from`, or from the draft in this window. */
export function BotAddScreen({ from, slots }: { from?: string | undefined; slots: SetupSlots }) {
  const member = useMember();
  if (from !== undefined) return <Copy from={from} slots={slots} />;
  return <Fresh uid={member?.uid ?? null} slots={slots} />;
}

/** Shows the form for a new bot on the venue of the newest bot; the first bot starts on the demo market. */
function Fresh({ uid, slots }: { uid: number | null; slots: SetupSlots }) {
  const { t } = usePreferences();
  const stored = uid === null ? null : readDraft(uid);
  const { data: bots, error } = useQuery({ ...botsQuery(), enabled: stored === null });
  if (stored === null && bots === undefined && !error)
    return (
      <Screen title={t('add.title')} back="/bots/" className="setup-screen">
        <Skeleton rows={3} height={180} />
      </Screen>
    );
  const newest = bots?.bots.find(({ id }) => hostOf(id) === null);
  const begin = stored ?? { draft: emptyDraft(newest?.venue), template: '', host: null };
  return <NewBotForm begin={begin} uid={uid} slots={slots} />;
}

/** Shows the form for a copy of another bot. The copy starts in paper mode, whatever the mode of the other bot. */
function Copy({ from, slots }: { from: string; slots: SetupSlots }) {
  const { t } = usePreferences();
  const { data: bot, error, refetch } = useQuery(botQuery(from));
  const [begin, setBegin] = useState<StoredDraft | null>(null);
  // The bot is read only once, because it may be deleted while the form is filled in.
  if (bot && begin === null)
    setBegin({ draft: draftLike(bot, t('add.copyOf', { name: bot.name })), template: null, host: hostOf(bot.id) });
  if (begin) return <NewBotForm begin={begin} uid={null} slots={slots} />;
  return (
    <Screen title={t('add.title')} back={`/bot/${from}/`} className="setup-screen">
      {error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} height={180} />}
    </Screen>
  );
}

type VenueState = z.output<typeof botCalls.exchanges.response>['exchanges'][number];

interface NewBotFormProps {
  readonly begin: StoredDraft;
  /** Uid of the member whose draft is stored in this window; null stores nothing. */
  readonly uid: number | null;
  readonly slots: SetupSlots;
}

function NewBotForm({ begin, uid, slots: { backtest, ChartPreview } }: NewBotFormProps) {
  const preferences = usePreferences();
  const { t, language, format } = preferences;
  const queries = useQueryClient();
  const formId = useId();
  const faultFocus = useFaultFocus();
  const [typed, setDraft] = useState<Draft>(begin.draft);
  const [template, setTemplate] = useState(begin.template);
  const [importing, setImporting] = useState(false);
  /** Names in an imported setup that this version does not know. */
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const [faults, setFaults] = useState<Faults>({});
  const { data: bots } = useQuery(botsQuery());
  const hosts = bots?.hosts ?? [];
  const [host, setHost] = useState(begin.host);
  /** The chosen host was removed meanwhile. The owner has to choose another one. */
  const hostGone = host !== null && bots !== undefined && !hosts.some(({ id }) => id === host);
  const { data: exchanges, error: silence } = useQuery(exchangesQuery(host));
  const { data: keys } = useQuery(keysQuery(host));
  /** A live bot that waits for confirmation. */
  const [confirming, setConfirming] = useState<NewBot | null>(null);
  /** The setup in the backtest sheet. */
  const [testing, setTesting] = useState<Setup | null>(null);
  const live = isLiveDraft(typed);
  const { exchange: venue = '' } = typed.texts;
  const currency = (typed.texts.product_currency ?? '').trim().toUpperCase();
  const venueKeys = keys?.keys.filter((key) => key.venue === venue);
  const draft = withKnownKey(typed, venueKeys);
  const balance = useQuery(keyBalanceQuery(live ? draft.account.key : '', useSettled(currency), host));
  const state = exchanges?.exchanges.find((each) => each.venue === venue);
  function change(part: Partial<Draft>) {
    setDraft((before) => ({ ...before, ...part }));
    const edited: readonly string[] = [
      ...Object.keys(part),
      ...Object.keys(part.texts ?? {}),
      ...(part.account ? ['key', 'allotment'] : []),
    ];
    setFaults((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !edited.includes(field))));
  }
  const changeText = (name: string, text: string) =>
    setDraft((before) => ({ ...before, texts: { ...before.texts, [name]: text } }));

  const made = useRef(false);
  useEffect(() => {
    if (uid !== null && !made.current) storeDraft(uid, { draft, template, host });
  }, [uid, draft, template, host]);

  async function chooseTemplate(next: Template | null) {
    const current = TEMPLATES.find(({ id }) => id === template) ?? null;
    const typed = differences(fromTemplate(draft, current), draft).length > 0;
    const agreed =
      !typed ||
      (await confirm({
        title: t('add.replaceTitle'),
        text: t('add.replaceText'),
        confirm: t('add.replace'),
        danger: true,
      }));
    if (!agreed) return;
    setTemplate(next?.id ?? '');
    setUnknown([]);
    setFaults({});
    setDraft((now) => ({ ...now, ...fromTemplate(now, next) }));
  }

  function applyImport({ setup: imported, unknown: names, isBeforeVenues }: ImportedSetup) {
    setImporting(false);
    setUnknown(names);
    setTemplate(null);
    setFaults({});
    const trading = exchanges?.exchanges.filter((each) => each.live).map((each) => each.venue) ?? [];
    setDraft((now) => withImport(now, imported, trading));
    toast(t(isBeforeVenues ? 'import.takenDemo' : 'import.taken'));
  }

  const venues = venuesFor(live, exchanges?.exchanges, venue);

  function changeVenue(next: VenueId) {
    change({ texts: withVenue(draft.texts, next), pairs: [], account: { ...draft.account, key: '' } });
  }

  function changeHost(id: string) {
    setHost(id === '' ? null : id);
    change({ account: { ...draft.account, key: '' } });
  }

  function changeMode(mode: 'paper' | 'live') {
    changeText('mode', mode);
    const possible = exchanges?.exchanges.find(({ live: trades }) => trades);
    if (mode === 'live' && state?.live === false && possible) {
      change({ texts: withVenue({ ...draft.texts, mode }, possible.venue), pairs: [] });
    }
  }

  const create = useMutation({
    async mutationFn({ body, start }: { body: NewBot; start: boolean }) {
      const confirmation = isLiveDraft(draft) ? { confirm: body.name } : {};
      const bot = await ask(botCalls.create, { body, host });
      made.current = true;
      if (uid !== null) forgetDraft();
      queries.removeQueries({ queryKey: ['backtestRuns', 'new'] });
      void queries.invalidateQueries({ queryKey: botsQuery().queryKey });
      queries.setQueryData(botQuery(bot.id).queryKey, bot);
      go(`/bot/${bot.id}/`, { replace: true });
      if (!start) return;
      // The bot exists from here on. A failed start is reported on its page, where it can be started again.
      try {
        const toStart = () => ask(botCalls.start, { params: { id: bot.id }, body: confirmation });
        await proven(() => runBotCommand(queries, toStart));
      } catch (error) {
        toastProblem(error, t);
      }
    },
    onError(error) {
      setConfirming(null);
      showFaults(error instanceof ApiError ? faultsOf(error, draft) : {});
    },
  });

  function showFaults(found: Faults) {
    setFaults(found);
    faultFocus.seek();
  }

  function submit(event: FormEvent, start: boolean) {
    event.preventDefault();
    send(start);
  }

  function send(start: boolean) {
    const available = balance.data?.available ?? null;
    const messages = {
      nameMissing: t('add.nameMissing'),
      pairsMissing: t('add.pairsMissing'),
      keyMissing: t('live.keyMissing'),
      capitalMissing: t('add.capitalMissing'),
      allotmentWrong: t('live.allotmentWrong'),
      allotmentTooLarge: t('live.tooLarge', { amount: format.money(available ?? '0', currency) }),
    };
    const checked = checkDraft(draft, language, { available, messages });
    if (!checked.ok) {
      // Money may have come in meanwhile.
      if (available !== null && checked.faults.allotment !== undefined) void balance.refetch();
      return showFaults(checked.faults);
    }
    setFaults({});
    if (live && start) setConfirming(checked.body);
    else create.mutate({ body: checked.body, start });
  }

  function openBacktest() {
    const found = draft.pairs.length === 0 ? { pairs: t('add.pairsMissing') } : checkSetupDraft(draft, language).faults;
    if (Object.keys(found).length > 0) return showFaults(found);
    setFaults({});
    const { share, allotment } = draft.account;
    setTesting(backtestSetup(draft, live && share === 'part' ? Number(readAmount(allotment) ?? 0) : null));
  }

  const general = create.error && Object.keys(faults).length === 0 ? explain(create.error, t) : null;

  const setup: SetupForm = {
    draft,
    before: null,
    host,
    faults,
    warnings: checkSetupDraft(draft, language).warnings,
    change(edit) {
      create.reset();
      setDraft((now) => ({ ...now, ...withEdit(now, edit) }));
      setFaults((now) => faultsAfter(now, edit));
    },
  };

  return (
    <Screen
      title={t('add.title')}
      back="/bots/"
      className="setup-screen"
      beside={isVenueId(venue) && <MarketBadges venue={venue} mode={live ? 'live' : 'paper'} />}
      footer={
        <div className="edit-bar add-bar">
          {general && (
            <p className="callout callout-problem" role="alert">
              {general}
            </p>
          )}
          <div>
            <backtest.Button of="new" kind="quiet" disabled={create.isPending} onClick={openBacktest} />
            <ActButton disabled={create.isPending} onClick={(event) => submit(event, false)}>
              {t('add.createOnly')}
            </ActButton>
            <ActButton kind="primary" type="submit" form={formId} icon="play" busy={create.isPending}>
              {t('add.createAndStart')}
            </ActButton>
          </div>
        </div>
      }
    >
      <SetupColumns
        summary={<SetupSummary form={setup} stake={{ amount: stakeOf(draft) }} ChartPreview={ChartPreview} />}
      >
        <form id={formId} {...faultFocus.props} className="form" noValidate onSubmit={(event) => submit(event, true)}>
          {unknown.length > 0 && (
            <p className="callout callout-warning" role="status">
              {t('import.unknown', { count: unknown.length, names: unknown.join(', ') })}
            </p>
          )}
          <TemplateCard
            chosen={template}
            onChoose={(next) => void chooseTemplate(next)}
            onImport={() => setImporting(true)}
          />
          <section className="card form-card">
            <h2>{t('add.general')}</h2>
            <TextField
              label={t('add.name')}
              value={draft.name}
              maxLength={NAME_LENGTH}
              autoComplete="off"
              placeholder={t('add.nameExample')}
              fault={faults.name}
              onChange={(name) => change({ name })}
            />
            <Choice
              label={t('live.mode')}
              tools={<ModeHelp />}
              value={live ? 'live' : 'paper'}
              choices={[
                { value: 'paper', title: t('market.paper') },
                { value: 'live', title: t('market.live') },
              ]}
              onChange={(mode) => changeMode(mode)}
            />
            {(hosts.length > 0 || hostGone) && (
              <HostField host={host} hosts={hosts} ownAway={bots?.ownAway} error={silence} onChange={changeHost} />
            )}
            <VenueChoice venue={venue} venues={venues} live={live} fault={faults.exchange} onChange={changeVenue} />
            {state && <VenueStatus state={state} live={live} />}
            <FuturesOptions form={setup} />
            <SetupOption form={setup} name="currency_capital" />
          </section>

          {live && isVenueId(venue) && (
            <LiveAccountCard
              venue={venue}
              host={hosts.find(({ id }) => id === host)?.name ?? null}
              keys={venueKeys}
              account={draft.account}
              balance={balance}
              currency={currency}
              faults={faults}
              onChange={(part) => change({ account: { ...draft.account, ...part } })}
            />
          )}

          <SetupCards form={setup} />
        </form>
      </SetupColumns>
      {importing && <ImportSheet onImport={applyImport} onClose={() => setImporting(false)} />}
      {testing && (
        <backtest.Sheet
          of="new"
          setup={testing}
          name={draft.name}
          host={host}
          act={{
            label: t('add.createAndStart'),
            run() {
              setTesting(null);
              send(true);
            },
          }}
          onClose={() => setTesting(null)}
        />
      )}
      {confirming && isVenueId(venue) && (
        <LiveStartDialog
          bot={{
            name: confirming.name,
            host,
            venue,
            keyId: draft.account.key,
            allotment: confirming.allotment ?? null,
            capital: null,
            currency,
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

/** Returns the venues that can be chosen. Until they are known, it is the chosen one, so that the form does not jump. */
function venuesFor(live: boolean, known: readonly VenueState[] | undefined, chosen: string): VenueId[] {
  if (known) return known.filter((each) => each.live || !live).map((each) => each.venue);
  return isVenueId(chosen) ? [chosen] : [];
}

/** Explains why the chosen exchange does not trade now. */
function VenueStatus({ state, live }: { state: VenueState; live: boolean }) {
  if (state.pause) return <ExchangePauseBanner pause={state.pause} holds="" />;
  return (live || state.reachable === false) && <VenueProblem state={state} />;
}
