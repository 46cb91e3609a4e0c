import '../../entities/bot/bot.css';
import './botPage.css';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useState } from 'react';
import { AlarmLink } from '../../entities/bot/alarm/AlarmLink.tsx';
import {
  FuturesBadge,
  HostBadge,
  HostProblem,
  MarketBadges,
  StatusBadge,
  useHost,
} from '../../entities/bot/badges.tsx';
import { BotPauseBanner } from '../../entities/bot/ExchangePauseBanner.tsx';
import { PricesOfBot } from '../../entities/bot/priceFormat.tsx';
import { alarmsQuery, botQuery } from '../../entities/bot/queries.ts';
import type { BacktestSlot, ChartSlot, ExitMove, KillButtonSlot, PositionSpan } from '../../entities/bot/slots.ts';
import { ApiError } from '../../lib/api.ts';
import { type Pane, usePane } from '../../lib/panes.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { stream } from '../../lib/server.ts';
import { Divider } from '../../ui/Divider.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { AccountPanel } from './AccountPanel.tsx';
import { JournalPanel } from './journal/JournalPanel.tsx';
import { LastDecisionPanel } from './LastDecisionPanel.tsx';
import { OrderPlanPanel } from './OrderPlanPanel.tsx';
import { OrdersPanel } from './OrdersPanel.tsx';
import { MovedExit } from './order/MovedExit.tsx';
import { OrderButtons } from './order/OrderButtons.tsx';
import { OrderSheet } from './order/OrderSheet.tsx';
import { PairBar } from './PairBar.tsx';
import { PausedBanner } from './PausedBanner.tsx';
import { PerformancePanel } from './PerformancePanel.tsx';
import { PositionPanel } from './PositionPanel.tsx';
import { PositionsPanel } from './positions/PositionsPanel.tsx';
import { RunButton } from './RunButton.tsx';
import { ResultsPanel } from './results/ResultsPanel.tsx';
import { SetupPanel } from './SetupPanel.tsx';
import { SignalsPanel } from './signals/SignalsPanel.tsx';
import { TradesPanel } from './TradesPanel.tsx';

/** Lists the parts of other features on the page of a bot. */
interface BotScreenSlots {
  readonly Chart: ChartSlot;
  readonly KillButton: KillButtonSlot;
  readonly backtest: BacktestSlot;
}

/** Shows one bot with streamed data: market, position, orders, trades and journal. */
export function BotScreen({ id, slots }: { id: string; slots: BotScreenSlots }) {
  const { KillButton } = slots;
  const { t } = usePreferences();
  const { data: bot, error, refetch } = useQuery(botQuery(id));
  const [chosen, setChosen] = useState<string | null>(null);
  const [ordering, setOrdering] = useState<'buy' | 'sell' | null>(null);
  const host = useHost(id);
  const view = bot?.pairViews.find(({ pair }) => pair === chosen) ?? bot?.pairViews[0];

  useEffect(() => stream.watch(id), [id]);

  return (
    <Screen
      title={bot?.name ?? t('bot.title')}
      back="/bots/"
      className={bot?.mode === 'live' ? 'bot-screen bot-screen-live' : 'bot-screen'}
      beside={
        bot && (
          <>
            <MarketBadges venue={bot.venue} mode={bot.mode} />
            <FuturesBadge bot={bot} />
            <HostBadge bot={id} />
          </>
        )
      }
      actions={
        bot && (
          <>
            <StatusBadge bot={bot} />
            {bot.account && bot.status !== 'created' && <KillButton of={{ bot, pair: view?.pair }} />}
            <RunButton bot={bot} />
          </>
        )
      }
      footer={
        bot &&
        view && (
          <div className="bot-footer">
            <OrderButtons bot={bot} view={view} onOrder={setOrdering} />
          </div>
        )
      }
    >
      {host && <HostProblem host={host} />}
      {bot ? (
        <PricesOfBot bot={bot}>
          <Bot slots={slots} bot={bot} view={view} onChoose={setChosen} onOrder={setOrdering} />
        </PricesOfBot>
      ) : error instanceof ApiError && error.code === 'not_found' ? (
        <Empty title={t('bot.goneTitle')} text={t('bot.goneText')}>
          <Link className="btn btn-plain" href="/bots/">
            {t('bot.toBots')}
          </Link>
        </Empty>
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={3} height={180} />
      )}
      {bot && view && ordering && (
        <PricesOfBot bot={bot}>
          <OrderSheet bot={bot} view={view} side={ordering} onClose={() => setOrdering(null)} />
        </PricesOfBot>
      )}
    </Screen>
  );
}

