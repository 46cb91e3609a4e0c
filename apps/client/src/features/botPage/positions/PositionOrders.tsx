import { useInfiniteQuery } from '@tanstack/react-query';
import { positionTradesQuery } from '../../../entities/bot/queries.ts';
import { TradeSummary } from '../../../entities/bot/TradeSummary.tsx';
import { usePreferences } from '../../../lib/preferences.ts';
import { MoreRows } from '../../../ui/MoreRows.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';

interface OrdersProps {
  readonly bot: string;
  readonly position: number;
  readonly currency: string;
}

/** Lists the orders that opened, changed and closed a position, oldest first. */
export function PositionOrders({ bot, position, currency }: OrdersProps) {
  const { t } = usePreferences();
  const pages = useInfiniteQuery(positionTradesQuery(bot, position));
  const trades = pages.data?.pages.flatMap((page) => page.trades).toReversed();
  return (
    <div className="position-orders" data-testid="position-orders">
      {trades ? (
        <>
          <MoreRows
            has={pages.hasNextPage}
            busy={pages.isFetching}
            failed={pages.isFetchNextPageError}
            onMore={() => void pages.fetchNextPage({ cancelRefetch: false })}
          />
          <ul className="rows" aria-label={t('positions.orders', { id: position })}>
            {trades.map((trade) => (
              <li key={trade.id} className="row">
                <TradeSummary trade={trade} currency={currency} />
              </li>
            ))}
          </ul>
        </>
      ) : pages.error ? (
        <Problem error={pages.error} onRetry={() => void pages.refetch()} />
      ) : (
        <Skeleton rows={2} height={48} />
      )}
    </div>
  );
}
