import type { Figures } from '@heron/engine/optimise/figures.ts';
import type { Summary } from '@heron/engine/optimise/summary.ts';
import type { OptimiseDocument, VariedValues } from './document.ts';

/** Formats a search as text. */
export function textReport(document: OptimiseDocument): string {
  const { pairs, venue, money, strategy, from, to, tried, chosen, combinations, refused, sample, walkForward } =
    document;
  const drawn = sample === null ? '' : `, ${chosen} drawn with seed ${sample.seed}`;
  const stopped = tried < chosen ? `, stopped after ${tried}` : '';
  const head = [
    `${strategy} on ${pairs.join(', ')}, ${day(from)} … ${day(to)}, ${venue} (${money})`,
    `${combinations} combinations, ${refused} that no bot may have${drawn}${stopped}; ranked by ${document.by}, at least ${document.minTrades} trades`,
    '',
  ];
  const body = walkForward === null ? topTable(document) : walkForwardTable(document, walkForward);
  return [...head, ...body].join('\n');
}

function topTable({ top, inSample }: OptimiseDocument): string[] {
  if (top.length === 0) return ['Nothing was tried.'];
  const rows = top.map((set) => [String(set.rank), valuesText(set), score(set.score), ...figuresText(set.figures)]);
  return [
    ...columns([['#', 'Set', 'Score', ...FIGURES], ...rows]),
    '',
    summaryText('All sets', inSample),
    ...doubts(inSample),
    'These sets were chosen on the candles they are shown on. See how such a choice does on others: --walk-forward 90d/30d',
  ];
}

function walkForwardTable(
  { inSample, outOfSample, tried }: OptimiseDocument,
  { windows, total }: NonNullable<OptimiseDocument['walkForward']>,
): string[] {
  if (tried === 0) return ['Nothing was tried.'];
  const rows = windows.map(({ test, chosen }) => [
    `${day(test.from)} … ${day(test.to)}`,
    ...(chosen === null
      ? ['none traded enough', '', '', '', '']
      : [
          valuesText(chosen),
          percent(chosen.trainFigures.netProfitPercent),
          percent(chosen.testFigures.netProfitPercent),
          `${chosen.testRank} of ${tried}`,
          String(chosen.testFigures.trades),
        ]),
  ]);
  return [
    ...columns([['Test', 'Chosen before', 'Train', 'Test', 'Place', 'Trades'], ...rows]),
    '',
    `Chosen sets     train ${percent(total.meanTrainPercent)}, test ${percent(total.meanTestPercent)} a window; all tests one after the other ${percent(total.compoundedPercent)}; ${total.profitable} of ${total.windows} tests with a gain`,
    summaryText('All in sample', inSample),
    ...(outOfSample === null ? [] : [summaryText('All out of it', outOfSample)]),
    ...doubts(outOfSample ?? inSample),
  ];
}

function summaryText(name: string, { tried, best, median, profitableShare, medianProfitPercent }: Summary): string {
  return `${name.padEnd(14)}  ${tried} runs: best score ${score(best)}, the middle one ${score(median)}; ${(100 * profitableShare).toFixed(1)} % made money, the middle one ${percent(medianProfitPercent)}`;
}

function doubts({ tried, profitableShare }: Summary): string[] {
  if (tried < 2 || profitableShare >= 0.5) return [];
  if (profitableShare === 0) return ['All of them lose.'];
  return ['Most of them lose: the best one may be luck. Of many sets some always look good.'];
}

const FIGURES = ['Net', 'Drawdown', 'Sharpe', 'Sortino', 'Calmar', 'Profit factor', 'Trades'];

function figuresText(figures: Figures): string[] {
  return [
    percent(figures.netProfitPercent),
    percent(100 * figures.maxDrawdown),
    score(figures.sharpe),
    score(figures.sortino),
    score(figures.calmar),
    score(figures.profitFactor),
    String(figures.trades),
  ];
}

function valuesText({ params, options }: VariedValues): string {
  return Object.entries({ ...params, ...options })
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}

/** Rows under each other; the second column, and the first where it is text, to the left, numbers to the right. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, k) => Math.max(...rows.map((row) => row[k]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, k) => (k < 2 ? cell.padEnd(widths[k] ?? 0) : cell.padStart(widths[k] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function score(value: number | null): string {
  return value === null ? '–' : value.toFixed(2);
}

function percent(value: number): string {
  return `${value.toFixed(2)} %`;
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
