import './chart.css';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { olderVenueCandles, venueCandlesQuery } from '../../entities/bot/queries.ts';
import type { ChartPreviewProps, MarkedTrade, PlannedOrder } from '../../entities/bot/slots.ts';
import { Problem, Skeleton } from '../../ui/states.tsx';
import { CandleChart } from './CandleChart.tsx';
import { withStrategyLines } from './withStrategyLines.ts';

const NO_TRADES: readonly MarkedTrade[] = [];
const NO_ORDERS: readonly PlannedOrder[] = [];
const FLAT = { position: null, ladder: null, last: null };
const ignore = () => {};

/** Shows closed candles of a pair with the lines of a strategy that no bot runs yet. */
export function ChartPreview(props: ChartPreviewProps) {
  const {
    venue,
    host,
    pair,
    period,
    strategy,
    orders = NO_ORDERS,
    trades = NO_TRADES,
    span = null,
    until = null,
  } = props;
  const { data, error, refetch } = useQuery(venueCandlesQuery({ venue, host }, pair, period, until));
  // The parameters are new objects at each rendering, although they rarely differ.
  const text = JSON.stringify(strategy);
  const history = useMemo(() => data && withStrategyLines(data, JSON.parse(text)), [data, text]);
  const plan = JSON.stringify(orders);
  const view = useMemo(() => ({ ...FLAT, orders: linesOf(JSON.parse(plan)) }), [plan]);
  if (history === undefined)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={1} height={220} />;
  if (history.time.length === 0) return null;
  return (
    <CandleChart
      key={`${venue} ${pair} ${period} ${until} ${text}`}
      botId=""
      strategy={strategy ?? { id: '', params: {} }}
      history={history}
      trades={trades}
      span={span}
      view={view}
      forming={false}
      wheelZooms={false}
      onGap={ignore}
      older={(before) => olderVenueCandles({ venue, host }, pair, period, before)}
    />
  );
}

function linesOf(orders: readonly PlannedOrder[]) {
  return orders.map((order, index) => ({ ...order, clientOrderId: String(index) }));
}
