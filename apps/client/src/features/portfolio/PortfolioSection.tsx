import type { PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { MarketBadges } from '../../entities/bot/badges.tsx';
import { moneyAt } from '../../entities/bot/moneyAt.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { MoneyMoved, Stat } from '../../ui/Figures.tsx';
import { Link } from '../../ui/Link.tsx';
import { Correlations } from './Correlations.tsx';
import { Costs } from './Costs.tsx';
import { DayCalendar } from './DayCalendar.tsx';
import { Exposure } from './Exposure.tsx';
import { RiskBoard } from './RiskBoard.tsx';
import { Shares } from './Shares.tsx';
import { Sources } from './Sources.tsx';

/** Shows all figures of the bots with the same kind of money and the same currency. */
export function PortfolioSection({ group }: { readonly group: PortfolioGroup }) {
  const { t, format, language } = usePreferences();
  const { currency, money, mode } = group;
  const [first] = group.venues;
  const kind = first === undefined ? null : moneyAt({ venue: first.venue, mode });
  const title = `${kind === null ? '' : t(`money.${kind}`)} · ${currency}`;
  return (
    <section className="portfolio-group" aria-label={title} data-testid="portfolio-group">
      <section className={`card totals-${kind} portfolio-totals`} aria-label={t('portfolio.equity')}>
        <p className="portfolio-kind">
          {first && <MarketBadges venue={first.venue} mode={mode} />}
          <strong>{currency}</strong>
        </p>
        <dl className="stats">
          <Stat name={t('portfolio.equity')} testId="portfolio-equity">
            <span className="num figure-large">{format.money(money.equity, currency)}</span>
          </Stat>
          <Stat name={t('portfolio.profit')}>
            <MoneyMoved value={money.profit} currency={currency} />
          </Stat>
          <Stat name={t('portfolio.cash')}>
            <span className="num">{format.money(money.cash, currency)}</span>
          </Stat>
          <Stat name={t('portfolio.invested')}>
            <span className="num">{format.money(money.invested, currency)}</span>
          </Stat>
          <Stat name={t('performance.unrealised')}>
            <MoneyMoved value={money.unrealised} currency={currency} />
          </Stat>
          <Stat name={t('performance.realised')}>
            <MoneyMoved value={money.realised} currency={currency} />
          </Stat>
        </dl>
      </section>
      <div className="portfolio-columns">
        <div className="portfolio-stack">
          <RiskBoard group={group} />
          <DayCalendar group={group} />
          <Shares
            title={t('allocation.byBot')}
            group={group}
            rows={group.bots.map(({ bot, name, venue, equity, unrealised }) => ({
              id: bot,
              name: (
                <Link className="text-link" href={`/bot/${bot}/`}>
                  {name}
                </Link>
              ),
              value: equity,
              note: (
                <>
                  {venueTitle(venue)[language]} · {t('performance.unrealised')}{' '}
                  {format.signedMoney(unrealised, currency)}
                </>
              ),
            }))}
          />
        </div>
        <div className="portfolio-stack">
          <Exposure group={group} />
          <Sources group={group} />
          <Shares
            title={t('allocation.byAsset')}
            group={group}
            rows={group.assets.map(({ asset, value }) => ({
              id: asset ?? '',
              name: asset ?? t('performance.dust'),
              value,
            }))}
          />
          <Shares
            title={t('allocation.byVenue')}
            group={group}
            rows={group.venues.map(({ venue, equity, bots }) => ({
              id: venue,
              name: venueTitle(venue)[language],
              value: equity,
              note: t('allocation.bots', { count: bots }),
            }))}
          />
          {group.accounts.length > 0 && (
            <Shares
              title={t('allocation.byAccount')}
              group={group}
              rows={group.accounts.map(({ key, label, equity, bots }) => ({
                id: key,
                name: label,
                value: equity,
                note: t('allocation.bots', { count: bots }),
              }))}
            />
          )}
          <Costs group={group} />
          <Correlations group={group} />
        </div>
      </div>
    </section>
  );
}
