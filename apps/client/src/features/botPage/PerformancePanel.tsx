import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { isFuture } from '../../entities/bot/futures.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../ui/Figures.tsx';

/** Shows the equity of the whole bot and its components. */
export function PerformancePanel({ bot }: { bot: BotDetail }) {
  const { performance } = bot;
  const { t, format } = usePreferences();
  const { currency, wins, losses, benchmarkPercent, unrealisedPercent, winRatePercent } = performance;
  const closed = wins + losses;
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
        <Stat name={t('performance.benchmark')} testId="benchmark">
          {/* Data that an older version stored on this device lack the figure. */}
          {typeof benchmarkPercent === 'number' ? <PercentMoved value={benchmarkPercent} /> : '—'}
        </Stat>
        <Stat name={t('performance.realised')}>
          <MoneyMoved value={performance.realised} currency={currency} />
        </Stat>
        <Stat name={t('performance.unrealised')}>
          <MoneyMoved value={performance.unrealised} currency={currency} />
          {typeof unrealisedPercent === 'number' && (
            <small className="num stat-note" data-testid="unrealised-ratio">
              {format.signedPercent(unrealisedPercent)}
            </small>
          )}
        </Stat>
        <Stat name={t(isFuture(bot) ? 'performance.wallet' : 'performance.cash')} testId="cash">
          <span className="num">{format.money(performance.cash, currency)}</span>
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
        <Stat name={t('performance.winRate')} testId="win-rate">
          <span className="num">
            {closed > 0 && typeof winRatePercent === 'number' ? format.percent(winRatePercent) : '—'}
          </span>
        </Stat>
      </dl>
    </section>
  );
}
