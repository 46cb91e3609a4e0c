import type { CandleBar, CandleHistory, PairView, Trade } from '@heron/contract/bots/entities.ts';
import { PERIODS, type Period } from '@heron/engine/market/period.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { stream } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { toast } from '../../../ui/notices.tsx';
import { lineTitle, reasonWord, seriesTitle, sideWord } from '../words.ts';
import { type CandleBook, candleBook, takeCandle } from './candleBook.ts';
import type { Drawing } from './draw.ts';
import { type Mark, marksOf } from './markers.ts';
import { ChartOptionsSheet } from './options/ChartOptionsSheet.tsx';
import { useChartOptions } from './options/chartOptions.ts';
import { type PriceLine, priceLines } from './priceLines.ts';

interface CandleChartProps {
  readonly botId: string;
  /** Id of the strategy whose values are drawn. */
  readonly strategy: string;
  readonly history: CandleHistory;
  readonly trades: readonly Trade[];
  /** The pair as it is now: its position, ladder and orders have lines. */
  readonly view: PairView;
  /** Candles are missing: fetch the history again. */
  readonly onGap: () => void;
}

/**
 * Streaming candles of one pair with the strategy's lines, the marks of fills, and lines at the prices that matter. In
 * words too: the newest candle, and every such price, since many lie outside of what is in view.
 */
