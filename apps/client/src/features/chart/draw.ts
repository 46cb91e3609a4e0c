import {
  type CandlestickData,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type LogicalRange,
  PriceScaleMode,
  type SeriesMarker,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { ChartOptions } from '../../entities/bot/display/chartOptions.ts';
import type { PositionSpan } from '../../entities/bot/slots.ts';
import type { DisplaySettings } from '../../lib/display.ts';
import { type CandleTable, valueAt } from './candleTable.ts';
import { type DrawnLine, linesOf } from './drawnLines.ts';
import { attachLineDrag } from './lineDrag.ts';
import { lineLayer } from './lineLayer.ts';
import type { Mark, MarkKind } from './markers.ts';
import type { PriceLine } from './priceLines.ts';
import { spanLayer } from './spanLayer.ts';

export interface ChartStyle {
  /** One of our BCP 47 tags; the library throws on a device tag such as "C". */
  readonly locale: string;
  readonly formatPrice: (price: number) => string;
  /** Returns the decimals of all prices, given the newest one. */
  readonly decimals: (price: number) => number;
  /** Formats a value of a pane below the prices. */
  readonly formatValue: (value: number) => string;
  /** Letters on the marks of fills. */
  readonly buy: string;
  readonly sell: string;
  readonly lineTitle: (line: PriceLine) => string;
  /** Called with the open time of the candle under the crosshair, in ms; null when the crosshair has left. */
  readonly onHover: (time: number | null) => void;
  /** Called with the new price of a price exit whose line was dragged. */
  readonly onMoveExit: (line: PriceLine, price: number) => void;
  /** Called when the oldest candles are in view, or nearly. */
  readonly onOldest: () => void;
  /** The newest candle is forming, so its close is the current price. */
  readonly forming: boolean;
  /** The mouse wheel zooms. Otherwise it scrolls the page, and zooms with Ctrl. */
  readonly wheelZooms: boolean;
}

export interface Drawing {
  /** Shows a whole book. */
  show(table: CandleTable): void;
  /** Draws the newest candle of the shown book in the next frame, after it was changed or added. */
  newest(): void;
  mark(marks: readonly Mark[]): void;
  /** Replaces the price lines. */
  lines(lines: readonly PriceLine[]): void;
  /** Moves to a position and marks it with a line from its entry to its exit; null removes the line. */
  span(span: PositionSpan | null): void;
  /**
   * Applies other options and reads the colour tokens again, which depend on the display settings. The visible range stays.
   */
  restyle(options: ChartOptions, display: DisplaySettings): void;
  destroy(): void;
}

/** Number of candles left of the view at which older ones are fetched. */
const OLDEST_NEAR = 20;
/** Opacity of volumes in a chosen colour, as the end of `#rrggbbaa`. */
const SOFT = '66';
const LINES = ['--series-1', '--series-2', '--series-3', '--series-4'];
const MARK_COLOURS = {
  buy: 'buyColor',
  sell: 'sellColor',
  buyShort: 'buyShortColor',
  sellShort: 'sellShortColor',
} as const satisfies Record<MarkKind, keyof ChartOptions>;
const SCALE_MODES = {
  linear: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
} as const satisfies Record<ChartOptions['priceScale'], PriceScaleMode>;
const LINE = { lineWidth: 2, crosshairMarkerVisible: false } as const;
const DOTS = { ...LINE, lineVisible: false, pointMarkersVisible: true, pointMarkersRadius: 2 } as const;
/** Height of the price pane relative to the panes below it. */
const PRICES_STRETCH = 3;

const seconds = (ms: number) => (ms / 1000) as UTCTimestamp;

/** Returns the font size in px. It grows with the text size of the browser, up to a limit by the width of the chart. */
function fontSize(place: HTMLElement): number {
  const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return Math.round(11 * Math.max(1, Math.min(scale, place.clientWidth / 400)));
}

/** Draws candles, volume, the strategy's lines and the marks of fills into an element, with its colour tokens. */
export function drawCandles(
  place: HTMLElement,
  style: ChartStyle,
  chosen: ChartOptions,
  display: DisplaySettings,
): Drawing {
  const chart: IChartApi = createChart(place, {
    autoSize: true,
    layout: { attributionLogo: false, fontSize: fontSize(place), panes: { enableResize: true } },
    localization: {
      locale: style.locale,
      timeFormatter: timeFormatter(style.locale),
    },
    timeScale: {
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 4,
      tickMarkFormatter: tickFormatter(style.locale),
    },
    rightPriceScale: { scaleMargins: { top: 0.08, bottom: 0.2 } },
    crosshair: { mode: 0 },
    // A vertical swipe scrolls the page, of which the chart covers most on a phone.
    handleScroll: { vertTouchDrag: false },
  });
  place.addEventListener(
    'wheel',
    (event) => {
      const along = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      // The library would zoom and keep the page from scrolling.
      if (!style.wheelZooms && !event.ctrlKey && !event.metaKey && !along) event.stopPropagation();
    },
    { capture: true, passive: true },
  );
  const candles = chart.addSeries(CandlestickSeries, {
    priceLineStyle: 2,
    priceLineVisible: style.forming,
    lastValueVisible: style.forming,
  });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } });
  const markers = createSeriesMarkers(candles, []);
  const levels = lineLayer(candles, place, style.lineTitle);
  attachLineDrag({
    place,
    movable: levels.movable,
    isInPrices: (x, y) =>
      y >= 0 && y < (chart.panes()[0]?.getHeight() ?? 0) && x < place.clientWidth - chart.priceScale('right').width(),
    yOf: (price) => candles.priceToCoordinate(price),
    priceAt: (y) => candles.coordinateToPrice(y),
    preview: levels.preview,
    onDrop: style.onMoveExit,
  });
  const values = { type: 'custom', formatter: style.formatValue, minMove: 0.01 } as const;
  let lines: (DrawnLine & { series: ISeriesApi<'Line'> | ISeriesApi<'Histogram'> })[] = [];
  let shown: CandleTable | null = null;
  /** Open time of the last drawn candle. */
  let painted = Number.NEGATIVE_INFINITY;
  let frame: number | null = null;
  let marked: readonly Mark[] = [];
  const position = spanLayer(chart);
  let options = chosen;
  let theme = display;
  let colours = readColours(place, options);
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (shown && range && range.from < OLDEST_NEAR) style.onOldest();
  });
  chart.subscribeCrosshairMove(({ time }) => style.onHover(typeof time === 'number' ? time * 1000 : null));

  function bar(table: CandleTable, row: number) {
    const { time, open, high, low, close } = table.candles[row] as CandleTable['candles'][number];
    return { time: seconds(time), open, high, low, close } satisfies CandlestickData;
  }

  function volumeBar(table: CandleTable, row: number) {
    const { time, open, close, volume: value } = table.candles[row] as CandleTable['candles'][number];
    return { time: seconds(time), value, color: close >= open ? colours.upSoft : colours.downSoft };
  }

  function point(table: CandleTable, row: number, column: number, kind: string) {
    const time = seconds((table.candles[row] as CandleTable['candles'][number]).time);
    const value = valueAt(table, row, column);
    if (value === null) return { time };
    return kind === 'histogram'
      ? { time, value, color: value >= 0 ? colours.upSoft : colours.downSoft }
      : { time, value };
  }

  function addLines(table: CandleTable) {
    for (const { series } of lines) chart.removeSeries(series);
    // Panes are created from top to bottom, since a new pane is added below the others.
    lines = linesOf(table, options.hideStrategies)
      .toSorted((one, other) => one.pane - other.pane)
      .map((line) => {
        const { kind, pane, dashed } = line;
        // The candles format the price scale; the series in a pane below formats the scale of that pane.
        const common = { lastValueVisible: false, priceLineVisible: false, ...(pane > 0 && { priceFormat: values }) };
        const series =
          kind === 'histogram'
            ? chart.addSeries(HistogramSeries, common, pane)
            : chart.addSeries(
                LineSeries,
                { ...common, ...(kind === 'dot' ? DOTS : LINE), ...(dashed && { lineStyle: LineStyle.Dashed }) },
                pane,
              );
        return { ...line, series };
      });
    const [main, ...below] = chart.panes();
    main?.setStretchFactor(PRICES_STRETCH);
    for (const pane of below) pane.setStretchFactor(1);
  }

  function paint() {
    colours = readColours(place, options);
    chart.applyOptions({
      layout: {
        background: { color: colours.surface },
        textColor: colours.text,
        fontFamily: getComputedStyle(place).fontFamily,
        panes: { separatorColor: colours.line, separatorHoverColor: colours.line },
      },
      grid: { vertLines: { color: colours.grid }, horzLines: { color: colours.grid } },
      rightPriceScale: { borderColor: colours.line, mode: SCALE_MODES[options.priceScale] },
      timeScale: { borderColor: colours.line },
      crosshair: {
        vertLine: { color: colours.text, labelBackgroundColor: colours.accent },
        horzLine: { color: colours.text, labelBackgroundColor: colours.accent },
      },
    });
    candles.applyOptions({
      upColor: colours.up,
      borderUpColor: colours.up,
      wickUpColor: colours.up,
      downColor: colours.down,
      borderDownColor: colours.down,
      wickDownColor: colours.down,
    });
    for (const { series, kind, colour } of lines) {
      if (kind !== 'histogram') series.applyOptions({ color: colours.lines[colour] as string });
    }
  }

  function fill(table: CandleTable) {
    const rows = table.candles.keys().toArray();
    const newest = table.candles.at(-1);
    if (newest) {
      const minMove = 1 / 10 ** style.decimals(newest.close);
      candles.applyOptions({ priceFormat: { type: 'custom', formatter: style.formatPrice, minMove } });
    }
    candles.setData(rows.map((row) => bar(table, row)));
    volume.setData(rows.map((row) => volumeBar(table, row)));
    for (const { series, column, kind } of lines) series.setData(rows.map((row) => point(table, row, column, kind)));
    painted = newest?.time ?? Number.NEGATIVE_INFINITY;
  }

  function markOfFills({ time, kind, side }: Mark): SeriesMarker<UTCTimestamp> {
    const buys = side === 'buy';
    const { markerPos, markerShape, markerSize } = options;
    return {
      time: seconds(time),
      position: markerPos === 'auto' ? (buys ? 'belowBar' : 'aboveBar') : markerPos,
      shape: markerShape === 'auto' ? (buys ? 'arrowUp' : 'arrowDown') : markerShape,
      color: options[MARK_COLOURS[kind]],
      size: markerSize,
      text: buys ? style.buy : style.sell,
    };
  }

  /**
   * Returns the marks of a strategy. A value at or below the body of its candle is marked below the candle, any other above.
   */
  function signalsOf(table: CandleTable): SeriesMarker<UTCTimestamp>[] {
    return table.series.flatMap(({ kind }, column) =>
      kind === 'marker'
        ? table.candles.flatMap(({ time, open, close }, row) => {
            const value = table.values[row]?.[column];
            if (value === null || value === undefined) return [];
            const below = value <= Math.min(open, close);
            return {
              time: seconds(time),
              position: below ? ('belowBar' as const) : ('aboveBar' as const),
              shape: 'circle' as const,
              color: below ? colours.up : colours.down,
              size: options.markerSize / 2,
            };
          })
        : [],
    );
  }

  /** Draws the candles that changed since the last frame. Several may have closed while the tab was in the background. */
  function paintNewest() {
    frame = null;
    if (!shown) return;
    const table = shown;
    const from = table.candles.findLastIndex(({ time }) => time < painted) + 1;
    for (let row = from; row < table.candles.length; row++) {
      candles.update(bar(table, row));
      volume.update(volumeBar(table, row));
      for (const { series, column, kind } of lines) series.update(point(table, row, column, kind));
    }
    const signals = table.series.flatMap(({ kind }, column) => (kind === 'marker' ? column : []));
    const isMarked = table.values
      .slice(from)
      .some((row) => signals.some((column) => typeof row?.[column] === 'number'));
    if (isMarked) paintMarks();
    painted = table.candles.at(-1)?.time ?? painted;
  }

  function paintMarks() {
    const all = options.hideSignal ? [] : [...(shown ? signalsOf(shown) : []), ...marked.map(markOfFills)];
    markers.setMarkers(all.sort((a, b) => a.time - b.time));
  }

  return {
    show(table) {
      const first = shown === null;
      const range: LogicalRange | null = chart.timeScale().getVisibleLogicalRange();
      shown = table;
      addLines(table);
      paint();
      fill(table);
      paintMarks();
      position.draw(table, colours.accent);
      const count = table.candles.length;
      if (first || !range) {
        chart.timeScale().setVisibleLogicalRange({ from: count - options.visibleRange, to: count + 3 });
      }
    },
    newest() {
      frame ??= requestAnimationFrame(paintNewest);
    },
    mark(marks) {
      marked = marks;
      paintMarks();
    },
    lines: levels.show,
    span(span) {
      position.set(span);
      if (!shown) return;
      const rows = position.draw(shown, colours.accent);
      if (rows) {
        const spare = Math.max(5, (options.visibleRange - (rows.to - rows.from)) / 2);
        chart.timeScale().setVisibleLogicalRange({ from: rows.from - spare, to: rows.to + spare });
      }
    },
    restyle(changed, now) {
      if (changed === options && now === theme) return;
      theme = now;
      const { hideStrategies } = options;
      options = changed;
      if (shown && hideStrategies !== options.hideStrategies) addLines(shown);
      paint();
      levels.restyle();
      if (shown) fill(shown);
      paintMarks();
    },
    destroy() {
      if (frame !== null) cancelAnimationFrame(frame);
      chart.remove();
    },
  };
}

