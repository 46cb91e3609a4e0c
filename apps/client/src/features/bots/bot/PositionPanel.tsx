import type { PairView } from '@heron/contract/bots/entities.ts';
import { useReader } from '../../../lib/reader.ts';
import { MoneyMoved, PercentMoved, Stat } from '../../../ui/Figures.tsx';

/** What the bot holds of the chosen pair, and what that is worth now. */
export function PositionPanel({ view, currency }: { view: PairView; currency: string }) {
  const { t, format } = useReader();
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
          </Stat>
          <Stat name={t('position.return')}>
            <PercentMoved value={position.returnPercent} />
          </Stat>
          <Stat name={t('position.quantity')}>
            <span className="num">{format.quantity(position.quantity)}</span>
          </Stat>
          <Stat name={t('position.entryPrice')}>
            <span className="num">{format.price(position.entryPrice)}</span>
          </Stat>
          <Stat name={t('position.cost')}>
            <span className="num">{format.money(position.cost, currency)}</span>
          </Stat>
          <Stat name={t('position.openedAt')}>
            <span className="num">{format.dateTime(position.openedAt)}</span>
          </Stat>
        </dl>
      ) : (
        <p className="panel-empty">{t('position.none')}</p>
      )}
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
