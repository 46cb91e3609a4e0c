import '../../entities/bot/bot.css';
import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { HostProblems, MarketBadges } from '../../entities/bot/badges.tsx';
import { moneyAt } from '../../entities/bot/moneyAt.ts';
import { alarmsQuery, botsQuery } from '../../entities/bot/queries.ts';
import type { KillButtonSlot } from '../../entities/bot/slots.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { MoneyMoved, PercentMoved, Stat } from '../../ui/Figures.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../ui/states.tsx';
import { ArrangeBar } from './ArrangeBar.tsx';
import { type Arrangement, arranged, kindsAmong } from './arrange.ts';
import { BotCard } from './BotCard.tsx';
import { today } from './profit.ts';
import { totalsOf } from './totals.ts';
import { useArrangement } from './useArrangement.ts';
import { useRecentProfits } from './useRecentProfits.ts';

/** Lists the member's bots with their equity. */
export function BotListScreen({ KillButton }: { readonly KillButton: KillButtonSlot }) {
  const { t } = usePreferences();
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
        data && (
          <>
            <KillButton
              of={null}
              isOffered={
                data.bots.some(mayHaveOrders) ||
                data.ownAway === true ||
                data.hosts?.some(({ state }) => state !== 'up') === true
              }
            />
            {(data.bots.length > 0 || data.hosts !== undefined) && add}
          </>
        )
      }
      onRefresh={refetch}
    >
      <HostProblems />
      {data ? (
        data.bots.length > 0 ? (
          <Bots bots={data.bots} />
        ) : data.ownAway || data.hosts?.some(({ state }) => state !== 'up') ? null : (
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

/** Number of bots from which they can be searched and sorted. */
const FEW = 4;
const EVERY: Pick<Arrangement, 'kind' | 'search'> = { kind: 'all', search: '' };

function Bots({ bots }: { bots: readonly BotSummary[] }) {
  const { t, display } = usePreferences();
  const { midnight, recent } = useRecentProfits();
  const { data: alarms } = useQuery(alarmsQuery());
  const [stored, arrange] = useArrangement();
  const arranges = bots.length >= FEW;
  // A kind that matches none or all of the bots is neither offered nor applied.
  const kind = kindsAmong(bots).includes(stored.kind) ? stored.kind : 'all';
  const arrangement = { ...stored, ...(arranges ? { kind } : EVERY) };
  const shown = arranged(bots, arrangement, recent, display.language);
  return (
    <>
      {bots.length > 1 && <Sums bots={bots} recent={recent} />}
      {arranges && <ArrangeBar bots={bots} arrangement={arrangement} onChange={arrange} />}
      {bots.length > 1 && (
        <p className="bot-list-manage">
          <Link className="text-link" href="/bots-manage/">
            {t('bots.manage')}
          </Link>
        </p>
      )}
      {shown.length > 0 ? (
        <ul className="bot-list" data-testid="bot-list" aria-label={t('bots.title')}>
          {shown.map((bot) => (
            <li key={bot.id}>
              <BotCard
                bot={bot}
                recent={recent?.get(bot.id)}
                today={recent && today(bot, recent.get(bot.id))}
                midnight={midnight}
                alarms={alarms?.bots.find((each) => each.bot === bot.id)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <Empty icon="search" title={t('bots.noneFound')} text={t('bots.noneFoundText')}>
          <Button onClick={() => arrange({ kind: 'all', search: '' })}>{t('bots.showAll')}</Button>
        </Empty>
      )}
    </>
  );
}

/** Returns whether a live bot may have orders or positions to stop: it runs, has failed, or has an open position. */
function mayHaveOrders({ mode, status, openPairs }: BotSummary): boolean {
  return mode === 'live' && ((status !== 'created' && status !== 'finished') || openPairs > 0);
}

/** Shows sums over all bots, separated by kind of money and by currency. */
function Sums({ bots, recent }: { bots: readonly BotSummary[]; recent: ReadonlyMap<string, RecentProfit> | null }) {
  const { t, format } = usePreferences();
  return (
    <div className="totals">
      {totalsOf(bots, recent).map(({ of, total, profit, today: day, profitPercent }) => {
        const { currency } = of.performance;
        return (
          <section
            key={`${moneyAt(of)} ${currency}`}
            className={`card totals-${moneyAt(of)}`}
            data-testid="totals"
            aria-label={t(`money.${moneyAt(of)}`)}
          >
            <MarketBadges venue={of.venue} mode={of.mode} />
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
