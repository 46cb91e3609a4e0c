import type { PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import { directionLabel } from '../../entities/bot/labels.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Bar } from '../../ui/Bar.tsx';
import { ShortList } from './ShortList.tsx';
import { percentOf } from './share.ts';

type Sides = PortfolioGroup['exposure'];

/** Shows the value of the open positions by asset and direction, net and gross. */
export function Exposure({ group: { exposures, exposure, currency, money } }: { readonly group: PortfolioGroup }) {
  const { t } = usePreferences();
  const title = t('exposure.title');
  const rows = [...(exposures.length > 1 ? [{ ...exposure, asset: null }] : []), ...exposures];
  return (
    <section className="card portfolio-part" aria-label={title} data-testid="portfolio-exposure">
      <h2>{title}</h2>
      {exposures.length === 0 ? (
        <p className="portfolio-none">{t('risk.none')}</p>
      ) : (
        <ShortList
          label={title}
          rows={rows}
          row={({ asset, ...sides }) => (
            <ExposureRow
              key={asset ?? ''}
              name={asset ?? t('exposure.all')}
              sides={sides}
              currency={currency}
              equity={money.equity}
            />
          )}
        />
      )}
    </section>
  );
}

interface ExposureRowProps {
  readonly name: string;
  readonly sides: Sides;
  readonly currency: string;
  readonly equity: string;
}

function ExposureRow({ name, sides: { long, short, net, gross }, currency, equity }: ExposureRowProps) {
  const preferences = usePreferences();
  const { t, format } = preferences;
  const isShort = net.startsWith('-');
  return (
    <li className="row">
      <span className="row-main">
        <strong>{name}</strong>
        {Number(net) !== 0 && (
          <span className={`tag tag-${isShort ? 'short' : 'long'}`}>
            {directionLabel(isShort ? 'short' : 'long', preferences)}
          </span>
        )}
        <span className="row-end num">
          {t('exposure.net')} {format.money(net, currency)} <small>{format.percent(percentOf(net, equity))}</small>
        </span>
      </span>
      <Bar percent={percentOf(gross, equity)} tone={isShort ? 'loss' : 'gain'} />
      <span className="row-note num">
        {t('exposure.gross')} {format.money(gross, currency)} ·{' '}
        {t('exposure.sides', { long: format.money(long, currency), short: format.money(short, currency) })}
      </span>
    </li>
  );
}
