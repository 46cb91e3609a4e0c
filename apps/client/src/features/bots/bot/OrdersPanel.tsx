import type { Order } from '@heron/contract/bots/entities.ts';
import { useReader } from '../../../lib/reader.ts';
import { orderStateWord, orderTypeWord, reasonWord, sideWord } from '../words.ts';

/** Orders that may still fill. */
export function OrdersPanel({ orders }: { orders: readonly Order[] }) {
  const reader = useReader();
  const { t, format } = reader;
  return (
    <section className="card panel" aria-labelledby="orders-title" data-testid="orders">
      <h2 id="orders-title">{t('orders.title')}</h2>
      {orders.length === 0 ? (
        <p className="panel-empty">{t('orders.none')}</p>
      ) : (
        <ul className="rows">
          {orders.map((order) => (
            <li key={order.clientOrderId} className="row">
              <div className="row-main">
                <span className={`side side-${order.side}`}>{sideWord(order.side, reader)}</span>
                <span className="num">
                  {format.quantity(order.filled)} / {format.quantity(order.quantity)}
                </span>
                <span className="num row-end">
                  {order.price === null ? t('journal.marketPrice') : format.price(order.price)}
                </span>
              </div>
              <p className="row-note">
                {orderTypeWord(order.type, reader)} · {orderStateWord(order.status, reader)} ·{' '}
                {reasonWord(order.reason, reader)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
