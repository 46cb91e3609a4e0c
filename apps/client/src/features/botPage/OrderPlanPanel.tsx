import type { PairView } from '@heron/contract/bots/entities.ts';
import { GridStats } from '../../entities/bot/GridStats.tsx';
import { dcaPhaseLabel, gridLevelStateLabel } from '../../entities/bot/labels.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { usePreferences } from '../../lib/preferences.ts';
import { MoneyMoved, Stat } from '../../ui/Figures.tsx';

type OrderPlan = NonNullable<PairView['ladder']>;

interface Shown {
  readonly pair: string;
  readonly currency: string;
}

/** Shows the grid or DCA plan of the chosen pair. The result of grids stays after they have ended. */
export function OrderPlanPanel({ view, currency }: { view: PairView; currency: string }) {
  const { t } = usePreferences();
  const { pair, ladder: plan, grid } = view;
  if (plan === null && !grid) return null;
  return (
    <section className="card panel" data-testid="order-plan" aria-labelledby="order-plan-title">
      <h2 id="order-plan-title">{t(plan?.kind === 'dca' ? 'orderPlan.dca' : 'orderPlan.grid')}</h2>
      {plan?.kind !== 'dca' && grid && <GridStats grid={grid} currency={currency} />}
      {plan?.kind === 'grid' && <GridFigures pair={pair} grid={plan} currency={currency} />}
      {plan?.kind === 'dca' && <AveragingFigures pair={pair} averaging={plan} currency={currency} />}
    </section>
  );
}

function GridFigures({ pair, grid, currency }: Shown & { grid: Extract<OrderPlan, { kind: 'grid' }> }) {
  const preferences = usePricePreferences(pair);
  const { t, format } = preferences;
  return (
    <>
      <dl className="stats">
        <Stat name={t('orderPlan.range')}>
          <span className="num">
            {format.price(grid.lower)} – {format.price(grid.upper)}
          </span>
        </Stat>
        <Stat name={t('orderPlan.budget')}>
          <span className="num">{format.money(grid.budget, currency)}</span>
        </Stat>
      </dl>
      <details>
        <summary>{t('orderPlan.cells', { count: grid.cells.length })}</summary>
        <ul className="rows">
          {grid.cells.map(({ low, high, state, cycles, realised }) => (
            <li key={low} className="row">
              <div className="row-main">
                <span className="num">
                  {format.price(low)} – {format.price(high)}
                </span>
                <span className="row-end">
                  <MoneyMoved value={realised} currency={currency} />
                </span>
              </div>
              <p className="row-note">
                {gridLevelStateLabel(state, preferences)} · {t('orderPlan.cellCycles', { count: cycles })}
              </p>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function AveragingFigures({ pair, averaging, currency }: Shown & { averaging: Extract<OrderPlan, { kind: 'dca' }> }) {
  const preferences = usePricePreferences(pair);
  const { t, format } = preferences;
  return (
    <dl className="stats">
      <Stat name={t('orderPlan.phase')}>{dcaPhaseLabel(averaging.phase, preferences)}</Stat>
      <Stat name={t('orderPlan.entries')}>
        <span className="num">
          {format.number(averaging.entries)} / {format.number(averaging.orders)}
        </span>
      </Stat>
      <Stat name={t('orderPlan.first')}>
        <span className="num">{averaging.first === null ? '—' : format.price(averaging.first)}</span>
      </Stat>
      <Stat name={t('orderPlan.takeProfit')}>
        <span className="num">{averaging.takeProfit === null ? '—' : format.price(averaging.takeProfit)}</span>
      </Stat>
      <Stat name={t('orderPlan.budget')}>
        <span className="num">{format.money(averaging.budget, currency)}</span>
      </Stat>
    </dl>
  );
}
