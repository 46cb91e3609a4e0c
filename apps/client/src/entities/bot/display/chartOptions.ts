import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { keepLocal, readLocal } from '../../../lib/local.ts';

/** How charts are drawn, for the person at this device. @see docs/display.md#charts */
export interface ChartOptions {
  /** Bodies and wicks of rising and of falling candles, `#rrggbb`; used while `colorIntel` is off. */
  readonly upColor: string;
  readonly downColor: string;
  /** Rising and falling have the colours that gains and losses have everywhere in the app. */
  readonly colorIntel: boolean;
  /** No lines of the strategy. */
  readonly hideStrategies: boolean;
  /** No marks of signals and fills. */
  readonly hideSignal: boolean;
  /** Candles in view when a chart opens. */
  readonly visibleRange: number;
  /** Marks of fills, `#rrggbb`: entry and exit of a long, entry and exit of a short. */
  readonly buyColor: string;
  readonly sellColor: string;
  readonly buyShortColor: string;
  readonly sellShortColor: string;
  readonly markerSize: number;
  readonly markerPos: (typeof MARKER_POSITIONS)[number];
  readonly markerShape: (typeof MARKER_SHAPES)[number];
}

/** `auto`: what is bought below its candle, what is sold above. */
export const MARKER_POSITIONS = ['auto', 'aboveBar', 'belowBar', 'inBar'] as const;
/** `auto`: an arrow up for what is bought, down for what is sold. */
export const MARKER_SHAPES = ['auto', 'arrowUp', 'arrowDown', 'circle', 'square'] as const;

/** `[least, greatest, step]`. */
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
  markerSize: 1,
  markerPos: 'auto',
  markerShape: 'auto',
};

const KEY = 'heron.chart';

type Kept = Partial<Record<keyof ChartOptions, unknown>>;

/** Options as they were kept; what is missing or makes no sense is as it is by default. */
export function chartOptionsOf(kept: Kept): ChartOptions {
  const d = CHART_DEFAULTS;
  const colour = (value: unknown, otherwise: string) =>
    typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : otherwise;
  const flag = (value: unknown, otherwise: boolean) => (typeof value === 'boolean' ? value : otherwise);
  const figure = (value: unknown, [least, greatest]: readonly [number, number, number], otherwise: number) =>
    typeof value === 'number' && value >= least && value <= greatest ? value : otherwise;
  const oneOf = <V extends string>(value: unknown, among: readonly V[], otherwise: V) =>
    among.find((candidate) => candidate === value) ?? otherwise;
  return {
    upColor: colour(kept.upColor, d.upColor),
    downColor: colour(kept.downColor, d.downColor),
    colorIntel: flag(kept.colorIntel, d.colorIntel),
    hideStrategies: flag(kept.hideStrategies, d.hideStrategies),
    hideSignal: flag(kept.hideSignal, d.hideSignal),
    visibleRange: Math.round(figure(kept.visibleRange, RANGES.visibleRange, d.visibleRange)),
    buyColor: colour(kept.buyColor, d.buyColor),
    sellColor: colour(kept.sellColor, d.sellColor),
    buyShortColor: colour(kept.buyShortColor, d.buyShortColor),
    sellShortColor: colour(kept.sellShortColor, d.sellShortColor),
    markerSize: figure(kept.markerSize, RANGES.markerSize, d.markerSize),
    markerPos: oneOf(kept.markerPos, MARKER_POSITIONS, d.markerPos),
    markerShape: oneOf(kept.markerShape, MARKER_SHAPES, d.markerShape),
  };
}

const store = createStore<ChartOptions>(() => chartOptionsOf((readLocal(KEY) as Kept | null) ?? {}));

/** Changes options of all charts at once; where storage is refused they last until the page closes. */
export function changeChart(change: Partial<ChartOptions>): void {
  const options = chartOptionsOf({ ...store.getState(), ...change });
  store.setState(options, true);
  keepLocal(KEY, options);
}

/** The options in force, in a component. */
export function useChartOptions(): ChartOptions {
  return useStore(store);
}
