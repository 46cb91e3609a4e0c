import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readLocal, storeLocal } from '../../../lib/local.ts';

/** Holds the chart options of this device. @see docs/display.md#charts */
export interface ChartOptions {
  /** Colours of bodies and wicks of rising and falling candles, `#rrggbb`; used while `colorIntel` is off. */
  readonly upColor: string;
  readonly downColor: string;
  /** Rising and falling candles use the app's colours for gains and losses. */
  readonly colorIntel: boolean;
  /** The chart draws no lines of the strategy. */
  readonly hideStrategies: boolean;
  /** The chart draws no marks of signals and fills. */
  readonly hideSignal: boolean;
  /** Number of candles in view when a chart opens. */
  readonly visibleRange: number;
  /** Colours of the marks of fills, `#rrggbb`: entry and exit of a long, entry and exit of a short. */
  readonly buyColor: string;
  readonly sellColor: string;
  readonly buyShortColor: string;
  readonly sellShortColor: string;
  /** The price axis: linear, logarithmic, or in percent of the first candle in view. */
  readonly priceScale: (typeof PRICE_SCALES)[number];
  readonly markerSize: number;
  readonly markerPos: (typeof MARKER_POSITIONS)[number];
  readonly markerShape: (typeof MARKER_SHAPES)[number];
}

/** `auto` places buys below their candle and sells above. */
export const MARKER_POSITIONS = ['auto', 'aboveBar', 'belowBar', 'inBar'] as const;
/** `auto` draws an arrow up for buys and an arrow down for sells. */
export const MARKER_SHAPES = ['auto', 'arrowUp', 'arrowDown', 'circle', 'square'] as const;

export const PRICE_SCALES = ['linear', 'log', 'percent'] as const;

/** `[min, max, step]`. */
export const RANGES = { visibleRange: [10, 500, 1], markerSize: [0.5, 4, 0.5] } as const;

export const CHART_DEFAULTS: ChartOptions = {
  upColor: '#26a69a',
  downColor: '#ef5350',
  colorIntel: true,
  hideStrategies: false,
  hideSignal: false,
  visibleRange: 50,
  buyColor: '#2196f3',
  sellColor: '#e91e63',
  buyShortColor: '#9c27b0',
  sellShortColor: '#ff9800',
  priceScale: 'linear',
  markerSize: 1,
  markerPos: 'auto',
  markerShape: 'auto',
};

const KEY = 'heron.chart';

type StoredOptions = Partial<Record<keyof ChartOptions, unknown>>;

/** Completes stored options. A missing or invalid option gets its default. */
export function chartOptionsOf(stored: StoredOptions): ChartOptions {
  const d = CHART_DEFAULTS;
  const colour = (value: unknown, otherwise: string) =>
    typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : otherwise;
  const flag = (value: unknown, otherwise: boolean) => (typeof value === 'boolean' ? value : otherwise);
  const figure = (value: unknown, [min, max]: readonly [number, number, number], otherwise: number) =>
    typeof value === 'number' && value >= min && value <= max ? value : otherwise;
  const oneOf = <V extends string>(value: unknown, among: readonly V[], otherwise: V) =>
    among.find((candidate) => candidate === value) ?? otherwise;
  return {
    upColor: colour(stored.upColor, d.upColor),
    downColor: colour(stored.downColor, d.downColor),
    colorIntel: flag(stored.colorIntel, d.colorIntel),
    hideStrategies: flag(stored.hideStrategies, d.hideStrategies),
    hideSignal: flag(stored.hideSignal, d.hideSignal),
    visibleRange: Math.round(figure(stored.visibleRange, RANGES.visibleRange, d.visibleRange)),
    buyColor: colour(stored.buyColor, d.buyColor),
    sellColor: colour(stored.sellColor, d.sellColor),
    buyShortColor: colour(stored.buyShortColor, d.buyShortColor),
    sellShortColor: colour(stored.sellShortColor, d.sellShortColor),
    priceScale: oneOf(stored.priceScale, PRICE_SCALES, d.priceScale),
    markerSize: figure(stored.markerSize, RANGES.markerSize, d.markerSize),
    markerPos: oneOf(stored.markerPos, MARKER_POSITIONS, d.markerPos),
    markerShape: oneOf(stored.markerShape, MARKER_SHAPES, d.markerShape),
  };
}

const store = createStore<ChartOptions>(() => chartOptionsOf((readLocal(KEY) as StoredOptions | null) ?? {}));

/** Changes options of all charts at once. Where the browser refuses storage, the options last until the page closes. */
export function changeChart(change: Partial<ChartOptions>): void {
  const options = chartOptionsOf({ ...store.getState(), ...change });
  store.setState(options, true);
  storeLocal(KEY, options);
}

/** Returns the options in force. */
export function useChartOptions(): ChartOptions {
  return useStore(store);
}
