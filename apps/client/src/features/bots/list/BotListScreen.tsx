import '../bots.css';
import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { useReader } from '../../../lib/reader.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../../ui/Figures.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { MarketBadges, moneyAt } from '../badges.tsx';
import { KillButton } from '../kill/KillButton.tsx';
import { botsQuery } from '../queries.ts';
import { BotCard } from './BotCard.tsx';

/** Every bot of the person with what it is worth, newest first. */
export function BotListScreen() {
  const { t } = useReader();
  const { data, error, refetch } = useQuery(botsQuery());
  const add = (
    <Link className="btn btn-primary" href="/bot-add/">
      <Icon name="plus" size={18} />
      <span>{t('bots.new')}</span>
    </Link>
  );
  return (
    <Screen
      title={t('bots.title')}
      actions={
        data &&
        data.bots.length > 0 && (
          <>
            {data.bots.some(mayHaveOrders) && <KillButton of={null} />}
            {add}
          </>
        )
      }
      onRefresh={refetch}
    >
      {data ? (
        data.bots.length > 0 ? (
          <Bots bots={data.bots} />
        ) : (
          <Empty icon="bots" title={t('bots.emptyTitle')} text={t('bots.emptyText')}>
            {add}
          </Empty>
        )
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={3} height={148} />
      )}
    </Screen>
  );
}

function Bots({ bots }: { bots: readonly BotSummary[] }) {
  const { t } = useReader();
  return (
    <>
      {bots.length > 1 && <Totals bots={bots} />}
      <ul className="bot-list" data-testid="bot-list" aria-label={t('bots.title')}>
        {bots.map((bot) => (
          <li key={bot.id}>
            <BotCard bot={bot} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** A live bot that runs, met a fault, or holds something: there may be something to stop. */
function mayHaveOrders({ mode, status, openPairs }: BotSummary): boolean {
  return mode === 'live' && ((status !== 'created' && status !== 'finished') || openPairs > 0);
}

/** Sums by what is traded with and by currency: paper is never added to money, nor one currency to another. */
function Totals({ bots }: { bots: readonly BotSummary[] }) {
  const { t, format } = useReader();
  const sums = new Map<string, { of: BotSummary; start: number; total: number }>();
  for (const bot of bots) {
    const { currency, startCapital, totalCapital } = bot.performance;
    const group = `${moneyAt(bot)} ${currency}`;
    const sum = sums.get(group) ?? { of: bot, start: 0, total: 0 };
    sum.start += Number(startCapital);
    sum.total += Number(totalCapital);
    sums.set(group, sum);
  }
  // What is real comes first.
  const order = ['liveReal', 'liveDemo', 'paper'];
  const sorted = [...sums].sort(([, a], [, b]) => order.indexOf(moneyAt(a.of)) - order.indexOf(moneyAt(b.of)));
  return (
    <div className="totals">
      {sorted.map(([group, { of, start, total }]) => (
        <section
          key={group}
          className={`card totals-${moneyAt(of)}`}
          data-testid="totals"
          aria-label={t(`market.${moneyAt(of)}`)}
        >
          <MarketBadges demo={of.demo} mode={of.mode} />
          <dl className="stats">
            <Stat name={t('bots.totalEquity')}>
              <span className="num figure-large">{format.money(total, of.performance.currency)}</span>
            </Stat>
            <Stat name={t('bots.totalProfit')}>
              <MoneyMoved value={(total - start).toFixed(2)} currency={of.performance.currency} />
            </Stat>
            <Stat name={t('bots.return')}>
              <PercentMoved value={start > 0 ? (100 * (total - start)) / start : 0} />
            </Stat>
          </dl>
        </section>
      ))}
    </div>
  );
}
