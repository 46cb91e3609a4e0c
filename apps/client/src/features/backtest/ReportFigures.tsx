import type { ReactNode } from 'react';
import { durationText } from '../../lib/durationText.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../ui/Figures.tsx';
import { daysOf } from './backtestPlan.ts';
import type { BacktestResult } from './runBacktest.ts';
import { winRatePercent } from './tradeRows.ts';

/** Figures of a year say nothing about fewer days. */
const MIN_YEARLY_DAYS = 30;

/** Shows the figures of a whole run. @see docs/metrics.md */
export function ReportFigures({ result: { document, plan, traded, buyAndHold } }: { readonly result: BacktestResult }) {
  const { t, format } = usePreferences();
  const { metrics, options, equity } = document;
  const currency = options.product_currency;
  const winRate = winRatePercent(metrics);
  const future = document.funding.length > 0 || metrics.liquidations > 0;
  const yearly = daysOf(plan) >= MIN_YEARLY_DAYS;
  const ratio = (value: number | null) => (value === null ? '—' : format.price(value, 2));
  return (
    <dl className="stats">
      <Stat name={t('backtest.return')} testId="backtest-return">
        <PercentMoved value={metrics.netProfitPercent} />
      </Stat>
      <Stat name={t('backtest.hold')} testId="backtest-hold">
        <PercentMoved value={buyAndHold} />
      </Stat>
      <Stat name={t('backtest.profit')}>
        <MoneyMoved value={String(metrics.netProfit)} currency={currency} />
      </Stat>
      {metrics.realised !== metrics.netProfit && (
        <>
          <Stat name={t('performance.realised')}>
            <MoneyMoved value={String(metrics.realised)} currency={currency} />
          </Stat>
          <Stat name={t('performance.unrealised')}>
            <MoneyMoved value={String(metrics.unrealised)} currency={currency} />
          </Stat>
          {metrics.insurance !== 0 && (
            <Figure name={t('backtest.insurance')}>{format.money(metrics.insurance, currency)}</Figure>
          )}
        </>
      )}
      <Figure name={t('backtest.equity')}>{format.money(equity.end, currency)}</Figure>
      <Figure name={t('performance.drawdown')}>{format.percent(100 * metrics.maxDrawdown)}</Figure>
      <Figure name={t('backtest.drawdownLength')}>{durationText(metrics.drawdownLength, { t })}</Figure>
      <Figure name={t('performance.trades')} testId="backtest-trades">
        {format.number(metrics.trades)}
      </Figure>
      {winRate !== null && (
        <Figure name={t('backtest.winRate')} testId="backtest-win-rate">
          {format.percent(winRate)}
        </Figure>
      )}
      {metrics.wins + metrics.losses > 0 && (
        <>
          <Figure name={t('backtest.profitFactor')} testId="backtest-profit-factor">
            {ratio(metrics.profitFactor)}
          </Figure>
          <Stat name={t('backtest.expectancy')}>
            <MoneyMoved value={String(metrics.expectancy)} currency={currency} />
          </Stat>
        </>
      )}
      {yearly && (
        <>
          <Stat name={t('backtest.annualReturn')}>
            <PercentMoved value={100 * traded.annualReturn} />
          </Stat>
          <Figure name={t('backtest.sharpe')}>{ratio(traded.sharpe)}</Figure>
          <Figure name={t('backtest.sortino')}>{ratio(traded.sortino)}</Figure>
        </>
      )}
      <Figure name={t('backtest.exposure')}>{format.percent(100 * traded.exposure)}</Figure>
      <Figure name={t('backtest.fees')}>{format.money(metrics.fees, currency)}</Figure>
      {future && (
        <>
          <Figure name={t('figures.funding')} testId="backtest-funding">
            {format.signedMoney(metrics.funding, currency)}
          </Figure>
          <Figure name={t('backtest.liquidations')}>{format.number(metrics.liquidations)}</Figure>
        </>
      )}
    </dl>
  );
}

function Figure({ name, testId, children }: { name: string; testId?: string; children: ReactNode }) {
  return (
    <Stat name={name} {...(testId === undefined ? {} : { testId })}>
      <span className="num">{children}</span>
    </Stat>
  );
}
