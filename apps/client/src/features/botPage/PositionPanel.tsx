import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { isFuture } from '../../entities/bot/futures.ts';
import { directionLabel, stopGapLabel } from '../../entities/bot/labels.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { MoneyMoved, PercentMoved, Stat } from '../../ui/Figures.tsx';
import { PriceExitList } from './order/PriceExitList.tsx';

/** Shows the bot's position in the chosen pair and its present value. */
export function PositionPanel({ bot, view }: { bot: BotDetail; view: PairView }) {
  const preferences = usePricePreferences(view.pair);
  const { t, format } = preferences;
  const { currency } = bot.performance;
  const future = isFuture(bot);
  const { position } = view;
  return (
    <section
      className="card panel"
      data-testid="position"
      data-open={position !== null}
      aria-labelledby="position-title"
    >
      <h2 id="position-title">{t('position.title', { pair: view.pair })}</h2>
      {position ? (
        <dl className="stats">
          <Stat name={t('position.unrealised')}>
            <MoneyMoved value={position.unrealised} currency={currency} />
            {/* The note explains a loss although the price has risen. */}
            {!future && <small className="stat-note">{t('position.feesIn')}</small>}
          </Stat>
          <Stat name={t(future ? 'position.roe' : 'position.return')}>
            <PercentMoved value={position.returnPercent} />
          </Stat>
          <Stat name={t('position.quantity')}>
            <span className="num">{format.quantity(position.quantity)}</span>
          </Stat>
          <Stat name={t(future ? 'position.averageEntry' : 'position.entryPrice')}>
            <span className="num">{format.price(position.entryPrice)}</span>
          </Stat>
          <Stat name={t(future ? 'position.entryValue' : 'position.cost')}>
            <span className="num">{format.money(position.cost, currency)}</span>
          </Stat>
          {future && (
            <>
              <Stat name={t('position.direction')} testId="position-direction">
                {t('position.side', {
                  side: directionLabel(position.direction, preferences),
                  leverage: position.leverage,
                })}
              </Stat>
              <Stat name={t('position.liquidationPrice')} testId="liquidation-price">
                <span className="num">
                  {position.liquidationPrice === null
                    ? t('position.noLiquidation')
                    : format.price(position.liquidationPrice)}
                </span>
              </Stat>
              {Number(position.margin) > 0 && (
                <Stat name={t('position.margin')}>
                  <span className="num">{format.money(position.margin, currency)}</span>
                </Stat>
              )}
            </>
          )}
          <Stat name={t('position.openedAt')}>
            <span className="num">{format.dateTime(position.openedAt)}</span>
          </Stat>
        </dl>
      ) : (
        <p className="panel-empty">{t('position.none')}</p>
      )}
      {position && <PriceExitList bot={bot} view={view} position={position} hasPlan={Boolean(view.ladder)} />}
      {position?.stop && <StopAtExchange pair={view.pair} stop={position.stop} direction={position.direction} />}
      <dl className="stats stats-quote">
        <Stat name={t('quote.bid')}>
          <span className="num">{view.bid === null ? '—' : format.price(view.bid)}</span>
        </Stat>
        <Stat name={t('quote.ask')}>
          <span className="num">{view.ask === null ? '—' : format.price(view.ask)}</span>
        </Stat>
        <Stat name={t('quote.last')}>
          <span className="num">{view.last === null ? '—' : format.price(view.last)}</span>
        </Stat>
      </dl>
    </section>
  );
}

type Stop = NonNullable<NonNullable<PairView['position']>['stop']>;

/** Lists the gaps that end without the user. All others are warned of, because nothing protects the position meanwhile. */
const PASSING: ReadonlySet<Stop['gap']> = new Set(['entry_at_work', 'exit_at_work', 'price_beyond', 'ladder_sells']);

/** Shows the protective stop at the exchange, or the reason why there is none. */
function StopAtExchange({ pair, stop, direction }: { pair: string; stop: Stop; direction: 'long' | 'short' }) {
  const preferences = usePricePreferences(pair);
  const { t, format } = preferences;
  const { resting, price, quantity, of, gap } = stop;
  const naked = (gap !== null && !PASSING.has(gap)) || of !== null;
  return (
    <div className={naked ? 'callout callout-warning stop-note' : 'stop-note'} data-testid="stop" data-gap={gap ?? ''}>
      <h3>{t('protection.title')}</h3>
      <p>{sentence()}</p>
      {of !== null && quantity !== null && (
        <p>{t('protection.inPart', { quantity: format.quantity(quantity), of: format.quantity(of) })}</p>
      )}
    </div>
  );

  function sentence(): string {
    if (gap !== null) return t('protection.none', { why: stopGapLabel(gap, preferences) });
    if (!resting || price === null || quantity === null) return t('protection.moving');
    const figures = { quantity: format.quantity(quantity), price: format.price(price) };
    return t(direction === 'short' ? 'protection.buysBack' : 'protection.sells', figures);
  }
}
