/** Script of the report page: draws the data of the page with lightweight-charts. */
export const PAGE_CODE = `
const { document: report, words, quote, candles, curve } = JSON.parse(document.getElementById('data').textContent);
const find = (id) => document.getElementById(id);
const money = (value) => value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).replace(/^-(?=0\\.00$)/, '');
const percent = (value) => money(value) + ' %';
const minute = (ms) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
function make(tag, text, to) {
  const element = document.createElement(tag);
  if (text !== null) element.textContent = text;
  if (to) to.append(element);
  return element;
}

find('span').textContent = minute(report.from) + ' … ' + minute(report.to) + ' UTC, ' +
  report.candles.toLocaleString('en') + ' candles, ' + words.strategy;

const m = report.metrics;
const figures = [
  ['Net profit', money(m.netProfit) + ' ' + quote + ' (' + percent(m.netProfitPercent) + ')'],
  ['Buy and hold', percent(m.buyAndHoldPercent)],
  ['Max drawdown', percent(100 * m.maxDrawdown)],
  ['Sharpe', m.sharpe.toFixed(2)],
  ['Win rate', (100 * m.winRate).toFixed(1) + ' % (' + m.wins + ' won, ' + m.losses + ' lost)'],
  ['Profit factor', m.profitFactor === null ? '–' : m.profitFactor.toFixed(2)],
  ['Trades', String(m.trades)],
  ['Fees', money(m.fees) + ' ' + quote],
];
if (report.funding.length > 0) figures.push(['Funding', money(m.funding) + ' ' + quote]);
if (m.liquidations > 0) figures.push(['Liquidated', String(m.liquidations)]);
for (const [name, value] of figures) {
  const box = make('div', null, find('figures'));
  make('dt', name, box);
  make('dd', value, box);
}

function table(caption, head, rows, wide) {
  if (rows.length === 0) return;
  const box = make('div', null, find('tables'));
  box.className = wide ? 'table wide' : 'table';
  box.tabIndex = 0;
  const all = make('table', null, box);
  make('caption', caption, all);
  const top = make('tr', null, make('thead', null, all));
  for (const name of head) make('th', name, top).scope = 'col';
  const body = make('tbody', null, all);
  for (const [name, ...cells] of rows) {
    const line = make('tr', null, body);
    make('th', name, line).scope = 'row';
    for (const cell of cells) make('td', cell, line);
  }
}
if (report.pairs.length > 1) {
  table('By pair', ['Pair', 'Trades', 'Won', 'Lost', 'Realised', 'Unrealised', 'Fees', 'Funding', 'Liquidated', 'Buy and hold'],
    report.pairs.map((pair) => [pair.pair, pair.trades, pair.wins, pair.losses, money(pair.realised), money(pair.unrealised),
      money(pair.fees), money(pair.funding), pair.liquidations, percent(pair.buyAndHoldPercent)]), true);
}
const shares = (counts) => Object.entries(counts).map(([key, share]) => [key, share.trades, money(share.net)]);
table('By reason', ['Reason', 'Exits', 'Net'], shares(m.byReason));
table('By month', ['Month', 'Exits', 'Net'], shares(m.byMonth));

const chartColours = () => ({
  layout: {
    background: { color: css('--card') }, textColor: css('--text'),
    panes: { separatorColor: css('--line'), separatorHoverColor: css('--line') },
  },
  grid: { vertLines: { color: css('--line') }, horzLines: { color: css('--line') } },
  rightPriceScale: { borderColor: css('--line') },
  timeScale: { borderColor: css('--line') },
});
const fixed = { autoSize: true, timeScale: { timeVisible: true, minBarSpacing: 0.0005 }, localization: { locale: 'en' } };
const barColours = () => ({
  upColor: css('--up'), wickUpColor: css('--up'), downColor: css('--down'), wickDownColor: css('--down'), borderVisible: false,
});
const price = LightweightCharts.createChart(find('candles'), fixed);
const bars = price.addSeries(LightweightCharts.CandlestickSeries, {});
const markers = LightweightCharts.createSeriesMarkers(bars, []);
const REASON_LABELS = {
  stop_sell: 'stop-loss', trailing_stop: 'trailing stop-loss', profit_win: 'take-profit', profit_callback: 'trailing take-profit', liquidation_guard: 'liquidation guard', run_end: 'close and stop',
};

/** Second of the candle in which a time lies. */
function barOf({ time }, at) {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return time[Math.max(0, low - 1)] / 1000;
}

function markersOf(shown) {
  const { pair } = report.pairs[shown];
  const own = (rows) => rows.filter((row) => row.pair === pair);
  const fills = own(report.fills).map((fill) => ({
    time: barOf(candles[shown], fill.time),
    position: fill.side === 'buy' ? 'belowBar' : 'aboveBar',
    shape: fill.side === 'buy' ? 'arrowUp' : 'arrowDown',
    color: css(fill.direction === 'long' ? '--long' : '--short'),
    text: fill.kind === 'entry' ? fill.direction : REASON_LABELS[fill.reason] || '',
  }));
  const ends = own(report.liquidations).map(({ time }) => ({
    time: barOf(candles[shown], time), position: 'aboveBar', shape: 'square', color: css('--alarm'), text: 'liquidated',
  }));
  const paid = own(report.funding).map(({ time, amount }) => ({
    time: barOf(candles[shown], time), position: 'belowBar', shape: 'circle', size: 0.5,
    color: css(amount < 0 ? '--down' : '--up'),
  }));
  return [...fills, ...ends, ...paid].sort((a, b) => a.time - b.time);
}

let shown = 0;
let all = [];
/** Markers of the part in view: with labels while there is room for them, none when they would only hide the candles. */
function mark() {
  const range = price.timeScale().getVisibleRange();
  const inView = range ? all.filter(({ time }) => time >= range.from && time <= range.to) : all;
  const width = find('candles').clientWidth;
  const crowded = inView.length > width;
  markers.setMarkers(crowded ? [] : inView.length > width / 30 ? inView.map((marker) => ({ ...marker, text: '' })) : inView);
  find('crowded').hidden = !crowded;
}
let due = 0;
price.timeScale().subscribeVisibleTimeRangeChange(() => {
  cancelAnimationFrame(due);
  due = requestAnimationFrame(mark);
});

function show(index) {
  shown = index;
  const { time, open, high, low, close } = candles[index];
  const decimals = Math.max(2, ...close.slice(0, 200).map((value) => (String(value).split('.')[1] || '').length));
  bars.applyOptions({ priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals } });
  markers.setMarkers([]);
  bars.setData(time.map((at, i) => ({ time: at / 1000, open: open[i], high: high[i], low: low[i], close: close[i] })));
  all = markersOf(index);
  price.timeScale().fitContent();
  mark();
  find('candles').dataset.pair = report.pairs[index].pair;
  for (const [i, button] of [...find('pairs').children].entries()) button.setAttribute('aria-pressed', String(i === index));
}
if (report.pairs.length > 1) {
  for (const [i, { pair }] of report.pairs.entries()) make('button', pair, find('pairs')).onclick = () => show(i);
}

const LEGEND = [
  ['▲', '--long', 'long: buys', report.fills.some(({ direction }) => direction === 'long')],
  ['▼', '--long', 'long: sells', report.fills.some(({ direction }) => direction === 'long')],
  ['▼', '--short', 'short: sells', report.fills.some(({ direction }) => direction === 'short')],
  ['▲', '--short', 'short: buys', report.fills.some(({ direction }) => direction === 'short')],
  ['■', '--alarm', 'liquidated', report.liquidations.length > 0],
  ['●', '--down', 'funding paid', report.funding.some(({ amount }) => amount < 0)],
  ['●', '--up', 'funding received', report.funding.some(({ amount }) => amount > 0)],
];
for (const [sign, color, text, used] of LEGEND) {
  if (!used) continue;
  const item = make('li', null, find('legend'));
  make('span', sign + ' ', item).style.color = 'var(' + color + ')';
  item.append(text);
}

const equity = LightweightCharts.createChart(find('equity'), fixed);
const line = equity.addSeries(LightweightCharts.AreaSeries, { lineWidth: 2, priceLineVisible: false });
const under = equity.addSeries(LightweightCharts.AreaSeries, {
  invertFilledArea: true, lineWidth: 1, priceLineVisible: false, lastValueVisible: false,
  priceFormat: { type: 'custom', minMove: 0.01, formatter: (value) => value.toFixed(1) + ' %' },
}, 1);
line.setData(curve.time.map((at, i) => ({ time: at / 1000, value: curve.equity[i] })));
under.setData(curve.time.map((at, i) => ({ time: at / 1000, value: curve.drawdown[i] })));
// Zero is near the upper edge, with room for its label.
under.priceScale().applyOptions({ scaleMargins: { top: 0.12, bottom: 0.08 } });
equity.panes()[0].setStretchFactor(7);
equity.panes()[1].setStretchFactor(3);
equity.timeScale().fitContent();

function applyColours() {
  price.applyOptions(chartColours());
  bars.applyOptions(barColours());
  equity.applyOptions(chartColours());
  line.applyOptions({ lineColor: css('--accent'), topColor: css('--accent') + '55', bottomColor: css('--accent') + '08' });
  under.applyOptions({ lineColor: css('--down'), topColor: css('--down') + '10', bottomColor: css('--down') + '60' });
  all = markersOf(shown);
  mark();
}
show(0);
applyColours();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyColours);
`;
