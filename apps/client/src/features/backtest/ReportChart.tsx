import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ChartPreviewSlot } from '../../entities/bot/slots.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { markedTrades } from './markedTrades.ts';
import type { BacktestResult } from './runBacktest.ts';
import type { TradeRow } from './tradeRows.ts';

/** Number of candles after a trade that is shown. */
const CANDLES_AFTER = 100;

/** The trade to which the chart moves. */
export type ShownTrade = Pick<TradeRow, 'id' | 'pair' | 'at' | 'averagePrice'>;

interface ReportChartProps {
  readonly result: BacktestResult;
  /** Null for none. */
  readonly shown: ShownTrade | null;
  /** Called when another pair is chosen. */
  readonly onPair: () => void;
  readonly ChartPreview: ChartPreviewSlot;
}

/** Shows the candles of a pair with the lines of the strategy and the trades of the backtest. */
export function ReportChart({ result, shown, onPair, ChartPreview }: ReportChartProps) {
  const { t } = usePreferences();
  const { document, host, plan } = result;
  const { strategy, params, period } = document;
  const names = document.pairs.map(({ pair }) => pair);
  const [chosen, setChosen] = useState(names[0] ?? '');
  const pair = shown?.pair ?? chosen;
  const periodMs = PERIODS[period as Period];
  const wanted = shown === null ? plan.to : Math.min(plan.to, shown.at + CANDLES_AFTER * periodMs);
  const until = periodStart(wanted, periodMs);
  const trades = useMemo(() => markedTrades(document.fills, pair, until), [document, pair, until]);
  const span = useMemo(
    () =>
      shown && {
        ...{ id: shown.id, pair: shown.pair, from: shown.at, to: shown.at },
        ...{ entryPrice: shown.averagePrice, exitPrice: shown.averagePrice },
      },
    [shown],
  );
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (shown !== null) section.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  if (pair === '') return null;
  return (
    <section ref={section} className="backtest-chart" aria-label={t('backtest.chart')} data-testid="backtest-chart">
      {names.length > 1 && (
        <SelectField
          label={t('backtest.chartPair')}
          value={pair}
          choices={names.map((name) => ({ value: name, title: name }))}
          onChange={(next) => {
            setChosen(next);
            onPair();
          }}
        />
      )}
      <ChartPreview
        venue={document.options.exchange}
        host={host}
        pair={pair}
        period={period as Period}
        strategy={{ id: strategy, params }}
        trades={trades}
        span={span}
        until={until}
      />
    </section>
  );
}
