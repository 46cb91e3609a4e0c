import type { Preferences } from '../../lib/preferences.ts';
import { Bar } from '../../ui/Bar.tsx';
import { MoneyMoved } from '../../ui/Figures.tsx';
import { slippageText } from './slippageText.ts';

/** The net result of one bot, pair, reason or month. */
export interface ResultRow {
  readonly name: string;
  /** Exact decimal. */
  readonly net: string;
  /** Orders, positions and costs in words; may be empty. */
  readonly note: string;
}

interface ResultTableProps {
  readonly title: string;
  readonly rows: readonly ResultRow[];
  readonly currency: string;
}

/** Lists the result of each row, with a bar relative to the largest one. */
export function ResultTable({ title, rows, currency }: ResultTableProps) {
  const largest = largestOf(rows);
  return (
    <section className="card results-table" aria-label={title}>
      <h2>{title}</h2>
      <ul className="rows">
        {rows.map((row) => (
          <ResultLine key={row.name} row={row} largest={largest} currency={currency} />
        ))}
      </ul>
    </section>
  );
}

/** Returns the size of the largest result, to which bars are relative; above 0. */
export function largestOf(rows: readonly Pick<ResultRow, 'net'>[]): number {
  return Math.max(...rows.map(({ net }) => Math.abs(Number(net))), Number.MIN_VALUE);
}

interface ResultLineProps {
  readonly row: ResultRow;
  readonly largest: number;
  readonly currency: string;
}

/** Shows one result in a list, with its bar. */
export function ResultLine({ row: { name, net, note }, largest, currency }: ResultLineProps) {
  return (
    <li className="row" data-testid="result-row">
      <span className="row-main">
        <strong>{name}</strong>
        <span className="row-end">
          <MoneyMoved value={net} currency={currency} />
        </span>
      </span>
      <Bar percent={(100 * Math.abs(Number(net))) / largest} tone={net.startsWith('-') ? 'loss' : 'gain'} />
      {note !== '' && <span className="row-note num">{note}</span>}
    </li>
  );
}

/** Orders, positions and costs behind a result. */
export interface ResultCosts {
  readonly trades: number;
  readonly wins?: number;
  readonly losses?: number;
  readonly fees: string | number;
  readonly slippage: string | number;
}

/** Returns the orders, positions and costs of a result in words. */
export function resultNote(
  { trades, wins = 0, losses = 0, fees, slippage }: ResultCosts,
  currency: string,
  { t, format }: Preferences,
): string {
  return [
    t('figures.trades', { count: trades }),
    ...(wins + losses > 0 ? [t('figures.closed', { wins, losses })] : []),
    `${t('trades.fee')} ${format.money(fees, currency)}`,
    `${t('trades.slippage')} ${slippageText(slippage, format.money(Math.abs(Number(slippage)), currency), { t })}`,
  ].join(' · ');
}