function readColours(place: HTMLElement, { colorIntel, upColor, downColor }: ChartOptions) {
  const tokens = getComputedStyle(place);
  const colour = (name: string) => tokens.getPropertyValue(name).trim();
  return {
    surface: colour('--surface'),
    text: colour('--text-2'),
    line: colour('--line'),
    grid: colour('--grid'),
    accent: colour('--chart-label'),
    up: colorIntel ? colour('--gain') : upColor,
    down: colorIntel ? colour('--loss') : downColor,
    upSoft: colorIntel ? colour('--gain-soft') : `${upColor}${SOFT}`,
    downSoft: colorIntel ? colour('--loss-soft') : `${downColor}${SOFT}`,
    lines: LINES.map(colour),
  };
}

// The library uses UTC, so times are formatted in the local time zone.
function timeFormatter(locale: string) {
  const format = new Intl.DateTimeFormat(locale, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  });
  return (time: unknown) => format.format(Number(time) * 1000);
}

function tickFormatter(locale: string) {
  const formats = [
    new Intl.DateTimeFormat(locale, { year: 'numeric' }),
    new Intl.DateTimeFormat(locale, { month: 'short' }),
    new Intl.DateTimeFormat(locale, { month: 'numeric', day: 'numeric' }),
    new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hour12: false }),
  ];
  return (time: unknown, kind: number) =>
    (formats[Math.min(kind, 3)] as Intl.DateTimeFormat).format(Number(time) * 1000);
}