export function CandleChart({ botId, strategy, history, trades, view, onGap }: CandleChartProps) {
  const reader = useReader();
  const { t, format, look } = reader;
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const periodMs = PERIODS[history.period as Period];
  const book = useMemo<CandleBook>(() => candleBook(history, periodMs), [history, periodMs]);
  const [newest, setNewest] = useState<CandleBar | undefined>(book.candles.at(-1));
  const [oldest, setOldest] = useState(book.candles[0]?.time ?? 0);
  const marks = useMemo(() => marksOf(trades, periodMs, oldest), [trades, periodMs, oldest]);
  const { position, ladder, orders } = view;
  const lines = useMemo(() => priceLines({ position, ladder, orders }), [position, ladder, orders]);
  const options = useChartOptions();
  const [choosing, setChoosing] = useState(false);
  /** Open time of the candle under the crosshair. */
  const [hovered, setHovered] = useState<number | null>(null);
  const now = useRef({ book, marks, lines, options });
  now.current = { book, marks, lines, options };

  useEffect(() => {
    let left = false;
    import('./draw.ts').then(
      ({ drawCandles }) => {
        if (left || !place.current) return;
        const style = {
          locale: look.language,
          formatPrice: (price: number) => format.price(price),
          buy: t('chart.buyMark'),
          sell: t('chart.sellMark'),
          lineTitle: (line: PriceLine) => lineTitle(line, reader),
          onHover: setHovered,
        };
        drawing.current = drawCandles(place.current, style, now.current.options);
        drawing.current.show(now.current.book);
        drawing.current.mark(now.current.marks);
        drawing.current.lines(now.current.lines);
      },
      () => toast(t('crash.text'), 'problem'),
    );
    return () => {
      left = true;
      drawing.current?.destroy();
      drawing.current = null;
    };
  }, [look.language, format, t, reader]);

  useEffect(() => {
    drawing.current?.show(book);
    setNewest(book.candles.at(-1));
    setOldest(book.candles[0]?.time ?? 0);
  }, [book]);

  useEffect(() => drawing.current?.mark(marks), [marks]);

  useEffect(() => drawing.current?.lines(lines), [lines]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours follow these two
  useEffect(() => drawing.current?.restyle(options), [look.theme, look.up, options]);

  useEffect(
    () =>
      stream.onMessage((message) => {
        if (message.type !== 'candle' || message.id !== botId || message.pair !== history.pair) return;
        const change = takeCandle(book, message);
        if (change === 'gap') onGap();
        if (change === 'gap' || change === 'old') return;
        if (change === 'cut') {
          drawing.current?.show(book);
          setOldest(book.candles[0]?.time ?? 0);
        } else drawing.current?.newest(book);
        setNewest(message.candle);
      }),
    [book, botId, history.pair, onGap],
  );

  const pointed = hovered === null ? -1 : book.candles.findIndex(({ time }) => time === hovered);
  const candle = book.candles[pointed] ?? newest;
  // The forming candle has no values yet: the newest known ones stand.
  const values = pointed === -1 ? book.values.findLast((row) => row !== null) : book.values[pointed];
  const figure = (value: number | null | undefined) => (typeof value === 'number' ? format.price(value) : '');
  const drawn = options.hideStrategies ? [] : book.series.map(({ name, kind }, column) => ({ name, kind, column }));

  return (
    <figure className="chart-figure">
      <figcaption className="chart-legend num" data-testid="chart-legend">
        {candle ? (
          <>
            <strong>{history.period}</strong>
            <span>{t('chart.open', { price: format.price(candle.open) })}</span>
            <span>{t('chart.high', { price: format.price(candle.high) })}</span>
            <span>{t('chart.low', { price: format.price(candle.low) })}</span>
            <span className={candle.close >= candle.open ? 'text-gain' : 'text-loss'}>
              {t('chart.close', { price: format.price(candle.close) })}
            </span>
            <span className="legend-lines">
              {drawn
                .filter(({ kind }) => kind !== 'marker')
                .map(({ name, column }) => (
                  <span key={name} className="legend-series">
                    {seriesTitle(strategy, name, reader)} {figure(values?.[column])}
                  </span>
                ))}
            </span>
          </>
        ) : (
          <span>{t('chart.empty')}</span>
        )}
      </figcaption>
      <div className="chart-tools">
        <Button kind="quiet" icon="settings" aria-label={t('chartOption.title')} onClick={() => setChoosing(true)} />
      </div>
      <div className="chart-place">
        <div
          ref={place}
          className="chart"
          role="img"
          aria-label={
            newest
              ? t('chart.label', {
                  pair: history.pair,
                  period: history.period,
                  candles: book.candles.length,
                  time: format.dateTime(newest.time),
                  close: format.price(newest.close),
                })
              : t('chart.empty')
          }
          data-testid="chart"
          data-pair={history.pair}
          data-candles={book.candles.length}
          data-last-time={newest?.time}
          data-last-close={newest?.close}
          data-markers={options.hideSignal ? 0 : marks.length}
        />
        {pointed !== -1 && candle && (
          <PointedCandle
            at={candle.time}
            marks={options.hideSignal ? [] : marks.filter(({ time }) => time === hovered)}
          />
        )}
      </div>
      <LineList lines={lines} />
      {choosing && <ChartOptionsSheet onClose={() => setChoosing(false)} />}
    </figure>
  );
}

/** Fills of a candle that are told one by one. */
const TOLD_FILLS = 4;

/** When the candle under the crosshair opened, and what was filled in it. Lies over the chart, which must not move. */
function PointedCandle({ at, marks }: { at: number; marks: readonly Mark[] }) {
  const reader = useReader();
  const { t, format } = reader;
  const fills = marks
    .flatMap(({ side, fills }) => fills.map((fill) => ({ ...fill, side })))
    .sort((a, b) => a.at - b.at);
  const more = fills.length - TOLD_FILLS;
  return (
    <div className="chart-tip num" data-testid="chart-tip">
      <time>{format.dateTime(at)}</time>
      {fills.slice(0, TOLD_FILLS).map(({ side, at: filledAt, quantity, price, reason }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two fills of a moment may be equal in everything
        <p key={`${filledAt} ${place}`}>
          {t('chart.fill', {
            side: sideWord(side, reader),
            quantity: format.quantity(quantity),
            price: format.price(price),
            reason: reasonWord(reason, reader),
          })}
        </p>
      ))}
      {more > 0 && <p>{t('chart.moreFills', { count: more })}</p>}
    </div>
  );
}

/** Orders have a list of their own. */
function LineList({ lines }: { lines: readonly PriceLine[] }) {
  const reader = useReader();
  const named = lines.filter(({ kind }) => kind !== 'buy' && kind !== 'sell');
  if (named.length === 0) return null;
  return (
    <ul className="chart-lines num" aria-label={reader.t('chart.lines')}>
      {named.map((line) => (
        <li key={line.id} className={`chart-line line-${line.kind}`} data-kind={line.kind} data-price={line.price}>
          {lineTitle(line, reader)} <strong>{reader.format.price(line.price)}</strong>
        </li>
      ))}
    </ul>
  );
}
