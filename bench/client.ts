import type { CandleHistory, Trade } from '@heron/contract/bots/entities.ts';
import { launchBrowser, SCREENS } from '../e2e/app/browser.ts';
import { newInstallation, startHeron } from '../e2e/app/heron.ts';
import { feedStream, framesOf, lengthened, pushHour, tapStream, UPDATES_A_MINUTE } from './chartFeed.ts';
import { type Figure, figureOf } from './figures.ts';

const VISITS = 7;
const BOTS = 20;
/** Bytes a second of a phone in a bad place: 1.6 Mbps down, 0.75 up, and 150 ms for each way there and back. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const CPU_SLOWER = 4;
const CANDLES = 5_000;
const FULL_CANDLES = 20_000;
const FULL_MARKS = 5_000;
/** The most indicators that a user can add: five on the prices, five in panes of their own. */
const FULL_INDICATORS = [
  'ema',
  'bollinger',
  'supertrend',
  'ichimoku',
  'psar',
  'rsi',
  'macd',
  'dmi',
  'stochastic',
  'aroon',
];
const UPDATES_A_SECOND = 20;
const FRAMES_FOR_MS = 20_000;
const DAY_HOURS = 24;
const PAIR = 'BTC-USDT';
const [PHONE, DESK] = SCREENS;

type BrowserContext = Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>['newContext']>>;
type Page = Awaited<ReturnType<BrowserContext['newPage']>>;

/**
 * Measures the client in a real browser against the whole system: the first row, frames of a moving chart, memory after a day,
 * and frames of a full chart.
 */
export async function client(): Promise<Figure[]> {
  const place = await newInstallation();
  const heron = await startHeron(place);
  const browser = await launchBrowser();
  try {
    const owner = await browser.newContext({ locale: 'en-US', viewport: sizeOf(DESK), baseURL: heron.url });
    await post(owner, '/api.php', {
      ...{ method: 'System.Register.usernameRegister', username: 'Watcher' },
      password: 'a heron stands in the water 7',
    });
    const options = {
      exchange: 'binance-demo',
      watch_pairs: PAIR,
      strategy: 'ema_cross',
      period: '1m',
      keep_lookback_periods: CANDLES,
    };
    let watched = '';
    for (let n = 0; n < BOTS; n++)
      watched = (await post<{ id: string }>(owner, '/bot/bots', { name: `Bot ${n}`, options, params: {} })).id;

    // The session lies in a cookie, so a new page is signed in without a cache.
    const here = await owner.newPage();
    await here.goto('/bots/');
    await here.getByTestId('bot-card').first().waitFor();
    await here.close();
    const rows: number[] = [];
    for (let visit = 0; visit < VISITS; visit++) {
      const visitor = await browser.newContext({
        ...{ locale: 'en-US', viewport: sizeOf(PHONE), baseURL: heron.url },
        ...{ serviceWorkers: 'block', storageState: await owner.storageState() },
      });
      rows.push(await firstRow(visitor));
      await visitor.close();
    }
    rows.sort((one, other) => one - other);
    const [row = Number.NaN] = rows.slice(VISITS >> 1);
    const others = `${BOTS} bots, cold, 1.6 Mbps, 150 ms, processor ${CPU_SLOWER} × slower; ${rows[0]} to ${rows.at(-1)} ms`;

    await post(owner, `/bot/bots/${watched}/start`, {});
    return [
      figureOf('first row', row, 'ms', others),
      ...(await streaming(owner, watched)),
      ...(await fullChart(owner, watched)),
    ];
  } finally {
    await browser.close();
    await heron.stop();
    await place.remove();
  }
}

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

async function post<Answer>(context: BrowserContext, path: string, data: object): Promise<Answer> {
  const answer = await context.request.post(path, { data });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

/** ms from the navigation until the first bot of the list was drawn, for a member with nothing cached. */
async function firstRow(visitor: BrowserContext): Promise<number> {
  const page = await visitor.newPage();
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('[data-testid=bot-card]') === null) return;
      observer.disconnect();
      requestAnimationFrame(() => Object.assign(globalThis, { firstRow: performance.now() }));
    }).observe(document, { childList: true, subtree: true });
  });
  const line = await visitor.newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', NETWORK);
  await line.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER });
  await page.goto('/bots/', { waitUntil: 'commit' });
  const drawn = await page.waitForFunction(() => (globalThis as { firstRow?: number }).firstRow);
  return Math.round(Number(await drawn.jsonValue()));
}

