import type { BacktestPair } from '@heron/engine/backtest/backtestPair.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { BacktestDocument } from '@heron/engine/report/document.ts';
import type { PairFigures } from '@heron/engine/report/pairFigures.ts';
import { describeRun } from './describeRun.ts';

/** Formats a backtest as text. */
export function textReport(document: BacktestDocument, pairs: readonly BacktestPair[]): string {
  const { metrics, equity } = document;
  const quote = pairs[0]?.market.quote ?? '';
  const money = (value: number) => `${cents(value)} ${quote}`;
  const several = pairs.length > 1;
  const { strategy, trading, walked } = describeRun(document);
  const rows: [string, string][] = [
    [several ? 'Pairs' : 'Pair', `${document.pairs.map(({ pair }) => pair).join(', ')}, ${strategy}`],
    ['Traded on', trading],
    ['Money', document.money],
    ['From, to', `${minute(document.from)} … ${minute(document.to)}, ${document.candles} candles`],
    ['Simulated on', walked],
    ...pairs.map(({ market }): [string, string] => [several ? `Market ${market.pair}` : 'Market', marketText(market)]),
    ['Equity', `${money(equity.start)} → ${money(equity.end)}`],
    ['Net profit', `${money(metrics.netProfit)} (${percent(metrics.netProfitPercent)})`],
    ['Realised, unrealised', `${money(metrics.realised)}, ${money(metrics.unrealised)}`],
    ['Buy and hold', percent(metrics.buyAndHoldPercent)],
    ['Max drawdown', `${percent(100 * metrics.maxDrawdown)}, longest ${days(metrics.drawdownLength)}`],
    ['Annual return', percent(100 * metrics.annualReturn)],
    ['Sharpe, Sortino, Calmar', [metrics.sharpe, metrics.sortino, metrics.calmar].map(ratio).join(', ')],
    ...gridRows(document, money),
    ['Win rate', `${percent(100 * metrics.winRate)} (${metrics.wins} won, ${metrics.losses} lost)`],
    ['Profit factor', metrics.profitFactor === null ? 'no loss' : metrics.profitFactor.toFixed(2)],
    ['Trades, fills', `${metrics.trades}, ${metrics.fills}`],
    ['Expectancy', `${money(metrics.expectancy)} per position`],
    ['Fees, slippage', `${money(metrics.fees)}, ${money(metrics.slippage)}`],
  ];
  if (document.funding.length > 0) {
    rows.push(['Funding', `${money(metrics.funding)} in ${document.funding.length} payments`]);
  }
  if (metrics.liquidations > 0) rows.push(['Liquidated', `${metrics.liquidations} positions`]);
  rows.push(
    ['Turnover', `${metrics.turnover.toFixed(1)} × capital`],
    ['Time in market', percent(100 * metrics.exposure)],
    ['Exits', shares(metrics.byReason)],
    ['By month', shares(metrics.byMonth)],
    ['Blocked entries', blockedText(document.refusals)],
  );
  if (document.repaired > 0) rows.push(['Skipped rows', String(document.repaired)]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const report = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [...report, ...(several ? ['', ...pairTable(document.pairs)] : [])].join('\n');
}

/** Formats the result of grids; no row for other strategies. */
function gridRows({ metrics: { grid } }: BacktestDocument, money: (value: number) => string): [string, string][] {
  if (grid === null) return [];
  const yearly = grid.yearlyPercent === null ? '' : `, ${percent(grid.yearlyPercent)} a year`;
  return [
    ['Grid profit', `${money(grid.profit)} in ${grid.cycles} cycles${yearly}`],
    ['Grid floating, other', `${money(grid.floating)}, ${money(grid.other)}`],
  ];
}

/** Formats one line for each pair, in columns. */
function pairTable(pairs: readonly PairFigures[]): string[] {
  const head = [
    'Pair',
    'Candles',
    'Trades',
    'Won',
    'Lost',
    'Realised',
    'Unrealised',
    'Fees',
    'Funding',
    'Liquidated',
    'Buy and hold',
  ];
  const lines = pairs.map((pair) => [
    pair.pair,
    String(pair.candles),
    String(pair.trades),
    String(pair.wins),
    String(pair.losses),
    cents(pair.realised),
    cents(pair.unrealised),
    cents(pair.fees),
    cents(pair.funding),
    String(pair.liquidations),
    percent(pair.buyAndHoldPercent),
  ]);
  const all = [head, ...lines];
  const widths = head.map((_, i) => Math.max(...all.map((line) => (line[i] as string).length)));
  return all.map((line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number))).join('  '),
  );
}

/** Formats two decimals; a value that rounds to zero has no sign. */
function cents(value: number): string {
  const text = value.toFixed(2);
  return text === '-0.00' ? '0.00' : text;
}

function percent(value: number): string {
  return `${cents(value)} %`;
}

function ratio(value: number | null): string {
  return value === null ? '–' : value.toFixed(2);
}

function days(ms: number): string {
  return `${(ms / 86_400_000).toFixed(1)} days`;
}

function shares(counts: Record<string, { trades: number; net: number }>): string {
  const parts = Object.entries(counts).map(([key, { trades, net }]) => `${key} ${cents(net)} (${trades})`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function marketText(market: Market): string {
  const step = formatUnits(market.step, market.assetDecimals);
  return `tick ${formatUnits(market.tick)}, step ${step}, min order ${formatUnits(market.minNotional)} ${market.quote}`;
}

function blockedText(counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([gate, count]) => `${gate} ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function minute(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
