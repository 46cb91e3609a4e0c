import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { orderStateLabel, orderTypeLabel, reasonLabel, sideLabel } from '../../entities/bot/labels.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { runBotCommand } from '../../entities/bot/pushes.ts';
import { ask } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { explain } from '../../ui/explain.ts';
import { toast } from '../../ui/toasts.tsx';

/** Lists the working orders of a pair. Revocable orders can be cancelled. */
export function OrdersPanel({ bot, view: { pair, orders } }: { bot: BotDetail; view: PairView }) {
  const preferences = usePricePreferences(pair);
  const { t, format } = preferences;
  const queries = useQueryClient();
  const cancelOrder = useMutation({
    mutationFn: (clientOrderId: string) =>
      runBotCommand(queries, () => ask(botCalls.cancelOrder, { params: { id: bot.id }, body: { clientOrderId } })),
    onError: (error) => toast(explain(error, t), 'problem'),
  });
  const priceOf = ({ price, trigger }: PairView['orders'][number]) => {
    // Data of an older version on this device has none.
    if (trigger != null) return t('orders.from', { price: format.price(trigger) });
    return price === null ? t('journal.marketPrice') : format.price(price);
  };
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
                <span className={`side side-${order.side}`}>{sideLabel(order.side, preferences)}</span>
                <span className="num">
                  {format.quantity(order.filled)} / {format.quantity(order.quantity)}
                </span>
                <span className="num row-end">{priceOf(order)}</span>
              </div>
              <p className="row-note">
                {orderTypeLabel(order.type, preferences)} · {orderStateLabel(order.status, preferences)} ·{' '}
                {reasonLabel(order.reason, preferences)}
              </p>
              {order.revocable && (
                <ActButton
                  kind="quiet"
                  busy={cancelOrder.isPending && cancelOrder.variables === order.clientOrderId}
                  onClick={() => cancelOrder.mutate(order.clientOrderId)}
                >
                  {t('orders.cancel')}
                </ActButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
