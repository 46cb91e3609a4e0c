import type { CandleTable } from './candleTable.ts';

/** Describes how one value of a strategy is drawn. */
export interface DrawnLine {
  /** Index among the values. */
  readonly column: number;
  readonly kind: 'line' | 'dot' | 'histogram';
  /** Index of the pane: 0 for the price pane, then from top to bottom. */
  readonly pane: number;
  /** Index of the line colour. A histogram uses the colours of gains and losses. */
  readonly colour: number;
  /** The line is dashed, because another line in its pane has the same colour. */
  readonly dashed: boolean;
}

const LINE_COLOURS = 4;

/** Returns the lines of a chart: those of the strategy unless they are hidden, then the indicators of the user. */
export function linesOf({ series, indicators }: Pick<CandleTable, 'series' | 'indicators'>, hideStrategy: boolean) {
  const first = hideStrategy ? series.length : 0;
  const shown = [...series, ...indicators.series].slice(first);
  return drawnLines(shown).map((line) => ({ ...line, column: line.column + first }));
}

/**
 * Assigns values to panes and colours. Each indicator below the prices gets its own pane, because scales differ. The panes
 * of the strategy itself come last.
 */
export function drawnLines(series: CandleTable['series']): DrawnLine[] {
  const keyOf = ({ name, pane }: CandleTable['series'][number]) =>
    pane === 'main' ? '' : `${pane} ${name.slice(0, Math.max(0, name.lastIndexOf('.')))}`;
  const below = [...new Set(series.filter(({ pane }) => pane !== 'main').map(keyOf))];
  const keys = [
    '',
    ...below.filter((key) => key.startsWith('sub')),
    ...below.filter((key) => key.startsWith('bottom')),
  ];
  const counts = keys.map(() => 0);
  return series.flatMap((one, column) => {
    const { kind } = one;
    if (kind === 'marker') return [];
    const pane = keys.indexOf(keyOf(one));
    const rank = counts[pane] ?? 0;
    if (kind !== 'histogram') counts[pane] = rank + 1;
    return { column, kind, pane, colour: rank % LINE_COLOURS, dashed: kind === 'line' && rank >= LINE_COLOURS };
  });
}