/** Width of the column beside the chart on wide screens. */
const SIDE: Pane = { name: 'side', initial: 340, min: 280, max: 560 };

/** Returns the height of the chart on wide screens; about half of the window until the user changes it. */
const chartPane = (): Pane => ({
  name: 'chart',
  initial: Math.round(Math.min(640, Math.max(360, innerHeight * 0.52))),
  min: 260,
  max: 1_000,
});

type Detail = 'trades' | 'positions' | 'journal' | 'results' | 'setup';

interface BotProps {
  readonly slots: BotScreenSlots;
  readonly bot: BotDetail;
  /** The pair in the chart. */
  readonly view: PairView | undefined;
  readonly onChoose: (pair: string) => void;
  readonly onOrder: (side: 'buy' | 'sell') => void;
}

function Bot({ slots: { Chart, backtest }, bot, view, onChoose, onOrder }: BotProps) {
  const { t, language } = usePreferences();
  const [detail, setDetail] = useState<Detail>('trades');
  const [span, setSpan] = useState<PositionSpan | null>(null);
  const [moved, setMoved] = useState<ExitMove | null>(null);
  const [chartOf] = useState(chartPane);
  const [side, setSide] = usePane(SIDE);
  const [chart, setChart] = usePane(chartOf);
  const { data } = useQuery(alarmsQuery());
  const alarms = data?.bots.find((each) => each.bot === bot.id);

  function showSpan(next: PositionSpan | null) {
    setSpan(next);
    if (next && next.pair !== view?.pair) onChoose(next.pair);
  }

  return (
    <>
      {bot.pause && <BotPauseBanner bot={bot} pause={bot.pause} />}
      {bot.problem && !bot.pause && (
        <p className="callout callout-problem" role="alert">
          {bot.problem[language]}
        </p>
      )}
      {alarms && <AlarmLink alarms={alarms} />}
      {bot.status === 'created' && <p className="callout">{t('bot.notStarted')}</p>}
      <div className="bot-grid" style={{ '--side': `${side}px`, '--chart': `${chart}px` } as CSSProperties}>
        <div className="bot-main">
          <PairBar bot={bot} chosen={view?.pair} onChoose={onChoose} />
          {view && view.pausedBy !== null && <PausedBanner key={`paused ${view.pair}`} bot={bot} view={view} />}
          {view && (
            <Chart
              key={view.pair}
              bot={bot}
              view={view}
              span={span?.pair === view.pair ? span : null}
              onMoveExit={setMoved}
            />
          )}
          <Divider label={t('panes.chart')} pane={chartOf} size={chart} onSize={setChart} sizes="above" />
        </div>
        <Divider label={t('panes.side')} pane={SIDE} size={side} onSize={setSide} sizes="right" />
        <aside className="bot-side" aria-label={t('bot.side')}>
          {view && <PositionPanel bot={bot} view={view} />}
          {view && <OrderButtons bot={bot} view={view} onOrder={onOrder} />}
          {view && <OrderPlanPanel view={view} currency={bot.performance.currency} />}
          {view && <LastDecisionPanel bot={bot} view={view} />}
          {bot.account && <AccountPanel bot={bot} account={bot.account} />}
          <PerformancePanel bot={bot} />
          {view && <OrdersPanel bot={bot} view={view} />}
          {view && moved && <MovedExit bot={bot} view={view} move={moved} onClose={() => setMoved(null)} />}
        </aside>
        <section className="bot-details" aria-label={t('bot.details')}>
          <Tabs
            label={t('bot.details')}
            value={detail}
            tabs={[
              { value: 'trades', title: t('trades.title') },
              { value: 'positions', title: t('positions.tab') },
              { value: 'journal', title: t('journal.title') },
              { value: 'results', title: t('figures.title') },
              { value: 'setup', title: t('setup.title') },
            ]}
            onChange={setDetail}
          >
            {detail === 'trades' && <TradesPanel bot={bot} />}
            {detail === 'positions' && <PositionsPanel bot={bot} shown={span} onShow={showSpan} />}
            {detail === 'journal' && <JournalPanel bot={bot} />}
            {detail === 'results' && <ResultsPanel bot={bot} />}
            {detail === 'setup' && (
              <>
                <SetupPanel bot={bot} backtest={backtest} />
                <SignalsPanel bot={bot} />
              </>
            )}
          </Tabs>
        </section>
      </div>
    </>
  );
}
