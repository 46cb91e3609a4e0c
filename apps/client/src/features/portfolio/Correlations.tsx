import type { PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Bar } from '../../ui/Bar.tsx';
import { ShortList } from './ShortList.tsx';

/** Lists how the daily returns of each two bots move together, the closest first. */
export function Correlations({ group: { correlations, bots } }: { readonly group: PortfolioGroup }) {
  const { t, display } = usePreferences();
  if (bots.length < 2) return null;
  const title = t('correlation.title');
  const names = new Map(bots.map(({ bot, name }) => [bot, name]));
  const figure = new Intl.NumberFormat(display.language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return (
    <section className="card portfolio-part" aria-label={title} data-testid="portfolio-correlations">
      <h2>{title}</h2>
      {correlations.length === 0 ? (
        <p className="portfolio-none">{t('correlation.few')}</p>
      ) : (
        <>
          <ShortList
            label={title}
            rows={correlations}
            row={({ bots: [first, second], days, value }) => (
              <li key={`${first} ${second}`} className="row">
                <span className="row-main">
                  <strong>
                    {t('correlation.pair', { first: names.get(first) ?? first, second: names.get(second) ?? second })}
                  </strong>
                  <span className="row-end num">{figure.format(value)}</span>
                </span>
                <Bar percent={100 * Math.abs(value)} tone="share" />
                <span className="row-note num">{t('correlation.days', { count: days })}</span>
              </li>
            )}
          />
          <p className="portfolio-note">{t('correlation.note')}</p>
        </>
      )}
    </section>
  );
}
