import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useReader } from '../../../lib/reader.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../../ui/Figures.tsx';

/** What the whole bot is worth and how it got there. */
export function PerformancePanel({ bot: { performance } }: { bot: BotDetail }) {
  const { t, format } = useReader();
  const { currency, wins, losses } = performance;
  return (
    <section className="card panel" aria-labelledby="performance-title">
      <h2 id="performance-title">{t('performance.title')}</h2>
      <dl className="stats">
        <Stat name={t('bots.equity')} testId="equity" wide>
          <span className="num figure">{format.money(performance.totalCapital, currency)}</span>
        </Stat>
        <Stat name={t('bots.return')}>
          <PercentMoved value={performance.profitPercent} />
        </Stat>
        <Stat name={t('performance.realised')}>
          <MoneyMoved value={performance.realised} currency={currency} />
        </Stat>
        <Stat name={t('performance.unrealised')}>
          <MoneyMoved value={performance.unrealised} currency={currency} />
        </Stat>
        <Stat name={t('performance.available')}>
          <span className="num">{format.money(performance.available, currency)}</span>
        </Stat>
        {Number(performance.dust) > 0 && (
          <Stat name={t('performance.dust')}>
            <span className="num">{format.money(performance.dust, currency)}</span>
          </Stat>
        )}
        <Stat name={t('performance.drawdown')}>
          <span className="num">{format.percent(performance.maxDrawdownPercent)}</span>
        </Stat>
        <Stat name={t('performance.trades')}>
          <span className="num">{format.number(performance.trades)}</span>
        </Stat>
        <Stat name={t('performance.wins')}>
          <span className="num">
            {format.number(wins)} / {format.number(losses)}
          </span>
        </Stat>
      </dl>
    </section>
  );
}
