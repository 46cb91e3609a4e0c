import type { CandleBar, CandleHistory, PairView } from '@heron/contract/bots/entities.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import { useChartIndicators } from '../../entities/bot/display/chartIndicators.ts';
import { useChartOptions } from '../../entities/bot/display/chartOptions.ts';
import { reasonLabel, sideLabel } from '../../entities/bot/labels.ts';
import { usePriceDecimals, usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import type { ExitMove, MarkedTrade, PositionSpan } from '../../entities/bot/slots.ts';
import { priceDecimals } from '../../lib/format.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { stream } from '../../lib/server.ts';
import { explain } from '../../ui/explain.ts';
import { Moment } from '../../ui/Figures.tsx';
import { toast } from '../../ui/toasts.tsx';
import { addCandle, type CandleTable, createCandleTable, prependCandles, setIndicators } from './candleTable.ts';
import type { Drawing } from './draw.ts';
import { linesOf } from './drawnLines.ts';
import { LegendLines } from './LegendLines.tsx';
import { lineTitle } from './lineTitle.ts';
import { type Mark, marksOf } from './markers.ts';
import { type LinedPair, type PriceLine, priceLines } from './priceLines.ts';
import type { Chosen } from './seriesTitle.ts';

interface CandleChartProps {
  readonly botId: string;
  /** The strategy whose values are drawn. */
  readonly strategy: Chosen;
  readonly history: CandleHistory;
  readonly trades: readonly MarkedTrade[];
  /** The current state of the pair. Its position, grid or DCA plan and orders have price lines. */
  readonly view: LinedPair & Pick<PairView, 'last'>;
  /** The chart moves to this position and marks it; null or omitted for none. */
  readonly span?: PositionSpan | null;
  /** The candles have the bot's own period and continue with the stream. All other candles are closed ones. */
  readonly forming: boolean;
  /** The mouse wheel zooms, because the page behind does not scroll. */
  readonly wheelZooms: boolean;
  /** Called when candles are missing; fetches the history again. */
  readonly onGap: () => void;
  /** Called when the user has dragged the line of a price exit; without it no line can be dragged. */
  readonly onMoveExit?: (move: ExitMove) => void;
  /** Fetches candles that had closed before a time. */
  readonly older: (before: number) => Promise<CandleHistory>;
}

/** Max number of candles; more are not fetched on scrolling. */
const MAX_CANDLES = 20_000;
/** Delay between two requests after a failure, ms. */
const PAUSE_MS = 10_000;

/**
 * Draws streaming candles of one pair with the strategy's lines, the marks of fills, and price lines. Text gives the newest
 * candle and every price line, because many lines are outside of the view.
 */
export function CandleChart(props: CandleChartProps) {
  const { botId, strategy, history, trades, view, span = null, forming, wheelZooms, onGap, onMoveExit, older } = props;
  const preferences = usePricePreferences(history.pair);
  const plain = usePreferences();
  const decimals = usePriceDecimals(history.pair);
  const { t, format, display } = preferences;
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const periodMs = PERIODS[history.period as Period];
  const shown = useRef<CandleTable | undefined>(undefined);
  const table = useMemo(() => createCandleTable(history, periodMs, shown.current), [history, periodMs]);
  shown.current = table;
  const indicators = useChartIndicators();
  // Before the effects draw the table.
  useMemo(() => setIndicators(table, indicators), [table, indicators]);
  const [newest, setNewest] = useState<CandleBar | undefined>(table.candles.at(-1));
  const [oldest, setOldest] = useState(table.candles[0]?.time ?? 0);
  const marks = useMemo(() => marksOf(trades, periodMs, oldest), [trades, periodMs, oldest]);
  const { position, ladder, orders } = view;
  const last = forming ? null : view.last;
  const lines = useMemo(
    () => [...priceLines({ position, ladder, orders }), ...priceNow(last)],
    [position, ladder, orders, last],
  );
  const options = useChartOptions();
  /** Open time of the candle under the crosshair. */
  const [hovered, setHovered] = useState<number | null>(null);
  /** Time before which no older candles are fetched; infinite when there are none. */
  const resting = useRef(0);

  async function readOlder() {
    const first = table.candles[0];
    if (!first || Date.now() < resting.current || table.candles.length >= MAX_CANDLES) return;
    resting.current = Number.POSITIVE_INFINITY;
    try {
      const found = await older(first.time);
      // Another history has replaced this one meanwhile.
      if (shown.current !== table) resting.current = 0;
      else if (prependCandles(table, found) > 0) {
        resting.current = 0;
        drawing.current?.show(table);
        setOldest(table.candles[0]?.time ?? 0);
      }
    } catch (error) {
      resting.current = Date.now() + PAUSE_MS;
      // A chart that was left reports no failure.
      if (place.current) toast(explain(error, t), 'problem');
    }
  }

  const moving = { openedAt: position?.openedAt ?? null, pair: history.pair, onMoveExit };
  const now = useRef({ table, marks, lines, span, options, preferences, plain, decimals, readOlder, ...moving });
  now.current = { table, marks, lines, span, options, preferences, plain, decimals, readOlder, ...moving };

  useEffect(() => {
    let left = false;
    import('./draw.ts').then(
      ({ drawCandles }) => {
        if (left || !place.current) return;
        const locale = now.current.preferences;
        const style = {
          locale: display.language,
          formatPrice: (price: number) => now.current.preferences.format.price(price),
          decimals: (price: number) => now.current.decimals ?? priceDecimals(price),
          formatValue: (value: number) => now.current.plain.format.price(value),
          buy: locale.t('chart.buyMark'),
          sell: locale.t('chart.sellMark'),
          lineTitle: (line: PriceLine) => lineTitle(line, locale),
          onHover: setHovered,
          onMoveExit({ exit, kind }: PriceLine, price: number) {
            const { decimals, openedAt, pair, onMoveExit } = now.current;
            if (exit === undefined || openedAt === null) return;
            const moved = price.toFixed(decimals ?? priceDecimals(price));
            onMoveExit?.({ pair, openedAt, exit, kind: kind === 'stop' ? 'stopLoss' : 'takeProfit', price: moved });
          },
          onOldest: () => void now.current.readOlder(),
          forming,
          wheelZooms,
        };
        drawing.current = drawCandles(place.current, style, now.current.options, now.current.preferences.display);
        drawing.current.show(now.current.table);
        drawing.current.mark(now.current.marks);
        drawing.current.lines(now.current.lines);
        if (now.current.span) drawing.current.span(now.current.span);
      },
      () => toast(now.current.preferences.t('crash.text'), 'problem'),
    );
    return () => {
      left = true;
      drawing.current?.destroy();
      drawing.current = null;
    };
  }, [display.language, forming, wheelZooms]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other indicators change the table itself
  useEffect(() => {
    drawing.current?.show(table);
    setNewest(table.candles.at(-1));
    setOldest(table.candles[0]?.time ?? 0);
  }, [table, indicators]);

  useEffect(() => drawing.current?.mark(marks), [marks]);

  useEffect(() => drawing.current?.lines(lines), [lines]);

  useEffect(() => {
    drawing.current?.span(span);
    if (span === null) return;
    let left = false;
    place.current?.scrollIntoView({ block: 'nearest' });
    const reach = async () => {
      // Reading ends where no older candles come, or another position is shown.
      for (let first = Number.POSITIVE_INFINITY; !left; ) {
        const oldestTime = now.current.table.candles[0]?.time ?? 0;
        if (oldestTime <= span.from || oldestTime >= first) break;
        first = oldestTime;
        await now.current.readOlder();
      }
      if (left) return;
      drawing.current?.span(span);
      const { preferences: locale, table: reached } = now.current;
      if ((reached.candles[0]?.time ?? 0) > span.to) toast(locale.t('chart.tooOld'), 'problem');
    };
    void reach();
    return () => {
      left = true;
    };
  }, [span]);

  useEffect(() => drawing.current?.restyle(options, display), [options, display]);

  useEffect(
    () =>
      stream.onMessage((message) => {
        if (!forming || message.type !== 'candle' || message.id !== botId || message.pair !== history.pair) return;
        const change = addCandle(table, message);
        if (change === 'gap') onGap();
        if (change === 'gap' || change === 'old') return;
        if (change === 'cut') {
          drawing.current?.show(table);
          setOldest(table.candles[0]?.time ?? 0);
        } else drawing.current?.newest();
        setNewest(message.candle);
      }),
    [table, botId, history.pair, forming, onGap],
  );

  const pointed = hovered === null ? -1 : table.candles.findIndex(({ time }) => time === hovered);
  const candle = table.candles[pointed] ?? newest;
  const drawn = linesOf(table, options.hideStrategies);
  const panes = Math.max(0, ...drawn.map(({ pane }) => pane));

  return (
    <figure className="chart-figure">
      <figcaption className="chart-legend num" data-testid="chart-legend">
        {candle ? (
          <>
            <span>{t('chart.open', { price: format.price(candle.open) })}</span>
            <span>{t('chart.high', { price: format.price(candle.high) })}</span>
            <span>{t('chart.low', { price: format.price(candle.low) })}</span>
            <span className={candle.close >= candle.open ? 'text-gain' : 'text-loss'}>
              {t('chart.close', { price: format.price(candle.close) })}
            </span>
            <span className="legend-lines">
              <LegendLines pair={history.pair} table={table} lines={drawn} row={pointed} strategy={strategy} />
            </span>
          </>
        ) : (
          <span>{t('chart.empty')}</span>
        )}
      </figcaption>
      <div className="chart-place">
        <div
          ref={place}
          className="chart"
          // The height of the chart grows with the panes below the prices.
          style={{ '--panes': panes } as CSSProperties}
          role="img"
          aria-label={
            newest
              ? t('chart.label', {
                  pair: history.pair,
                  period: history.period,
                  candles: table.candles.length,
                  time: format.dateTime(newest.time),
                  close: format.price(newest.close),
                })
              : t('chart.empty')
          }
          data-testid="chart"
          data-pair={history.pair}
          data-period={history.period}
          data-first-time={oldest}
          data-candles={table.candles.length}
          data-last-time={newest?.time}
          data-last-close={newest?.close}
          data-position={span?.id}
          data-markers={options.hideSignal ? 0 : marks.length}
        />
        {pointed !== -1 && candle && (
          <PointedCandle
            pair={history.pair}
            at={candle.time}
            marks={options.hideSignal ? [] : marks.filter(({ time }) => time === hovered)}
          />
        )}
      </div>
      <LineList pair={history.pair} lines={lines} />
    </figure>
  );
}

/** Returns the line of the last price, for charts whose newest candle is closed. */
function priceNow(last: string | null): PriceLine[] {
  return last === null ? [] : [{ id: 'last', kind: 'last', price: last, sells: null }];
}

/** Max number of fills that are listed for a candle. */
const SHOWN_FILLS = 4;

/**
 * Shows the open time and the fills of the candle under the crosshair. It overlays the chart, so the chart does not move.
 */
function PointedCandle({ pair, at, marks }: { pair: string; at: number; marks: readonly Mark[] }) {
  const preferences = usePricePreferences(pair);
  const { t, format } = preferences;
  const fills = marks
    .flatMap(({ side, fills }) => fills.map((fill) => ({ ...fill, side })))
    .sort((a, b) => a.at - b.at);
  const more = fills.length - SHOWN_FILLS;
  return (
    <div className="chart-tip num" data-testid="chart-tip">
      <Moment at={at} />
      {fills.slice(0, SHOWN_FILLS).map(({ id, side, quantity, price, reason }) => (
        <p key={id}>
          {t('chart.fill', {
            side: sideLabel(side, preferences),
            quantity: format.quantity(quantity),
            price: format.price(price),
            reason: reasonLabel(reason, preferences),
          })}
        </p>
      ))}
      {more > 0 && <p>{t('chart.moreFills', { count: more })}</p>}
    </div>
  );
}

/** Lists the price lines. Orders have their own list, and the last price is shown above. */
function LineList({ pair, lines }: { pair: string; lines: readonly PriceLine[] }) {
  const preferences = usePricePreferences(pair);
  const named = lines.filter(({ kind }) => kind !== 'buy' && kind !== 'sell' && kind !== 'last');
  if (named.length === 0) return null;
  return (
    <ul className="chart-lines num" aria-label={preferences.t('chart.lines')}>
      {named.map((line) => (
        <li key={line.id} className={`chart-line line-${line.kind}`} data-kind={line.kind} data-price={line.price}>
          {lineTitle(line, preferences)} <strong>{preferences.format.price(line.price)}</strong>
        </li>
      ))}
    </ul>
  );
}
