import { type IChartApi, type ISeriesApi, LineSeries, LineStyle, type UTCTimestamp } from 'lightweight-charts';
import type { PositionSpan } from '../../entities/bot/slots.ts';
import type { CandleTable } from './candleTable.ts';
import { spanRows } from './spanRows.ts';

/** Draws the line of one position from its entry to its exit. */
export interface SpanLayer {
  set(span: PositionSpan | null): void;
  /** Draws the line again over these candles. @returns its rows; null when it is outside of them */
  draw(table: CandleTable, colour: string): { readonly from: number; readonly to: number } | null;
}

export function spanLayer(chart: IChartApi): SpanLayer {
  let span: PositionSpan | null = null;
  let series: ISeriesApi<'Line'> | null = null;

  function clear(): void {
    if (series) chart.removeSeries(series);
    series = null;
  }

  return {
    set(next) {
      span = next;
    },
    draw(table, color) {
      clear();
      const rows = span && spanRows(table, span);
      if (!span || !rows) return null;
      series = chart.addSeries(LineSeries, {
        color,
        lineWidth: 3,
        lineStyle: LineStyle.Dashed,
        pointMarkersVisible: true,
        pointMarkersRadius: 6,
        lastValueVisible: false,
        priceLineVisible: false,
        crosshairMarkerVisible: false,
      });
      const point = (row: number, value: number) => ({
        time: ((table.candles[row]?.time ?? 0) / 1000) as UTCTimestamp,
        value,
      });
      // One candle has one point.
      const exit = point(rows.to, span.exitPrice);
      series.setData(rows.from === rows.to ? [exit] : [point(rows.from, span.entryPrice), exit]);
      return rows;
    },
  };
}
