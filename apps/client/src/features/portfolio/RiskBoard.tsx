import type { PortfolioGroup, PositionRisk } from '@heron/contract/bots/portfolio.ts';
import { HostBadge } from '../../entities/bot/badges.tsx';
import { directionLabel } from '../../entities/bot/labels.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Stat } from '../../ui/Figures.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { ShortList } from './ShortList.tsx';
import { percentOf } from './share.ts';

/** A price that is older is shown with its time. */
const STALE_MS = 300_000;

/** Lists open positions by risk, with the loss of all of them when every stop is reached. */
export function RiskBoard({ group: { risk, positions, currency, money } }: { readonly group: PortfolioGroup }) {
  const { t, format } = usePreferences();
  const title = t('risk.title');
  return (
    <section className="card portfolio-part" aria-label={title} data-testid="portfolio-risk">
      <h2>{title}</h2>
      {positions.length === 0 ? (
        <p className="portfolio-none">{t('risk.none')}</p>
      ) : (
        <>
          <dl className="stats risk-sums">
            <Stat name={t('risk.worst')} testId="risk-worst">
              <Loss amount={risk.lossAtStops} currency={currency} />{' '}
              <small>{t('risk.share', { percent: format.percent(percentOf(risk.lossAtStops, money.equity)) })}</small>
            </Stat>
            <Stat name={t('risk.unprotected')} testId="risk-unprotected">
              <span className="num">
                {risk.unprotected > 0 && <Icon name="alert" size={16} />} {format.money(risk.withoutStop, currency)}
              </span>{' '}
              <small>{t('risk.positions', { count: risk.unprotected })}</small>
            </Stat>
          </dl>
          <ShortList
            label={title}
            rows={positions}
            row={(position) => (
              <RiskRow key={`${position.bot} ${position.pair}`} position={position} currency={currency} />
            )}
          />
          <p className="portfolio-note">{t('risk.note')}</p>
        </>
      )}
    </section>
  );
}

/** Shows a loss with a minus sign. */
function Loss({ amount, currency }: { readonly amount: string; readonly currency: string }) {
  const { format } = usePreferences();
  return <span className="num text-loss">{format.signedMoney(`-${amount}`, currency)}</span>;
}

function RiskRow({ position, currency }: { readonly position: PositionRisk; readonly currency: string }) {
  const preferences = usePreferences();
  const { t, format } = preferences;
  const { bot, name, pair, direction, leverage, value, quotedAt, liquidationPercent } = position;
  return (
    <li className="row" data-testid="risk-row">
      <span className="row-main">
        <strong>
          <Link className="text-link" href={`/bot/${bot}/`}>
            {pair}
          </Link>
        </strong>
        <span className={`tag tag-${direction}`}>{directionLabel(direction, preferences)}</span>
        {leverage > 1 && <span className="num">{leverage}×</span>}
        <span className="risk-bot">
          {name} <HostBadge bot={bot} />
        </span>
      </span>
      <dl className="stats risk-figures">
        <Stat name={t('risk.value')}>
          <span className="num">{format.money(value, currency)}</span>
          {quotedAt !== null && Date.now() - quotedAt > STALE_MS && (
            <small className="stat-note">{t('risk.stale', { time: format.dateTime(quotedAt) })}</small>
          )}
        </Stat>
        <Stat name={t('risk.stop')}>
          <StopPrice position={position} />
        </Stat>
        <Stat name={t('risk.loss')}>
          <StopLoss position={position} currency={currency} />
        </Stat>
        {liquidationPercent !== null && (
          <Stat name={t('risk.liquidation')}>
            <span className="num">{format.percent(liquidationPercent)}</span>
          </Stat>
        )}
      </dl>
    </li>
  );
}

function StopPrice({ position: { stopPrice } }: { readonly position: PositionRisk }) {
  const { t, format } = usePreferences();
  if (stopPrice !== null) return <span className="num">{format.price(stopPrice)}</span>;
  return (
    <span className="risk-open">
      <Icon name="alert" size={16} /> {t('risk.noStop')}
    </span>
  );
}

function StopLoss({ position, currency }: { readonly position: PositionRisk; readonly currency: string }) {
  const { t, format } = usePreferences();
  const { stopPrice, lossAtStop, withoutStop } = position;
  return (
    <>
      {stopPrice === null ? '–' : <Loss amount={lossAtStop} currency={currency} />}
      {stopPrice !== null && Number(withoutStop) > 0 && (
        <small className="stat-note">{t('risk.part', { value: format.money(withoutStop, currency) })}</small>
      )}
    </>
  );
}
