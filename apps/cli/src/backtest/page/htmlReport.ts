import { readFile } from 'node:fs/promises';
import type { BacktestResult } from '@heron/engine/backtest/backtest.ts';
import type { BacktestPair } from '@heron/engine/backtest/backtestPair.ts';
import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { mergeCandles } from '@heron/engine/market/period.ts';
import type { BacktestDocument } from '@heron/engine/report/document.ts';
import { describeRun } from '../describeRun.ts';
import { PAGE_CODE } from './code.ts';
import { curveOf } from './curve.ts';
import { PAGE_STYLE } from './style.ts';

/**
 * One page with the candles and markers of each pair, the equity curve with its drawdown, and the figures. Everything is
 * inside, so it opens offline.
 */
export async function htmlReport(
  document: BacktestDocument,
  result: BacktestResult,
  pairs: readonly BacktestPair[],
): Promise<string> {
  const library = new URL('./lightweight-charts.standalone.production.js', import.meta.resolve('lightweight-charts'));
  const chartCode = await readFile(library, 'utf8');
  const { periodMs } = result.bot.rules;
  const words = describeRun(document);
  const data = {
    document,
    words,
    quote: pairs[0]?.market.quote ?? '',
    candles: pairs.map(({ candles, candleMs }) => columns(mergeCandles(candles, candleMs, periodMs))),
    curve: curveOf(result.time, result.equity, result.bot.state.wallet.start),
  };
  const title = `${document.pairs.map(({ pair }) => pair).join(', ')} · ${document.strategy} · ${document.period} · ${document.venue}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1><p id="money"><strong>${escapeHtml(upper(document.money))}</strong></p><p id="span"></p><p>${escapeHtml(`${words.trading}. Simulated on ${words.walked}.`)}</p></header>
<dl id="figures"></dl>
<main>
<div id="bar"><div id="pairs" role="group" aria-label="Pair"></div><ul id="legend" aria-label="Markers"></ul>
<p id="crowded" hidden>Too many trades to show: zoom in.</p></div>
<section id="candles" aria-label="Candles with the trades of a pair"></section>
<h2>Equity and drawdown</h2>
<section id="equity" aria-label="Equity curve with drawdown"></section>
<div id="tables"></div>
</main>
<footer>Made by Heron. Past results promise nothing.</footer>
<script>${chartCode.replaceAll('</script', '<\\/script')}</script>
<script id="data" type="application/json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${PAGE_CODE}</script>
</body>
</html>
`;
}

function columns({ time, open, high, low, close }: CandleColumns) {
  return { time: [...time], open: [...open], high: [...high], low: [...low], close: [...close] };
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