/** A bot's page with all its candles, while more is pushed than a bot pushes; then what a day of that leaves in memory. */
async function streaming(owner: BrowserContext, id: string): Promise<Figure[]> {
  const page = await owner.newPage();
  const history = await openChart(page, id, CANDLES);
  const moving = frameFigure('frames', history, await framesWhile(page));

  const line = await owner.newCDPSession(page);
  await line.send('HeapProfiler.enable');
  const megabytes = async () => {
    await line.send('HeapProfiler.collectGarbage');
    return (await line.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
  const heaps = [await megabytes()];
  for (let hour = 0; hour < DAY_HOURS; hour++) {
    await page.evaluate(pushHour);
    heaps.push(await megabytes());
  }
  await page.close();
  // The first two hours fill what has a size of its own.
  const grown = (heaps.at(-1) ?? Number.NaN) - (heaps[2] ?? Number.NaN);
  const hourly = heaps.map((size) => size.toFixed(1)).join(' ');
  return [moving, figureOf('heap of a day', grown, 'MB', `grown after the second hour; by hour ${hourly}`)];
}

/** The same page with as much on the chart as it takes: once standing, once dragged to and fro. */
async function fullChart(owner: BrowserContext, id: string): Promise<Figure[]> {
  const page = await owner.newPage();
  await page.addInitScript((indicators) => {
    localStorage.setItem('heron.chartIndicators', JSON.stringify(indicators.map((indicator) => ({ indicator }))));
  }, FULL_INDICATORS);
  const marked = Promise.withResolvers<CandleHistory>();
  // The list of trades below asks for fewer at once, and keeps its own.
  await page.route(`**/bot/bots/${id}/trades?*limit=200*`, async (route) =>
    route.fulfill({ json: { trades: tradesOn(await marked.promise), next: null } }),
  );
  const history = await openChart(page, id, FULL_CANDLES, marked.resolve);
  await page.locator(`[data-testid=chart][data-markers="${FULL_MARKS}"]`).waitFor();
  const standing = await framesWhile(page);
  const dragged = await framesWhile(page, () => dragChart(page));
  return [
    frameFigure('frames of a full chart', history, standing),
    frameFigure('while it is dragged', history, dragged),
  ];
}

/** Opens a bot's page whose chart has `candles`, and from then on receives prices of the benchmark only. */
async function openChart(page: Page, id: string, candles: number, onRead = (_history: CandleHistory) => {}) {
  await page.addInitScript(tapStream);
  await page.goto(`/bot/${id}/`);
  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  const answered = Promise.withResolvers<CandleHistory>();
  await page.route(`**/bot/bots/${id}/candles?*`, async (route) => {
    const history = lengthened((await (await route.fetch()).json()) as CandleHistory, candles);
    onRead(history);
    answered.resolve(history);
    await route.fulfill({ json: history });
  });
  await page.reload();
  const history = await answered.promise;
  const { time, close, series } = history;
  await page.getByTestId('chart').locator('canvas').first().waitFor();
  await page.evaluate(feedStream, {
    ...{ id, pair: PAIR, begins: (time.at(-1) ?? 0) + 60_000, price: close.at(-1) ?? 1, series: series.length },
    minuteUpdates: UPDATES_A_MINUTE,
  });
  return history;
}

/** Returns ms between frames while updates arrive, shortest first. */
async function framesWhile(page: Page, act?: () => Promise<void>): Promise<number[]> {
  let runs = true;
  const acts = async () => {
    while (runs) await act?.();
  };
  const acting = act ? acts() : null;
  const gaps = await page.evaluate(framesOf, { during: FRAMES_FOR_MS, every: 1_000 / UPDATES_A_SECOND });
  runs = false;
  await acting;
  return gaps.sort((one, other) => one - other);
}

async function dragChart(page: Page): Promise<void> {
  const box = await page.getByTestId('chart').boundingBox();
  if (box === null) throw new Error('The page has no chart');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + box.width / 4, y, { steps: 30 });
  await page.mouse.move(x, y, { steps: 30 });
  await page.mouse.up();
}

function frameFigure(name: string, { time }: CandleHistory, gaps: readonly number[]): Figure {
  const slow = gaps[Math.floor(gaps.length * 0.99)] ?? Number.NaN;
  const rate = (1_000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0);
  const note = `${time.length} candles, ${UPDATES_A_SECOND} updates a second; p99 ${slow.toFixed(1)} ms`;
  return figureOf(name, rate, 'frames/s', note);
}

/** Returns an entry and an exit in turn, with one fill each, on the newest candles. */
function tradesOn({ time, close }: CandleHistory): Trade[] {
  return time.slice(-FULL_MARKS).map((at, row) => {
    const buys = row % 2 === 0;
    const kind = buys ? ('entry' as const) : ('exit' as const);
    const side = buys ? ('buy' as const) : ('sell' as const);
    const price = (close.at(row - FULL_MARKS) ?? 1).toFixed(2);
    const of = { pair: PAIR, side, reason: 'signal' as const, quantity: '1' };
    const fill = { ...of, id: `fill-${row}`, at, price, fee: '0', feeAsset: 'USDT', liquidity: 'taker' as const };
    return {
      ...{ ...of, id: `trade-${row}`, kind, openedAt: at, closedAt: at, averagePrice: price, firstPrice: price },
      ...{
        slippagePercent: 0,
        fees: [],
        feeQuote: '0',
        realised: buys ? null : '0',
        leverage: null,
        askedLeverage: null,
      },
      fills: [fill],
    };
  });
}
