import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { useReader } from '../../../lib/reader.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../../ui/Figures.tsx';
import { Link } from '../../../ui/Link.tsx';
import { MarketBadges, moneyAt, StatusBadge } from '../badges.tsx';
import { strategyTitle } from '../strategyTitle.ts';

/** One bot at a glance; the whole card leads to it. */
export function BotCard({ bot }: { bot: BotSummary }) {
  const reader = useReader();
  const { t, format } = reader;
  const { performance } = bot;
  const profit = (Number(performance.totalCapital) - Number(performance.startCapital)).toFixed(2);
  return (
    <article className={`card bot-card bot-card-${moneyAt(bot)}`} data-testid="bot-card">
      <header className="bot-card-head">
        <h2>
          <Link className="card-link" href={`/bot/${bot.id}/`}>
            {bot.name}
          </Link>
        </h2>
        <StatusBadge status={bot.status} draining={bot.draining} testId="card-status" />
      </header>
      <p className="bot-card-line">
        <MarketBadges demo={bot.demo} mode={bot.mode} />
        <span>
          {strategyTitle(bot.strategy.id, reader)} · {bot.period} · {t('bots.pairs', { count: bot.pairs.length })}
        </span>
      </p>
      {bot.problem && (
        <p className="notice notice-problem">{bot.problem[reader.look.language === 'zh-CN' ? 'zh' : 'en']}</p>
      )}
      <dl className="stats">
        <Stat name={t('bots.equity')} testId="card-equity">
          <span className="num figure">{format.money(performance.totalCapital, performance.currency)}</span>
        </Stat>
        <Stat name={t('bots.profit')}>
          <MoneyMoved value={profit} currency={performance.currency} />
        </Stat>
        <Stat name={t('bots.return')}>
          <PercentMoved value={performance.profitPercent} />
        </Stat>
        <Stat name={t('bots.openPairs')}>
          <span className="num">
            {bot.openPairs} / {bot.pairs.length}
          </span>
        </Stat>
      </dl>
    </article>
  );
}
