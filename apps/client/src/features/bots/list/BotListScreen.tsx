import '../bots.css';
import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { differenceOf, sumOf } from '../../../lib/decimal.ts';
import { useReader } from '../../../lib/reader.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../../ui/Figures.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { MarketBadges, moneyAt } from '../badges.tsx';
import { KillButton } from '../kill/KillButton.tsx';
import { botsQuery, profitsQuery } from '../queries.ts';
import { BotCard } from './BotCard.tsx';
import { today } from './profit.ts';

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
  const recent = new Map(data?.bots.map((each) => [each.id, each]));
  return (
    <>
      {bots.length > 1 && <Totals bots={bots} recent={recent} />}
      <ul className="bot-list" data-testid="bot-list" aria-label={t('bots.title')}>
        {bots.map((bot) => (
          <li key={bot.id}>
            <BotCard bot={bot} recent={recent.get(bot.id)} midnight={midnight} />
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
function Totals({ bots, recent }: { bots: readonly BotSummary[]; recent: ReadonlyMap<string, RecentProfit> }) {
  const { t, format } = useReader();
  const groups = new Map<string, { of: BotSummary; bots: BotSummary[] }>();
  for (const bot of bots) {
    const name = `${moneyAt(bot)} ${bot.performance.currency}`;
    const group = groups.get(name) ?? { of: bot, bots: [] };
    group.bots.push(bot);
    groups.set(name, group);
  }
  // What is real comes first.
  const order = ['liveReal', 'liveDemo', 'paper'];
  const sorted = [...groups].sort(([, a], [, b]) => order.indexOf(moneyAt(a.of)) - order.indexOf(moneyAt(b.of)));
  return (
    <div className="totals">
      {sorted.map(([group, { of, bots: own }]) => {
        const total = sumOf(own.map(({ performance }) => performance.totalCapital));
        const start = sumOf(own.map(({ performance }) => performance.startCapital));
        const profit = differenceOf(total, start);
        return (
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
                <MoneyMoved value={profit} currency={of.performance.currency} />
              </Stat>
              <Stat name={t('bots.today')} testId="totals-today">
                <MoneyMoved
                  value={sumOf(own.map((bot) => today(bot, recent.get(bot.id))))}
                  currency={of.performance.currency}
                />
              </Stat>
              <Stat name={t('bots.return')}>
                <PercentMoved value={Number(start) > 0 ? (100 * Number(profit)) / Number(start) : 0} />
              </Stat>
            </dl>
          </section>
        );
      })}
    </div>
  );
}
