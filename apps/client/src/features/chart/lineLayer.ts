import type { AutoscaleInfo, IPriceLine, ISeriesApi } from 'lightweight-charts';
import type { LineKind, PriceLine } from './priceLines.ts';

/** Colour token by kind of line. */
const TOKENS: Readonly<Record<LineKind, string>> = {
  entry: '--accent',
  stop: '--loss',
  trail: '--loss',
  exchangeStop: '--loss',
  guard: '--danger',
  liquidation: '--danger',
  win: '--gain',
  takeProfit: '--gain',
  arm: '--amber',
  callback: '--amber',
  gridLow: '--text-2',
  gridHigh: '--text-2',
  last: '--text-2',
  buy: '--gain',
  sell: '--loss',
};

const [SOLID, DOTTED, DASHED] = [0, 1, 2] as const;
const STYLES: Partial<Record<LineKind, typeof SOLID | typeof DOTTED>> = {
  entry: SOLID,
  liquidation: SOLID,
  arm: DOTTED,
  last: DOTTED,
  buy: DOTTED,
  sell: DOTTED,
};
/** Max number of orders with labels; the labels of more, as of a grid, would hide the chart. */
const NAMED_ORDERS = 6;

/** Draws price lines on a candle series. */
export interface LineLayer {
  /** Moves existing lines, draws new ones, and removes those that are not among `lines`. */
  show(lines: readonly PriceLine[]): void;
  /** Draws a line at another price; null draws it at its own again. */
  preview(line: PriceLine, price: number | null): void;
  /** Returns the lines of price exits. */
  movable(): readonly PriceLine[];
  /** Reads the colour tokens again. */
  restyle(): void;
}

/**
 * Creates the price lines of `series`. The price scale includes lines within one height of the visible candles.
 *
 * @param titleOf returns the label of a line
 */
export function lineLayer(
  series: ISeriesApi<'Candlestick'>,
  place: HTMLElement,
  titleOf: (line: PriceLine) => string,
): LineLayer {
  const drawn = new Map<string, IPriceLine>();
  let shown: readonly PriceLine[] = [];
  /** The line that is dragged, and its price until it is dropped, also while other figures of the pair change. */
  let dragged: { readonly id: string; readonly price: number } | null = null;
  series.applyOptions({
    autoscaleInfoProvider: (candles: () => AutoscaleInfo | null) => withRoom(candles(), shown),
  });

  function paint() {
    const tokens = getComputedStyle(place);
    const named = shown.filter(({ kind }) => isOrder(kind)).length <= NAMED_ORDERS;
    for (const line of shown) {
      const { id, kind, price } = line;
      const plain = isOrder(kind) && !named;
      const options = {
        price: dragged?.id === id ? dragged.price : Number(price),
        color: tokens.getPropertyValue(TOKENS[kind]).trim(),
        lineWidth: 1,
        lineStyle: STYLES[kind] ?? DASHED,
        axisLabelVisible: !plain,
        title: plain ? '' : titleOf(line),
      } as const;
      const known = drawn.get(id);
      if (known) known.applyOptions(options);
      else drawn.set(id, series.createPriceLine(options));
    }
  }

  return {
    show(lines) {
      shown = lines;
      const ids = new Set(lines.map(({ id }) => id));
      for (const [id, line] of drawn) {
        if (ids.has(id)) continue;
        series.removePriceLine(line);
        drawn.delete(id);
      }
      paint();
    },
    preview(line, price) {
      dragged = price === null ? null : { id: line.id, price };
      drawn.get(line.id)?.applyOptions({ price: price ?? Number(line.price) });
    },
    movable: () => shown.filter(({ exit }) => exit !== undefined),
    restyle: paint,
  };
}

const isOrder = (kind: LineKind) => kind === 'buy' || kind === 'sell';

function withRoom(info: AutoscaleInfo | null, lines: readonly PriceLine[]): AutoscaleInfo | null {
  const range = info?.priceRange;
  if (!info || !range) return info;
  const height = range.maxValue - range.minValue;
  const near = lines
    .map(({ price }) => Number(price))
    .filter((price) => price >= range.minValue - height && price <= range.maxValue + height);
  return {
    ...info,
    priceRange: {
      minValue: Math.min(range.minValue, ...near),
      maxValue: Math.max(range.maxValue, ...near),
    },
  };
}
