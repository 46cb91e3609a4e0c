import type { Trade } from '@heron/contract/bots/entities.ts';
import type { ReactNode } from 'react';
import { Moment, MoneyMoved } from '../../ui/Figures.tsx';
import { reasonLabel, sideLabel } from './labels.ts';
import { usePricePreferences } from './priceFormat.tsx';

type Summed = Pick<Trade, 'side' | 'pair' | 'reason' | 'openedAt'> & {
  /** Time to show in place of that of the order. */
  readonly at?: number;
  readonly quantity: string | number;
  readonly averagePrice: string | number;
  readonly realised: string | number | null;
};

/**
 * Summarises a trade on two rows of a list: side, quantity, price and result; then reason and time.
 *
 * @param more follows the time
 */
export function TradeSummary({ trade, currency, more }: { trade: Summed; currency: string; more?: ReactNode }) {
  const preferences = usePricePreferences(trade.pair);
  const { format } = preferences;
  return (
    <>
      <span className="row-main">
        <span className={`side side-${trade.side}`}>{sideLabel(trade.side, preferences)}</span>
        <strong>{trade.pair}</strong>
        <span className="num">
          {format.quantity(trade.quantity)} @ {format.price(trade.averagePrice)}
        </span>
        <span className="row-end">
          {trade.realised !== null && <MoneyMoved value={String(trade.realised)} currency={currency} />}
        </span>
      </span>
      <span className="row-note">
        {reasonLabel(trade.reason, preferences)} · <Moment className="num" at={trade.at ?? trade.openedAt} />
        {more}
      </span>
    </>
  );
}
