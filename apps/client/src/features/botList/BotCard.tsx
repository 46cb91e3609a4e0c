import type { BotSummary, RecentProfit } from '@heron/contract/bots/entities.ts';
import type { BotAlarms } from '@heron/contract/bots/notifications.ts';
import { AlarmLink } from '../../entities/bot/alarm/AlarmLink.tsx';
import { HostBadge, MarketBadges, StatusBadge } from '../../entities/bot/badges.tsx';
import { moneyAt } from '../../entities/bot/moneyAt.ts';
import { PlanWait } from '../../entities/bot/PlanWait.tsx';
import { strategyTitle } from '../../entities/bot/strategyTitle.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../ui/Figures.tsx';
import { Link } from '../../ui/Link.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { profitOf } from './profit.ts';

/** Min span of the profit axis as a part of the capital, so that a small move looks flat. */
const FLAT = 0.002;

interface BotCardProps {
  readonly bot: BotSummary;
  /** Recent profit of a bot that has run, as soon as it is known. */
  readonly recent: RecentProfit | undefined;
  /** Today's profit; null while unknown. */
  readonly today: string | null;
  /** Start of today, ms. */
  readonly midnight: number;
  /** The bot's unseen alerts. */
  readonly alarms: BotAlarms | undefined;
}

/** Summarises one bot. The whole card links to the bot. */
export function BotCard({ bot, recent, today, midnight, alarms }: BotCardProps) {
  const preferences = usePreferences();
  const { t, format } = preferences;
  const { performance } = bot;
  const profit = profitOf(bot);
  const day = recent && [
    ...recent.at.map((x, index) => ({ x, y: Number(recent.profit[index]) })),
    { x: Math.max(Date.now(), recent.at.at(-1) ?? 0), y: Number(profit) },
  ];
  return (
    <article className={`card bot-card bot-card-${moneyAt(bot)}`} data-testid="bot-card">
      <header className="bot-card-head">
        <h2>
          <Link className="card-link" href={`/bot/${bot.id}/`}>
            {bot.name}
          </Link>
        </h2>
        <StatusBadge bot={bot} testId="card-status" />
      </header>
      <p className="bot-card-line">
        <MarketBadges venue={bot.venue} mode={bot.mode} />
        <HostBadge bot={bot.id} />
        <span>
          {strategyTitle(bot.strategy.id, preferences)} · {bot.period} · {t('bots.pairs', { count: bot.pairs.length })}
        </span>
      </p>
      {alarms && <AlarmLink alarms={alarms} />}
      {bot.nextPlan && (
        <p className="row-note">
          <PlanWait strategy={bot.strategy.id} next={bot.nextPlan} />
        </p>
      )}
      {bot.problem && <p className="callout callout-problem">{bot.problem[preferences.language]}</p>}
      <dl className="stats">
        <Stat name={t('bots.equity')} testId="card-equity">
          <span className="num figure">{format.money(performance.totalCapital, performance.currency)}</span>
        </Stat>
        <Stat name={t('bots.profit')}>
          <MoneyMoved value={profit} currency={performance.currency} />
        </Stat>
        <Stat name={t('bots.today')} testId="card-today">
          {today === null ? '–' : <MoneyMoved value={today} currency={performance.currency} />}
          {recent && recent.since > midnight && (
            <small className="stat-note">{t('bots.todaySince', { time: format.dateTime(recent.since) })}</small>
          )}
        </Stat>
        <Stat name={t('bots.return')}>
          <PercentMoved value={performance.profitPercent} />
        </Stat>
        <Stat name={t('bots.openPairs')}>
          <span className="num">
            {bot.openPairs} / {bot.pairs.length}
          </span>
        </Stat>
        {day && (
          <Stat name={t('bots.day')}>
            <Sparkline
              points={day}
              span={Number(performance.startCapital) * FLAT}
              label={t('bots.lastDay', {
                first: format.signedMoney(recent.profit[0] ?? profit, performance.currency),
                last: format.signedMoney(profit, performance.currency),
              })}
            />
          </Stat>
        )}
      </dl>
    </article>
  );
}
