import type { CandleBook } from './candleBook.ts';

/** How one value of a strategy is drawn. */
export interface DrawnLine {
  /** Its place among the values. */
  readonly column: number;
  readonly kind: 'line' | 'dot' | 'histogram';
  /** 0 among the prices; others stand below, from top to bottom. */
  readonly pane: number;
  /** Of the colours of lines, from 0; a histogram has those of gains and losses. */
  readonly colour: number;
  /** Another one of its pane has the same colour already. */
  readonly dashed: boolean;
}

const LINE_COLOURS = 4;

/**
 * What is drawn where: of what stands below the prices everything of one indicator in a pane of its own, since another
 * would be flat on its scale; at the bottom what the strategy makes of it all.
 */
export function drawnLines(series: CandleBook['series']): DrawnLine[] {
  const keyOf = ({ name, pane }: CandleBook['series'][number]) =>
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
