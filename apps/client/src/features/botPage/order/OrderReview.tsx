import { useEffect, useRef } from 'react';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { usePreferences } from '../../../lib/preferences.ts';
import { ActButton } from '../../../ui/ActButton.tsx';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { OrderEstimate, OrderRow } from './OrderEstimate.tsx';
import type { ManualOrder, OrderPreview } from './orderPreview.ts';
import { ORDER_TYPE_NAMES, orderSentence } from './orderTexts.ts';

/** A reviewed order and the position at that time. The order is sent as reviewed, even if the position changes. */
export interface Reviewed {
  readonly order: ManualOrder;
  readonly held: 'long' | 'short' | null;
  /** Null where the bot host has no previews, or did not respond. */
  readonly preview: OrderPreview | null;
}

interface OrderReviewProps {
  readonly reviewed: Reviewed;
  readonly currency: string;
  readonly future: boolean;
}

/** Shows the order that will be sent and its estimates. It takes the focus, which the form that it replaces had. */
export function OrderReview({ reviewed: { order, preview }, currency, future }: OrderReviewProps) {
  const { pair, type, price, stopLoss, takeProfit } = order;
  const { t, format } = usePricePreferences(pair);
  const amount = useAmountOf(pair, currency)(order);
  const review = useRef<HTMLElement>(null);
  useEffect(() => {
    review.current?.focus({ preventScroll: true });
    review.current?.closest('dialog')?.scrollTo(0, 0);
  }, []);
  const at = price === undefined ? '' : format.price(price);
  const slippage = type === 'stop' ? 'order.confirmStopSlippage' : 'order.confirmSlippage';
  return (
    <section className="order-review" ref={review} tabIndex={-1} aria-label={t('order.review')}>
      <p className="overlay-text">
        {t(orderSentence(order, future), { pair, amount, price: at })}
        {order.slippagePercent !== undefined && ` ${t(slippage, { percent: String(order.slippagePercent) })}`}
      </p>
      {preview && (
        <OrderEstimate pair={pair} currency={currency} preview={preview} whole>
          <OrderRow name={t('order.type')}>{t(ORDER_TYPE_NAMES[type])}</OrderRow>
          <OrderRow name={t('order.direction')}>
            {t(preview.leverage === null ? `side.${preview.side}` : `direction.${preview.direction}`)}
          </OrderRow>
          {stopLoss !== undefined && <OrderRow name={t('priceExit.stopLoss')}>{format.price(stopLoss)}</OrderRow>}
          {takeProfit !== undefined && <OrderRow name={t('priceExit.takeProfit')}>{format.price(takeProfit)}</OrderRow>}
        </OrderEstimate>
      )}
      {preview?.estimate?.price === null && <p className="field-note">{t('order.nothingFills')}</p>}
    </section>
  );
}

/** Returns how the amount of an order is written. */
function useAmountOf(pair: string, currency: string): (order: ManualOrder) => string {
  const { format } = usePricePreferences(pair);
  const [base] = pair.split('-');
  return ({ value, quantity, percent }) => {
    if (value !== undefined) return format.money(value, currency);
    return quantity === undefined ? `${percent}%` : `${format.quantity(quantity)} ${base}`;
  };
}

interface OrderConfirmationProps {
  readonly kind: 'buy' | 'sell';
  readonly label: string;
  /** The order as it was sent. It is `uncertain` if it may have arrived although no response did. */
  readonly sent: { readonly error: Error | null; readonly isPending: boolean; readonly uncertain: boolean };
  readonly onChange: () => void;
  readonly onConfirm: () => void;
}

/** Sends the reviewed order or returns to the form. Explains why the order failed. */
export function OrderConfirmation({ kind, label, sent, onChange, onConfirm }: OrderConfirmationProps) {
  const { t } = usePreferences();
  return (
    <>
      {sent.error && (
        <p className="callout callout-problem" role="alert">
          {explain(sent.error, t)}
          {sent.uncertain && ` ${t('order.uncertain')}`}
        </p>
      )}
      <div className="overlay-actions">
        {!sent.uncertain && (
          <Button onClick={onChange} disabled={sent.isPending}>
            {t('order.change')}
          </Button>
        )}
        <ActButton kind={kind} busy={sent.isPending} onClick={onConfirm}>
          {label}
        </ActButton>
      </div>
    </>
  );
}
