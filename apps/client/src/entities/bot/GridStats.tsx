import { usePreferences } from '../../lib/preferences.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../ui/Figures.tsx';

/** Result of grids: amounts as exact decimals or numbers. @see docs/accounting.md#grid-figures */
interface GridResult {
  readonly profit: string | number;
  readonly floating: string | number;
  readonly other: string | number;
  readonly cycles: number;
  readonly yearlyPercent: number | null;
}

/** Shows the grid profit and the floating PnL apart, with the completed cycles and the annualised yield. */
export function GridStats({ grid, currency }: { grid: GridResult; currency: string }) {
  const { t, format } = usePreferences();
  return (
    <>
      <dl className="stats" data-testid="grid-stats">
        <Stat name={t('orderPlan.realised')} testId="grid-profit">
          <MoneyMoved value={String(grid.profit)} currency={currency} />
        </Stat>
        <Stat name={t('orderPlan.floating')} testId="grid-floating">
          <MoneyMoved value={String(grid.floating)} currency={currency} />
        </Stat>
        {Number(grid.other) !== 0 && (
          <Stat name={t('orderPlan.other')} testId="grid-other">
            <MoneyMoved value={String(grid.other)} currency={currency} />
          </Stat>
        )}
        <Stat name={t('orderPlan.cycles')} testId="grid-cycles">
          <span className="num">{format.number(grid.cycles)}</span>
        </Stat>
        <Stat name={t('orderPlan.yearly')} testId="grid-yearly">
          {grid.yearlyPercent === null ? (
            <span>{t('orderPlan.yearlyLater')}</span>
          ) : (
            <PercentMoved value={grid.yearlyPercent} />
          )}
        </Stat>
      </dl>
      {Number(grid.other) !== 0 && <p className="row-note">{t('orderPlan.otherNote')}</p>}
    </>
  );
}
