import '../bots.css';
import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { useReader } from '../../../lib/reader.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../../ui/Figures.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { MarketBadges } from '../badges.tsx';
import { KillButton } from '../kill/KillButton.tsx';
import { moneyAt } from '../moneyAt.ts';
import { botsQuery, profitsQuery } from '../queries.ts';
import { BotCard } from './BotCard.tsx';
import { today } from './profit.ts';
import { totalsOf } from './totals.ts';

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
  // By the clock of this device.
  const midnight = new Date().setHours(0, 0, 0, 0);
  const { data } = useQuery(profitsQuery(midnight));
  const recent = data ? new Map(data.bots.map((each) => [each.id, each])) : null;
  return (
    <>
      {bots.length > 1 && <Sums bots={bots} recent={recent} />}
      <ul className="bot-list" data-testid="bot-list" aria-label={t('bots.title')}>
        {bots.map((bot) => (
          <li key={bot.id}>
            <BotCard
              bot={bot}
              recent={recent?.get(bot.id)}
              today={recent && today(bot, recent.get(bot.id))}
              midnight={midnight}
            />
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

/** Sums over all bots, apart by what is traded with and by currency. */
function Sums({ bots, recent }: { bots: readonly BotSummary[]; recent: ReadonlyMap<string, RecentProfit> | null }) {
  const { t, format } = useReader();
  return (
    <div className="totals">
      {totalsOf(bots, recent).map(({ of, total, profit, today: day, profitPercent }) => {
        const { currency } = of.performance;
        return (
          <section
            key={`${moneyAt(of)} ${currency}`}
            className={`card totals-${moneyAt(of)}`}
            data-testid="totals"
            aria-label={t(`market.${moneyAt(of)}`)}
          >
            <MarketBadges demo={of.demo} mode={of.mode} />
            <dl className="stats">
              <Stat name={t('bots.totalEquity')}>
                <span className="num figure-large">{format.money(total, currency)}</span>
              </Stat>
              <Stat name={t('bots.totalProfit')}>
                <MoneyMoved value={profit} currency={currency} />
              </Stat>
              <Stat name={t('bots.today')} testId="totals-today">
                {day === null ? '–' : <MoneyMoved value={day} currency={currency} />}
              </Stat>
              <Stat name={t('bots.return')}>
                <PercentMoved value={profitPercent} />
              </Stat>
            </dl>
          </section>
        );
      })}
    </div>
  );
}
