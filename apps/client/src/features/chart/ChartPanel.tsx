import './chart.css';
import type { BotDetail, PairView, Trade } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { candlesQuery, marketCandlesQuery, olderCandles, pairTradesQuery } from '../../entities/bot/queries.ts';
import type { ExitMove, PositionSpan } from '../../entities/bot/slots.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { Overlay } from '../../ui/Overlay.tsx';
import { Empty, Problem, Skeleton } from '../../ui/states.tsx';
import { CandleChart } from './CandleChart.tsx';
import { ChartOptionsSheet } from './ChartOptionsSheet.tsx';
import { IndicatorsSheet } from './IndicatorsSheet.tsx';
import { withStrategyLines } from './withStrategyLines.ts';

/** Refetch interval while the host has no candles yet, ms. */
const GATHERING_MS = 2_000;

/** A constant array, so that the chart is not redrawn while trades load. */
const NONE: readonly Trade[] = [];

const LENGTHS = Object.keys(PERIODS) as Period[];
/** Periods with a button of their own where there is room. */
const COMMON: readonly Period[] = ['1m', '5m', '15m', '1h', '4h', '1d'];

interface PanelProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  /** The chart moves to this position and marks it. */
  readonly span: PositionSpan | null;
  readonly onMoveExit: (move: ExitMove) => void;
}

/** Shows the chart of one pair in its place on the page, or in full screen. */
export function ChartPanel({ bot, view, span, onMoveExit }: PanelProps) {
  const { t } = usePreferences();
  // Null follows the bot's own period, which can be edited.
  const [chosen, setChosen] = useState<Period | null>(null);
  const period = chosen ?? (bot.period as Period);
  const [choosing, setChoosing] = useState(false);
  const [adding, setAdding] = useState(false);
  const [full, setFull] = useState(false);
  const bar = (
    <div className="chart-bar">
      <PeriodChoice period={period} onChoose={(next) => setChosen(next === bot.period ? null : next)} />
      {period !== bot.period && <p className="row-note">{t('chart.closedOnly', { period: bot.period })}</p>}
      <div className="chart-acts">
        {!full && <Button kind="quiet" icon="expand" aria-label={t('chart.expand')} onClick={() => setFull(true)} />}
        <Button
          kind="quiet"
          icon="indicators"
          aria-label={t('indicators.title')}
          title={t('indicators.title')}
          onClick={() => setAdding(true)}
        />
        <Button kind="quiet" icon="settings" aria-label={t('chartOption.title')} onClick={() => setChoosing(true)} />
      </div>
    </div>
  );
  const chart = (
    <PairChart bot={bot} view={view} span={span} onMoveExit={onMoveExit} period={period} wheelZooms={full} />
  );
  return (
    <div className="card chart-card">
      {full ? (
        <FullScreen title={view.pair} onClose={() => setFull(false)}>
          {bar}
          {chart}
        </FullScreen>
      ) : (
        <>
          {bar}
          {chart}
        </>
      )}
      {adding && <IndicatorsSheet onClose={() => setAdding(false)} />}
      {choosing && <ChartOptionsSheet onClose={() => setChoosing(false)} />}
    </div>
  );
}

/** Shows a chart over the whole window. The page behind keeps its length, so that it is found where it was left. */
function FullScreen({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <>
      <div className="chart" />
      <Overlay kind="popup" size={{ fullscreen: true }} title={title} onClose={onClose}>
        <div className="chart-full">{children}</div>
      </Overlay>
    </>
  );
}

/** Offers the common periods as buttons where there is room, and all of them as a list. */
function PeriodChoice({ period, onChoose }: { period: Period; onChoose: (period: Period) => void }) {
  const { t } = usePreferences();
  return (
    <>
      <fieldset className="chart-periods" aria-label={t('chart.period')}>
        {COMMON.map((length) => (
          <button key={length} type="button" aria-pressed={length === period} onClick={() => onChoose(length)}>
            {length}
          </button>
        ))}
      </fieldset>
      <select
        className="chart-period"
        data-shortcut="period"
        aria-label={t('chart.period')}
        value={period}
        onChange={(event) => onChoose(event.target.value as Period)}
      >
        {LENGTHS.map((length) => (
          <option key={length}>{length}</option>
        ))}
      </select>
    </>
  );
}

/** Shows a pair's candles: those of the bot from history and stream, or closed candles of another period. */
function PairChart({
  bot,
  view,
  span,
  onMoveExit,
  period,
  wheelZooms,
}: PanelProps & { period: Period; wheelZooms: boolean }) {
  const { t } = usePreferences();
  const { pair } = view;
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
  const { data: candles, error, refetch } = own ? ownCandles : otherCandles;
  // The bot runs its strategy on its own period only, so the lines of another one are computed here.
  const data = useMemo(
    () => (candles === undefined || own ? candles : withStrategyLines(candles, bot.strategy)),
    [candles, own, bot.strategy],
  );
  const { data: trades } = useQuery(pairTradesQuery(bot.id, pair));
  const onGap = useCallback(() => void refetch(), [refetch]);
  if (data && data.time.length > 0)
    return (
      <>
        <CandleChart
          // Data of another period or strategy need a new chart.
          key={`${period} ${JSON.stringify(bot.strategy)}`}
          botId={bot.id}
          strategy={bot.strategy}
          history={data}
          trades={trades?.trades ?? NONE}
          view={view}
          span={span}
          forming={own}
          wheelZooms={wheelZooms}
          onGap={onGap}
          onMoveExit={onMoveExit}
          older={(before) => olderCandles(bot, pair, period, before)}
        />
        {trades?.next != null && (
          <p className="row-note chart-note">{t('chart.marksOf', { count: trades.trades.length })}</p>
        )}
      </>
    );
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data && (!mayCome || !own))
    return <Empty icon="bots" title={t('chart.emptyTitle')} text={t(own ? 'chart.emptyText' : 'chart.noneOfLength')} />;
  return <Skeleton rows={1} height={320} />;
}
