import { useChartIndicators } from '../../entities/bot/display/chartIndicators.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { partTitle } from '../../entities/bot/setup/ruleSentence.ts';
import { usePreferences } from '../../lib/preferences.ts';
import type { CandleTable } from './candleTable.ts';
import type { DrawnLine } from './drawnLines.ts';
import { type Chosen, indicatorTitle, seriesTitle } from './seriesTitle.ts';

interface LegendLinesProps {
  readonly pair: string;
  readonly table: CandleTable;
  readonly lines: readonly DrawnLine[];
  /** Index of the candle under the crosshair; -1 without one. */
  readonly row: number;
  readonly strategy: Chosen;
}

/** Lists the lines of a chart with their values in one candle, or the newest ones. */
export function LegendLines({ pair, table, lines, row, strategy }: LegendLinesProps) {
  const preferences = usePricePreferences(pair);
  const plain = usePreferences();
  const { series, values, indicators: own } = table;
  // The forming candle has no values of the strategy yet, so the newest known ones are shown.
  const strategyValues = row === -1 ? values.findLast((each) => each !== null) : values[row];
  const ownValues = own.rows.at(row);
  // A value of an indicator in its own pane is not a price.
  const figure = (value: number | null | undefined, pane: number) =>
    typeof value === 'number' ? (pane === 0 ? preferences.format : plain.format).price(value) : '';
  return lines.map(({ column, kind, colour, dashed, pane }, at) => {
    const place = column - series.length;
    const styles = [
      'legend-series',
      kind !== 'histogram' && `legend-line legend-line-${colour + 1}`,
      dashed && 'legend-line-dashed',
    ];
    return (
      <span key={column} className={styles.filter((style) => style !== false).join(' ')}>
        {place < 0 ? (
          `${seriesTitle(strategy, series[column]?.name ?? '', preferences)} `
        ) : (
          <IndicatorName
            name={nameOf(column)}
            isFirst={partOf(nameOf(column)) !== partOf(nameOf(lines[at - 1]?.column))}
          />
        )}
        {figure(place < 0 ? strategyValues?.[column] : ownValues?.[place], pane)}
      </span>
    );
  });

  function nameOf(column: number | undefined): string {
    return column === undefined ? '' : (own.series[column - series.length]?.name ?? '');
  }
}

/** Returns the part of a series `part.output`. */
function partOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/** Names a line of an indicator: the indicator before its first line, and each line for those who do not see its colour. */
function IndicatorName({ name, isFirst }: { name: string; isFirst: boolean }) {
  const preferences = usePreferences();
  const indicators = useChartIndicators();
  const part = indicators.find((each) => each.name === partOf(name));
  const title = indicatorTitle(indicators, name, preferences);
  if (part === undefined) return `${title} `;
  const partName = partTitle(part, indicators, preferences);
  const output = title.slice(partName.length).trim();
  return (
    <>
      {isFirst && `${partName} `}
      {output !== '' && <span className="hidden">{output} </span>}
    </>
  );
}
