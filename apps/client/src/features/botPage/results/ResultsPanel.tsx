import './results.css';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EquityCurve } from '../../../entities/bot/equity/EquityCurve.tsx';
import { worthOf } from '../../../entities/bot/equity/worth.ts';
import { reasonLabel } from '../../../entities/bot/labels.ts';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { equityQuery, figuresQuery } from '../../../entities/bot/queries.ts';
import { type ResultCosts, ResultTable, resultNote } from '../../../entities/bot/ResultTable.tsx';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { MoneyMoved } from '../../../ui/Figures.tsx';
import { Choice } from '../../../ui/fields/Choice.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { saveTrades } from './saveTrades.ts';

/** Shows the equity curve of a bot over a range, and its result by source. */
export function ResultsPanel({ bot }: { bot: BotDetail }) {
  return (
    <div className="results" data-testid="results">
      <Curve bot={bot} />
      <Sources bot={bot} />
    </div>
  );
}

const RANGES = ['day', 'week', 'month', 'all'] as const;
export type CurveRange = (typeof RANGES)[number];

function Curve({ bot }: { bot: BotDetail }) {
  const { t } = usePreferences();
  const [range, setRange] = useState<CurveRange>('week');
  const { data, error, refetch, dataUpdatedAt } = useQuery(equityQuery(bot.id, range));
  const { currency, totalCapital, startCapital } = bot.performance;
  const running = bot.status === 'working' || bot.status === 'stopping';
  // The curve extends to the present only while the bot runs, since its equity is known only then.
  const upToNow = data &&
    running && {
      at: [...data.at, Math.max(dataUpdatedAt, data.at.at(-1) ?? 0)],
      total: [...data.total, totalCapital],
      start: [...data.start, startCapital],
    };
  const worth = worthOf(upToNow || data || { at: [], total: [], start: [] });
  const drawn = worth.length > 1 && (worth.at(-1)?.at ?? 0) > (worth[0]?.at ?? 0);
  return (
    <section className="card panel" aria-label={t('figures.equity')}>
      <Choice
        label={t('figures.range')}
        value={range}
        choices={RANGES.map((value) => ({ value, title: t(`figures.${value}`) }))}
        onChange={setRange}
      />
      {drawn ? (
        <EquityCurve worth={worth} currency={currency} />
      ) : error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Empty title={t('figures.youngTitle')} text={t('figures.youngText')} />
      ) : (
        <Skeleton rows={1} height={220} />
      )}
    </section>
  );
}

function Sources({ bot }: { bot: BotDetail }) {
  const preferences = usePricePreferences(null);
  const { t, format } = preferences;
  const { data, error, refetch } = useQuery(figuresQuery(bot.id));
  const [saving, setSaving] = useState(false);
  if (!data)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} height={120} />;
  const save = async () => {
    setSaving(true);
    await saveTrades(bot).catch((problem: unknown) => toast(explain(problem, t), 'problem'));
    setSaving(false);
  };
  const since = data.since !== null && (
    <p className="results-since">{t('figures.since', { time: format.dateTime(data.since) })}</p>
  );
  if (data.pairs.length === 0)
    return (
      <>
        {since}
        <section className="card">
          <Empty title={t('figures.emptyTitle')} text={t('figures.emptyText')} />
        </section>
      </>
    );
  const { currency } = data;
  const note = (row: ResultCosts) => resultNote(row, currency, preferences);
  return (
    <>
      {since}
      <ResultTable
        title={t('figures.byPair')}
        currency={currency}
        rows={data.pairs.map((row) => ({ name: row.pair, net: row.net, note: note(row) }))}
      />
      <ResultTable
        title={t('figures.byReason')}
        currency={currency}
        rows={data.reasons.map((row) => ({
          name: row.reason === 'funding' ? t('figures.funding') : reasonLabel(row.reason, preferences),
          net: row.net,
          note: note(row),
        }))}
      />
      <ResultTable
        title={t('figures.byMonth')}
        currency={currency}
        rows={data.months.map((row) => ({ name: format.month(row.month), net: row.net, note: note(row) }))}
      />
      <p className="results-sum">
        <span>{t('figures.sum')}</span>
        <MoneyMoved value={data.realised} currency={currency} />
      </p>
      <div>
        <Button busy={saving} onClick={() => void save()}>
          {t('figures.save')}
        </Button>
      </div>
    </>
  );
}
