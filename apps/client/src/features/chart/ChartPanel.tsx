import './chart.css';
import type { BotDetail, PairView, Trade } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { candlesQuery, marketCandlesQuery, olderCandles, pairTradesQuery } from '../../entities/bot/queries.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty, Problem, Skeleton } from '../../ui/states.tsx';
import { CandleChart } from './CandleChart.tsx';
import { ChartOptionsSheet } from './ChartOptionsSheet.tsx';

/** Refetch interval while the host has no candles yet, ms. */
const GATHERING_MS = 2_000;

/** A constant array, so that the chart is not redrawn while trades load. */
const NONE: readonly Trade[] = [];

const LENGTHS = Object.keys(PERIODS) as Period[];

/** Shows the chart of one pair: the bot's own candles from history and stream, or closed candles of another period. */
export function ChartPanel({ bot, view }: { bot: BotDetail; view: PairView }) {
  const { t } = usePreferences();
  const { pair } = view;
  const [chosen, setChosen] = useState<Period | null>(null);
  const [choosing, setChoosing] = useState(false);
  const period = chosen ?? (bot.period as Period);
  const own = period === bot.period;
  // The bot of a venue that is not enabled has no worker.
  const mayCome = !isStopped(bot.status) && bot.status !== 'venue_disabled';
  const ownCandles = useQuery({
    ...candlesQuery(bot, pair),
    // A starting worker returns no candles or an error, and no push reports that it is ready.
    refetchInterval: ({ state }) =>
      (state.data === undefined || state.data.time.length === 0) && mayCome ? GATHERING_MS : false,
    enabled: own,
  });
  const otherCandles = useQuery({ ...marketCandlesQuery(bot, pair, period), enabled: !own });
  const { data, error, refetch } = own ? ownCandles : otherCandles;
  const { data: trades } = useQuery(pairTradesQuery(bot.id, pair));
  const onGap = useCallback(() => void refetch(), [refetch]);
  return (
    <div className="card chart-card">
      <div className="chart-bar">
        <select
          className="chart-period"
          data-shortcut="period"
          aria-label={t('chart.period')}
          value={period}
          onChange={(event) => setChosen(event.target.value === bot.period ? null : (event.target.value as Period))}
        >
          {LENGTHS.map((length) => (
            <option key={length}>{length}</option>
          ))}
        </select>
        {!own && <p className="row-note">{t('chart.closedOnly', { period: bot.period })}</p>}
        <Button kind="quiet" icon="settings" aria-label={t('chartOption.title')} onClick={() => setChoosing(true)} />
      </div>
      {data && data.time.length > 0 ? (
        <CandleChart
          // Data of another period or strategy need a new chart.
          key={`${period} ${JSON.stringify(bot.strategy)}`}
          botId={bot.id}
          strategy={bot.strategy}
          history={data}
          trades={trades?.trades ?? NONE}
          view={view}
          forming={own}
          onGap={onGap}
          older={(before) => olderCandles(bot, pair, period, before)}
        />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data && (!mayCome || !own) ? (
        <Empty icon="bots" title={t('chart.emptyTitle')} text={t(own ? 'chart.emptyText' : 'chart.noneOfLength')} />
      ) : (
        <Skeleton rows={1} height={320} />
      )}
      {choosing && <ChartOptionsSheet onClose={() => setChoosing(false)} />}
    </div>
  );
}
