import './signals.css';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { type SignalAddress, type SignalEntry, signalMethods } from '@heron/contract/bots/signals.ts';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import type { Translate } from '../../../locales/texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Moment } from '../../../ui/Figures.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { PagedList } from '../../../ui/PagedList.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { toastProblem } from '../../../ui/toastProblem.ts';
import { confirm, toast } from '../../../ui/toasts.tsx';
import { OUTCOMES, REASONS, SIDES } from './signalLabels.ts';

/** A signal in the form that alerts of TradingView send, with its placeholders. */
const EXAMPLE =
  '{"action":"buy","pair":"{{ticker}}","amount":"50","price":"{{close}}","time":"{{timenow}}","id":"{{timenow}} {{ticker}}"}';

/** Refetch interval of the log while the panel is open, ms. */
const REFETCH_MS = 5_000;

const keyOf = (bot: string) => ['signals', bot];

/** Shows the signal address of a bot with its log, and manages it. */
export function SignalsPanel({ bot }: { bot: BotDetail }) {
  const { t } = usePreferences();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(bot.id),
    queryFn: () => send(signalMethods.getSignal, { bot: bot.id }),
    staleTime: 0,
  });
  const [url, setUrl] = useState<string | null>(null);
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    onError: (failure) => toastProblem(failure, t),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(bot.id) }),
  });

  const create = () =>
    act.mutate(async () => {
      const { signal, secret } = await proven(() => send(signalMethods.createSignal, { bot: bot.id }));
      setUrl(`${location.origin}/signal/${signal.id}/${secret}`);
    });

  async function replace() {
    const agreed = await confirm({
      title: t('signals.replaceTitle'),
      text: t('signals.replaceText'),
      confirm: t('signals.replace'),
      danger: true,
    });
    if (agreed) create();
  }

  async function remove() {
    const agreed = await confirm({
      title: t('signals.removeTitle'),
      text: t('signals.removeText'),
      confirm: t('signals.remove'),
      danger: true,
    });
    if (!agreed) return;
    setUrl(null);
    act.mutate(() => send(signalMethods.removeSignal, { bot: bot.id }));
  }

  if (!data) {
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={2} height={80} />;
  }
  const { signal } = data;
  return (
    <>
      <div className="card panel signals">
        <h2>{t('signals.title')}</h2>
        <p className="panel-text">{t(bot.mode === 'live' ? 'signals.textLive' : 'signals.text')}</p>
        {url !== null && <NewAddress url={url} onDone={() => setUrl(null)} />}
        {signal === null ? (
          <div>
            <Button kind="primary" icon="plus" busy={act.isPending} onClick={create}>
              {t('signals.create')}
            </Button>
          </div>
        ) : (
          <>
            {signal.disabledSince !== null && <p className="callout callout-warning">{t('signals.disabled')}</p>}
            <Settings
              key={`${signal.id} ${signal.dryRun} ${signal.allowed.join()}`}
              signal={signal}
              busy={act.isPending}
              onSave={(change) =>
                act.mutate(async () => {
                  await proven(() => send(signalMethods.changeSignal, { bot: bot.id, ...change }));
                  toast(t('signals.saved'), 'done');
                })
              }
            />
            <p className="panel-text">{t('signals.example')}</p>
            <code className="signal-code">{EXAMPLE}</code>
            <div className="panel-actions">
              {signal.disabledSince !== null && (
                <Button
                  kind="primary"
                  busy={act.isPending}
                  onClick={() => act.mutate(() => proven(() => send(signalMethods.enableSignal, { id: signal.id })))}
                >
                  {t('integrations.enable')}
                </Button>
              )}
              <Button disabled={act.isPending} onClick={() => void replace()}>
                {t('signals.replace')}
              </Button>
              <Button kind="danger" disabled={act.isPending} onClick={() => void remove()}>
                {t('signals.remove')}
              </Button>
            </div>
          </>
        )}
      </div>
      {signal !== null && <SignalLog bot={bot.id} />}
    </>
  );
}

/** Shows a new address once, to copy. */
function NewAddress({ url, onDone }: { url: string; onDone: () => void }) {
  const { t } = usePreferences();

  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      toast(t('factor.copied'));
    } catch {
      toast(t('tokens.copyFailed'), 'problem');
    }
  }

  return (
    <div className="callout" role="status">
      <p>{t('signals.once')}</p>
      <code className="signal-code" data-testid="signal-url">
        {url}
      </code>
      <div className="panel-actions">
        <Button kind="primary" onClick={() => void copy()}>
          {t('factor.copy')}
        </Button>
        <Button onClick={onDone}>{t('tokens.saved')}</Button>
      </div>
    </div>
  );
}

interface SettingsProps {
  readonly signal: SignalAddress;
  readonly busy: boolean;
  readonly onSave: (change: { dryRun: boolean; allowed: string[] }) => void;
}

function Settings({ signal, busy, onSave }: SettingsProps) {
  const { t } = usePreferences();
  const [dryRun, setDryRun] = useState(signal.dryRun);
  const [allowed, setAllowed] = useState(signal.allowed.join(', '));
  const isChanged = dryRun !== signal.dryRun || allowed !== signal.allowed.join(', ');
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ dryRun, allowed: allowed.split(/[\s,，]+/).filter((entry) => entry !== '') });
      }}
    >
      <TickField label={t('signals.dryRun')} hint={t('signals.dryRunHint')} checked={dryRun} onChange={setDryRun} />
      <TextField
        label={t('signals.allowed')}
        hint={t('signals.allowedHint')}
        value={allowed}
        maxLength={2_500}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={setAllowed}
      />
      <div>
        <Button type="submit" busy={busy} disabled={!isChanged}>
          {t('signals.save')}
        </Button>
      </div>
    </form>
  );
}

function SignalLog({ bot }: { bot: string }) {
  const { t } = usePreferences();
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(bot), 'log'],
    queryFn: ({ pageParam }) =>
      send(signalMethods.signalLog, { bot, ...(pageParam === null ? {} : { before: pageParam }) }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFETCH_MS,
  });
  return (
    <PagedList
      pages={pages}
      rows={pages.data?.pages.flatMap(({ entries }) => entries)}
      row={(entry) => <SignalRow key={entry.id} entry={entry} />}
      empty={<Empty title={t('signals.emptyTitle')} text={t('signals.emptyText')} />}
      rowHeight={72}
      label={t('signals.log')}
      testId="signals"
    />
  );
}

function SignalRow({ entry: { at, address, body, outcome, reason, detail, order } }: { entry: SignalEntry }) {
  const { t } = usePreferences();
  const amount = order === null ? '' : amountText(order, t);
  return (
    <li className="row signal-row" data-outcome={outcome}>
      <Moment className="num row-note" at={at} />
      <div>
        <strong>{t(OUTCOMES[outcome])}</strong>{' '}
        {order && (
          <span className="num">
            {t(SIDES[order.side])} {order.pair} {amount}
          </span>
        )}
        {reason !== null && <p>{detail === '' ? t(REASONS[reason]) : detail}</p>}
        <p className="row-note signal-body">
          {address} · {body}
        </p>
      </div>
    </li>
  );
}

/** Returns the amount of an order with its currency, or its percentage; nothing where the bot decides. */
function amountText({ pair, value, percent }: NonNullable<SignalEntry['order']>, t: Translate): string {
  if (value !== null) return `${value} ${pair.split('-')[1] ?? ''}`;
  return percent === null ? '' : t('signals.percent', { percent: String(percent) });
}
