import '../bots.css';
import './bot.css';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { stream } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { MarketBadges, StatusBadge } from '../badges.tsx';
import { botQuery } from '../queries.ts';
import { ChartPanel } from './ChartPanel.tsx';
import { JournalPanel } from './JournalPanel.tsx';
import { OrderSheet } from './OrderSheet.tsx';
import { OrdersPanel } from './OrdersPanel.tsx';
import { PairBar } from './PairBar.tsx';
import { PerformancePanel } from './PerformancePanel.tsx';
import { PositionPanel } from './PositionPanel.tsx';
import { RefusalPanel } from './RefusalPanel.tsx';
import { RunButton } from './RunButton.tsx';
import { SetupPanel } from './SetupPanel.tsx';
import { TradesPanel } from './TradesPanel.tsx';

/** One bot, live: what it sees, what it holds, what it did and why. */
export function BotScreen({ id }: { id: string }) {
  const { t } = useReader();
  const { data: bot, error, refetch } = useQuery(botQuery(id));

  useEffect(() => {
    stream.watch(id);
    return () => stream.watch(null);
  }, [id]);

  return (
    <Screen
      title={bot?.name ?? t('bot.title')}
      back="/bots/"
      className="bot-screen"
      beside={bot && <MarketBadges demo={bot.demo} mode={bot.mode} />}
      actions={
        bot && (
          <>
            <StatusBadge status={bot.status} />
            <RunButton bot={bot} />
          </>
        )
      }
    >
      {bot ? (
        <Bot bot={bot} />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={3} height={180} />
      )}
    </Screen>
  );
}

type Detail = 'trades' | 'journal' | 'setup';

function Bot({ bot }: { bot: BotDetail }) {
  const { t, look } = useReader();
  const [chosen, setChosen] = useState(bot.pairs[0]);
  const [detail, setDetail] = useState<Detail>('trades');
  const [ordering, setOrdering] = useState<'buy' | 'sell' | null>(null);
  const view = bot.pairViews.find(({ pair }) => pair === chosen) ?? bot.pairViews[0];
  const running = bot.status === 'working';

  return (
    <>
      {bot.problem && <p className="notice notice-problem">{bot.problem[look.language === 'zh-CN' ? 'zh' : 'en']}</p>}
      {bot.status === 'created' && <p className="notice">{t('bot.notStarted')}</p>}
      <div className="bot-grid">
        <div className="bot-main">
          {bot.pairViews.length > 0 && (
            <PairBar views={bot.pairViews} chosen={view?.pair} period={bot.period} onChoose={setChosen} />
          )}
          {view && <ChartPanel key={view.pair} bot={bot} pair={view.pair} />}
        </div>
        <aside className="bot-side" aria-label={t('bot.side')}>
          {view && <PositionPanel view={view} currency={bot.performance.currency} />}
          {view && (
            <div className="bot-order-buttons">
              <Button kind="buy" disabled={!running} onClick={() => setOrdering('buy')}>
                {t('order.buy')}
              </Button>
              <Button kind="sell" disabled={!running || !view.position} onClick={() => setOrdering('sell')}>
                {t('order.sell')}
              </Button>
              {!running && <p className="field-note">{t('order.needsRunning')}</p>}
            </div>
          )}
          {view && <RefusalPanel view={view} />}
          <PerformancePanel bot={bot} />
          {view && <OrdersPanel orders={view.orders} />}
        </aside>
        <section className="bot-details">
          <Tabs
            label={t('bot.details')}
            value={detail}
            tabs={[
              { value: 'trades', title: t('trades.title') },
              { value: 'journal', title: t('journal.title') },
              { value: 'setup', title: t('setup.title') },
            ]}
            onChange={setDetail}
          >
            {detail === 'trades' && <TradesPanel bot={bot} />}
            {detail === 'journal' && <JournalPanel id={bot.id} />}
            {detail === 'setup' && <SetupPanel bot={bot} />}
          </Tabs>
        </section>
      </div>
      {ordering && view && <OrderSheet bot={bot} view={view} side={ordering} onClose={() => setOrdering(null)} />}
    </>
  );
}
