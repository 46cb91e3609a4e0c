import type { Figures } from '@heron/engine/optimise/figures.ts';
import type { Summary } from '@heron/engine/optimise/summary.ts';
import type { OptimiseDocument, VariedValues } from './document.ts';

/** Formats a search as text. */
export function textReport(document: OptimiseDocument): string {
  const { pairs, venue, money, strategy, from, to, tried, chosen, combinations, refused, sample, walkForward } =
    document;
  const drawn = sample === null ? '' : `, ${chosen} selected with seed ${sample.seed}`;
  const stopped = tried < chosen ? `, stopped after ${tried}` : '';
  const head = [
    `${strategy} on ${pairs.join(', ')}, ${day(from)} … ${day(to)}, ${venue} (${money})`,
    `${combinations} combinations, ${refused} invalid${drawn}${stopped}; ranked by ${document.by}, at least ${document.minTrades} trades`,
    '',
  ];
  const body = walkForward === null ? topTable(document) : walkForwardTable(document, walkForward);
  return [...head, ...body].join('\n');
}

function topTable({ top, inSample }: OptimiseDocument): string[] {
  if (top.length === 0) return ['No set was tried.'];
  const rows = top.map((set) => [String(set.rank), valuesText(set), score(set.score), ...figuresText(set.figures)]);
  return [
    ...columns([['#', 'Set', 'Score', ...FIGURES], ...rows]),
    '',
    summaryText('All sets', inSample),
    ...doubts(inSample),
    'These figures are in-sample: the sets were selected on the same candles. For out-of-sample figures use --walk-forward 90d/30d',
  ];
}

function walkForwardTable(
  { inSample, outOfSample, tried }: OptimiseDocument,
  { windows, total }: NonNullable<OptimiseDocument['walkForward']>,
): string[] {
  if (tried === 0) return ['No set was tried.'];
  const rows = windows.map(({ test, chosen }) => [
    `${day(test.from)} … ${day(test.to)}`,
    ...(chosen === null
      ? ['none with enough trades', '', '', '', '']
      : [
          valuesText(chosen),
          percent(chosen.trainFigures.netProfitPercent),
          percent(chosen.testFigures.netProfitPercent),
          `${chosen.testRank} of ${tried}`,
          String(chosen.testFigures.trades),
        ]),
  ]);
  return [
    ...columns([['Test window', 'Selected set', 'Train', 'Test', 'Rank', 'Trades'], ...rows]),
    '',
    `Selected sets   train ${percent(total.meanTrainPercent)}, test ${percent(total.meanTestPercent)} on average; all tests compounded ${percent(total.compoundedPercent)}; ${total.profitable} of ${total.windows} tests profitable`,
    summaryText('In-sample', inSample),
    ...(outOfSample === null ? [] : [summaryText('Out-of-sample', outOfSample)]),
    ...doubts(outOfSample ?? inSample),
  ];
}

function summaryText(name: string, { tried, best, median, profitableShare, medianProfitPercent }: Summary): string {
  return `${name.padEnd(14)}  ${tried} runs: best score ${score(best)}, median ${score(median)}; ${(100 * profitableShare).toFixed(1)} % profitable, median ${percent(medianProfitPercent)}`;
}

function doubts({ tried, profitableShare }: Summary): string[] {
  if (tried < 2 || profitableShare >= 0.5) return [];
  if (profitableShare === 0) return ['All sets lose money.'];
  return ['Most sets lose money, so the best one may be luck: of many sets, some always look good.'];
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
