import type { BotDetail, PairView, Trade } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { isAtRest } from '../badges.tsx';
import { CandleChart } from '../chart/CandleChart.tsx';
import { candlesQuery, pairTradesQuery } from '../queries.ts';

/** While the host still gathers candles, ask again this often. */
const GATHERING_MS = 2_000;

/** Always the same, so that nothing is drawn anew while trades are on their way. */
const NONE: readonly Trade[] = [];

/** The chart of one pair, from history and stream. */
export function ChartPanel({ bot, view }: { bot: BotDetail; view: PairView }) {
  const { t } = useReader();
  const { pair } = view;
  const { data, error, refetch } = useQuery({
    ...candlesQuery(bot.id, pair),
    refetchInterval: ({ state }) => (state.data?.time.length === 0 && !isAtRest(bot.status) ? GATHERING_MS : false),
  });
  const { data: trades } = useQuery(pairTradesQuery(bot.id, pair));
  const onGap = useCallback(() => void refetch(), [refetch]);
  return (
    <div className="card chart-card">
      {data && data.time.length > 0 ? (
        <CandleChart
          botId={bot.id}
          strategy={bot.strategy.id}
          history={data}
          trades={trades?.trades ?? NONE}
          view={view}
          onGap={onGap}
        />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data && isAtRest(bot.status) ? (
        <Empty icon="bots" title={t('chart.emptyTitle')} text={t('chart.emptyText')} />
      ) : (
        <Skeleton rows={1} height={320} />
      )}
    </div>
  );
}
