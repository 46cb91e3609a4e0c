import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { BacktestDocument } from '@heron/engine/report/document.ts';

/** The report of a backtest for people. */
export function textReport(document: BacktestDocument, market: Market): string {
  const { metrics, equity } = document;
  const money = (value: number) => `${value.toFixed(2)} ${market.quote}`;
  const percent = (value: number) => `${value.toFixed(2)} %`;
  const params = Object.entries(document.params).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  const rows: [string, string][] = [
    ['Pair', `${document.pair}, ${document.strategy} (${params.join(', ')}) on ${document.period}`],
    ['From, to', `${day(document.from)} … ${day(document.to)}, ${document.candles} candles`],
    ['Grid', gridText(market)],
    ['Equity', `${money(equity.start)} → ${money(equity.end)}`],
    ['Net profit', `${money(metrics.netProfit)} (${percent(metrics.netProfitPercent)})`],
    ['Buy and hold', percent(metrics.buyAndHoldPercent)],
    ['Max drawdown', `${percent(100 * metrics.maxDrawdown)}, longest ${days(metrics.drawdownLength)}`],
    ['A year', percent(100 * metrics.annualReturn)],
    ['Sharpe, Sortino, Calmar', [metrics.sharpe, metrics.sortino, metrics.calmar].map(ratio).join(', ')],
    ['Win rate', `${percent(100 * metrics.winRate)} (${metrics.wins} won, ${metrics.losses} lost)`],
    ['Profit factor', metrics.profitFactor === null ? 'no loss' : metrics.profitFactor.toFixed(2)],
    ['Trades, fills', `${metrics.trades}, ${metrics.fills}`],
    ['Expectancy', `${money(metrics.expectancy)} a position`],
    ['Fees, slippage', `${money(metrics.fees)}, ${money(metrics.slippage)}`],
    ['Turnover', `${metrics.turnover.toFixed(1)} × capital`],
    ['Time in market', percent(100 * metrics.exposure)],
    ['Exits', shares(metrics.byReason)],
    ['By month', shares(metrics.byMonth)],
    ['Refused', refusals(document.refusals)],
  ];
  if (document.repaired > 0) rows.push(['Rows left out', String(document.repaired)]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

function ratio(value: number | null): string {
  return value === null ? '–' : value.toFixed(2);
}

function days(ms: number): string {
  return `${(ms / 86_400_000).toFixed(1)} days`;
}

function shares(counts: Record<string, { trades: number; net: number }>): string {
  const parts = Object.entries(counts).map(([key, { trades, net }]) => `${key} ${net.toFixed(2)} (${trades})`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function gridText(market: Market): string {
  const step = formatUnits(market.step, market.assetDecimals);
  return `tick ${formatUnits(market.tick)}, step ${step}, least order ${formatUnits(market.minNotional)} ${market.quote}`;
}

function refusals(counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([gate, count]) => `${gate} ${count}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
