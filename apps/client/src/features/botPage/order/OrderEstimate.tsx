import type { ReactNode } from 'react';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { MoneyMoved } from '../../../ui/Figures.tsx';
import type { OrderPreview } from './orderPreview.ts';

interface OrderEstimateProps {
  readonly pair: string;
  readonly currency: string;
  readonly preview: OrderPreview;
  /** The review shows every row, the form only the main ones. */
  readonly whole: boolean;
  /** Rows of the order itself, before its estimates. */
  readonly children?: ReactNode;
}

type RowName = `order.${
  | 'leverage'
  | 'quantity'
  | 'worth'
  | 'price'
  | 'worst'
  | 'margin'
  | 'fee'
  | 'cost'
  | 'result'
  | 'liquidation'
  | 'stopLoss'}`;

interface Row {
  readonly name: RowName;
  readonly value: ReactNode;
  /** Whether the form shows it, too. */
  readonly main: boolean;
}

/** Tables what an order would do now. Estimated figures begin with ≈. */
export function OrderEstimate({ pair, currency, preview, whole, children }: OrderEstimateProps) {
  const { t } = usePricePreferences(pair);
  const rows = useRows(pair, currency, preview);
  return (
    <table className="order-table" data-testid={whole ? 'order-review' : 'order-estimate'}>
      <caption className="hidden">{t('order.estimates')}</caption>
      <tbody>
        {children}
        {rows
          .filter(({ main }) => whole || main)
          .map(({ name, value }) => (
            <OrderRow key={name} name={t(name)}>
              {value}
            </OrderRow>
          ))}
      </tbody>
    </table>
  );
}

export function OrderRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="num">{children}</td>
    </tr>
  );
}

/** Returns the rows of an estimate in their order. */
function useRows(pair: string, currency: string, preview: OrderPreview): Row[] {
  const { t, format } = usePricePreferences(pair);
  const { estimate, leverage, marginMode } = preview;
  const [base = ''] = pair.split('-');
  const about = (text: string) => t('order.about', { amount: text });
  const money = (amount: string) => about(format.money(amount, currency));
  const rows: Row[] = [];
  const add = (name: Row['name'], value: ReactNode, main = false) => rows.push({ name, value, main });
  if (leverage !== null) {
    add('order.leverage', t(`futures.${marginMode ?? 'cross'}`, { leverage }));
  }
  if (estimate === null) return rows;
  add('order.quantity', about(`${format.quantity(estimate.quantity)} ${base}`), true);
  add('order.worth', money(estimate.value), leverage !== null);
  if (estimate.price !== null) add('order.price', about(format.price(estimate.price)));
  if (estimate.limitPrice !== null && estimate.type !== 'limit_maker') {
    add('order.worst', format.price(estimate.limitPrice));
  }
  if (estimate.margin !== null) add('order.margin', money(estimate.margin));
  add('order.fee', money(estimate.feeQuote), true);
  if (estimate.cost !== null) add('order.cost', money(estimate.cost), leverage === null);
  if (estimate.realised !== null)
    add('order.result', <MoneyMoved value={estimate.realised} currency={currency} />, true);
  if (leverage !== null && estimate.realised === null) {
    const { liquidationPrice } = estimate;
    const none = t('position.noLiquidation');
    add('order.liquidation', liquidationPrice === null ? none : about(format.price(liquidationPrice)), true);
  }
  if (estimate.stopLossPrice !== null) add('order.stopLoss', about(format.price(estimate.stopLossPrice)));
  return rows;
}
