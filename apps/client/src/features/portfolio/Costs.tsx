import type { PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Bar } from '../../ui/Bar.tsx';
import { ShortList } from './ShortList.tsx';

/** Lists fees and funding by month, the newest first. */
export function Costs({ group: { months, currency } }: { readonly group: PortfolioGroup }) {
  const { t, format } = usePreferences();
  if (months.length === 0) return null;
  const title = t('costs.title');
  const largest = Math.max(...months.map(({ fees }) => Number(fees)), Number.MIN_VALUE);
  return (
    <section className="card portfolio-part" aria-label={title} data-testid="portfolio-costs">
      <h2>{title}</h2>
      <ShortList
        label={title}
        rows={months.toReversed()}
        row={({ month, fees, funding }) => (
          <li key={month} className="row">
            <span className="row-main">
              <strong>{format.month(month)}</strong>
              <span className="row-end num">
                {t('costs.fees')} {format.money(fees, currency)}
              </span>
            </span>
            <Bar percent={(100 * Number(fees)) / largest} tone="share" />
            <span className="row-note num">
              {t('sources.funding', { funding: format.signedMoney(funding, currency) })}
            </span>
          </li>
        )}
      />
      <p className="portfolio-note">{t('costs.note')}</p>
    </section>
  );
}
