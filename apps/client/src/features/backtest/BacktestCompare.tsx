import { optionTexts } from '@heron/contract/locales/optionTexts.ts';
import { paramTitle } from '@heron/contract/locales/strategyTexts.ts';
import type { ReactNode } from 'react';
import { optionText, paramText } from '../../entities/bot/setup/valueLabels.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { MoneyMoved, PercentMoved } from '../../ui/Figures.tsx';
import { daysOf } from './backtestPlan.ts';
import { type PastRun, runDifferences } from './pastRuns.ts';
import { winRatePercent } from './tradeRows.ts';

/** Compares the newest backtests of a draft side by side, with their differing options. @param runs newest first */
export function BacktestCompare({ runs }: { runs: readonly PastRun[] }) {
  const preferences = usePreferences();
  const { t, format, language } = preferences;
  const figures: readonly (readonly [name: string, of: (run: PastRun) => ReactNode])[] = [
    [t('backtest.days'), (run) => t('backtest.daysOf', { count: daysOf(run) })],
    [t('backtest.times'), ({ begin, to }) => `${format.dateTime(begin)} – ${format.dateTime(to)}`],
    [t('backtest.return'), ({ metrics }) => <PercentMoved value={metrics.netProfitPercent} />],
    [t('backtest.hold'), ({ buyAndHold }) => <PercentMoved value={buyAndHold} />],
    [
      t('backtest.profit'),
      ({ metrics, options }) => <MoneyMoved value={String(metrics.netProfit)} currency={options.product_currency} />,
    ],
    [t('performance.drawdown'), ({ metrics }) => format.percent(100 * metrics.maxDrawdown)],
    [t('performance.trades'), ({ metrics }) => format.number(metrics.trades)],
    [
      t('backtest.winRate'),
      ({ metrics }) => {
        const winRate = winRatePercent(metrics);
        return winRate === null ? '—' : format.percent(winRate);
      },
    ],
    [t('backtest.fees'), ({ metrics, options }) => format.money(metrics.fees, options.product_currency)],
  ];
  const differences = runDifferences(runs);
  return (
    <div className="backtest-compare" data-testid="backtest-compare">
      <h3 id="backtest-compare">{t('backtest.compare')}</h3>
      <table className="backtest-table" aria-labelledby="backtest-compare">
        <thead>
          <tr>
            {/* Heads the column of row names, which are drawn above their values. */}
            <td className="hidden" />
            {runs.map((_, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a run has no other identity than its place
              <th scope="col" key={place}>
                {place === 0 ? t('backtest.thisRun') : t('backtest.runBefore', { count: place })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.map(([name, of]) => (
            <Row key={name} name={name} values={runs.map(of)} />
          ))}
          {differences.map((difference) => {
            const row = 'item' in difference ? difference.item : difference.param;
            const title = 'item' in difference ? optionTexts(row.name).title : paramTitle(difference.param);
            const locale = (value: unknown) =>
              'item' in difference
                ? optionText(difference.item, value, preferences)
                : paramText(difference.param, value, preferences);
            return <Row key={row.name} name={title[language]} values={difference.values.map(locale)} />;
          })}
        </tbody>
      </table>
      {differences.length === 0 && <p className="row-note">{t('backtest.sameSetup')}</p>}
    </div>
  );
}

function Row({ name, values }: { name: string; values: readonly ReactNode[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {values.map((value, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as the columns
        <td className="num" key={place}>
          {value}
        </td>
      ))}
    </tr>
  );
}
