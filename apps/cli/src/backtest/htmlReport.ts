import { readFile } from 'node:fs/promises';
import { fromUnits } from '@heron/engine/money/units.ts';
import type { BacktestDocument } from '@heron/engine/report/document.ts';
import type { BacktestPair, BacktestResult } from '@heron/engine/simulate/backtest.ts';

/**
 * One page with candles, buy and sell markers, the equity curve and the figures. Everything is inside, so it opens
 * offline.
 */
export async function htmlReport(
  document: BacktestDocument,
  result: BacktestResult,
  pairs: readonly BacktestPair[],
): Promise<string> {
  const library = new URL('./lightweight-charts.standalone.production.js', import.meta.resolve('lightweight-charts'));
  const { candles } = pairs[0] as BacktestPair;
  const chartCode = await readFile(library, 'utf8');
  const data = {
    document,
    candles: Array.from(candles.time, (time, i) => ({
      time: time / 1000,
      open: candles.open[i],
      high: candles.high[i],
      low: candles.low[i],
      close: candles.close[i],
    })),
    equity: Array.from(result.equity, (units, i) => ({
      time: (result.time[i] as number) / 1000,
      value: fromUnits(units),
    })),
  };
  const title = `${document.pair} · ${document.strategy} · ${document.period}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1><p id="span"></p></header>
<dl id="figures"></dl>
<main>
<section id="candles" aria-label="Candles with buy and sell markers"></section>
<section id="equity" aria-label="Equity curve"></section>
</main>
<footer>Made by Heron. Past results promise nothing.</footer>
<script>${chartCode.replaceAll('</script', '<\\/script')}</script>
<script id="data" type="application/json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${PAGE_CODE}</script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const STYLE = `
:root { color-scheme: light dark; --ground: #f7f8f9; --card: #fff; --text: #1b2733; --soft: #5b6b7a; --line: #dfe4e8; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #10161c; --card: #18212a; --text: #e6edf3; --soft: #93a4b3; --line: #2a3744; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 24px; background: var(--ground); color: var(--text);
  font: 15px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 20px; margin: 0; } header p { margin: 4px 0 16px; color: var(--soft); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 8px; margin: 0 0 16px; }
dl div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; }
dt { color: var(--soft); font-size: 12px; } dd { margin: 0; font-weight: 600; }
#candles, #equity { background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
#candles { height: 60vh; min-height: 320px; } #equity { height: 26vh; min-height: 180px; margin-top: 12px; }
footer { color: var(--soft); font-size: 12px; margin-top: 12px; }
`;

const PAGE_CODE = `
const { document: report, candles, equity } = JSON.parse(document.getElementById('data').textContent);
const css = getComputedStyle(document.documentElement);
const color = (name) => css.getPropertyValue(name).trim();
const money = (value) => value.toLocaleString('en', { maximumFractionDigits: 2 });
const day = (ms) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
document.getElementById('span').textContent =
  day(report.from) + ' … ' + day(report.to) + ' UTC, ' + money(report.candles) + ' candles, ' +
  Object.entries(report.params).map(([name, value]) => name + ' ' + (typeof value === 'object' ? JSON.stringify(value) : value)).join(', ');
const m = report.metrics;
const figures = {
  'Net profit': money(m.netProfit) + ' (' + m.netProfitPercent.toFixed(2) + ' %)',
  'Buy and hold': m.buyAndHoldPercent.toFixed(2) + ' %',
  'Max drawdown': (100 * m.maxDrawdown).toFixed(2) + ' %',
  'Sharpe': m.sharpe.toFixed(2),
  'Win rate': (100 * m.winRate).toFixed(1) + ' % (' + m.wins + ' won, ' + m.losses + ' lost)',
  'Profit factor': m.profitFactor === null ? '–' : m.profitFactor.toFixed(2),
  'Trades': String(m.trades),
  'Fees': money(m.fees),
};
for (const [name, value] of Object.entries(figures)) {
  const box = document.createElement('div');
  for (const [tag, text] of [['dt', name], ['dd', value]]) {
    const element = document.createElement(tag);
    element.textContent = text;
    box.append(element);
  }
  document.getElementById('figures').append(box);
}
const look = {
  autoSize: true,
  layout: { background: { color: color('--card') }, textColor: color('--text') },
  grid: { vertLines: { color: color('--line') }, horzLines: { color: color('--line') } },
  timeScale: { timeVisible: true, minBarSpacing: 0.01 },
  localization: { locale: 'en' },
};
const decimals = Math.max(2, ...candles.slice(0, 200).map(({ close }) => (String(close).split('.')[1] || '').length));
const priceFormat = { type: 'price', precision: decimals, minMove: 10 ** -decimals };
const price = LightweightCharts.createChart(document.getElementById('candles'), look);
const bars = price.addSeries(LightweightCharts.CandlestickSeries, { priceFormat });
bars.setData(candles);
LightweightCharts.createSeriesMarkers(bars, report.fills.map((fill) => ({
  time: fill.time / 1000,
  position: fill.side === 'buy' ? 'belowBar' : 'aboveBar',
  shape: fill.side === 'buy' ? 'arrowUp' : 'arrowDown',
  color: fill.side === 'buy' ? '#2196F3' : '#e91e63',
  text: { stop_sell: 'stop', profit_win: 'target', profit_callback: 'callback' }[fill.reason] || '',
})));
const curve = LightweightCharts.createChart(document.getElementById('equity'), look);
curve.addSeries(LightweightCharts.AreaSeries, {
  lineColor: '#3b82c4', topColor: 'rgba(59,130,196,0.35)', bottomColor: 'rgba(59,130,196,0.02)', lineWidth: 2,
}).setData(equity);
price.timeScale().fitContent();
curve.timeScale().fitContent();
`;
