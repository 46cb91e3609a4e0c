import type { CandleHistory } from '@heron/contract/bots/entities.ts';
import { launchBrowser, SCREENS } from '../e2e/app/browser.ts';
import { newInstallation, startHeron } from '../e2e/app/heron.ts';
import { type Figure, figureOf } from './figures.ts';

const VISITS = 7;
const BOTS = 20;
/** Bytes a second of a phone in a bad place: 1.6 Mbps down, 0.75 up, and 150 ms for each way there and back. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const CPU_SLOWER = 4;
const CANDLES = 5_000;
const UPDATES_A_SECOND = 20;
const FRAMES_FOR_MS = 20_000;
/** Maximum rate of updates of a bot with one pair: four a second. */
const UPDATES_A_MINUTE = 240;
const DAY_HOURS = 24;
const PAIR = 'BTC-USDT';
const [PHONE, DESK] = SCREENS;

type BrowserContext = Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>['newContext']>>;

/**
 * Measures the client in a real browser against the whole system: the first row, frames of a moving chart, and memory
 * after a day.
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
      venue: 'binance-demo',
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
    return [figureOf('first row', row, 'ms', others), ...(await streaming(owner, watched))];
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
  await page.addInitScript(tapStream);
  await page.goto(`/bot/${id}/`);
  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  const answered = Promise.withResolvers<CandleHistory>();
  await page.route(`**/bot/bots/${id}/candles?*`, async (route) => {
    const history = lengthened((await (await route.fetch()).json()) as CandleHistory);
    answered.resolve(history);
    await route.fulfill({ json: history });
  });
  await page.reload();
  const { time, close, series } = await answered.promise;
  await page.getByTestId('chart').locator('canvas').first().waitFor();
  await page.evaluate(feedStream, {
    ...{ id, pair: PAIR, begins: (time.at(-1) ?? 0) + 60_000, price: close.at(-1) ?? 1, series: series.length },
    minuteUpdates: UPDATES_A_MINUTE,
  });
  const gaps = await page.evaluate(framesOf, { during: FRAMES_FOR_MS, every: 1_000 / UPDATES_A_SECOND });
  gaps.sort((one, other) => one - other);
  const slow = gaps[Math.floor(gaps.length * 0.99)] ?? Number.NaN;

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
  // The first two hours fill what has a size of its own.
  const grown = (heaps.at(-1) ?? Number.NaN) - (heaps[2] ?? Number.NaN);
  const rate = (1_000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0);
  const note = `${time.length} candles, ${UPDATES_A_SECOND} updates a second; p99 ${slow.toFixed(1)} ms`;
  const hourly = heaps.map((size) => size.toFixed(1)).join(' ');
  return [
    figureOf('frames', rate, 'frames/s', note),
    figureOf('heap of a day', grown, 'MB', `grown after the second hour; by hour ${hourly}`),
  ];
}

/** Returns the history of a bot after days: the same candles with more before them. */
function lengthened(history: CandleHistory): CandleHistory {
  const missing = CANDLES - history.time.length;
  const before = <Value>(column: Value[], of: (n: number) => Value) => [
    ...Array.from({ length: missing }, (_, index) => of(missing - index)),
    ...column,
  ];
  const again = (column: number[]) => before(column, (n) => column[n % column.length] ?? 1);
  const { time, open, high, low, close, volume, series } = history;
  const [first = 0] = time;
  return {
    ...history,
    ...{ time: before(time, (n) => first - n * 60_000), open: again(open), high: again(high), low: again(low) },
    ...{ close: again(close), volume: again(volume) },
    series: series.map((line) => ({ ...line, values: before(line.values, (n) => close[n % close.length] ?? 1) })),
  };
}

/** Runs in the page: drops prices of the server, so that all updates come from the benchmark. */
interface Tapped {
  receive(message: object): void;
  push(): void;
  pushMinute(): void;
}

/** Runs in the page before its own programs. */
function tapStream(): void {
  const tapped: Partial<Tapped> = {};
  globalThis.WebSocket = class extends WebSocket {
    override set onmessage(listener: ((event: MessageEvent) => void) | null) {
      super.onmessage = (event: MessageEvent) => {
        if (!/"type":"(quote|candle)"/.test(event.data)) listener?.(event);
      };
      tapped.receive = (message) => listener?.(new MessageEvent('message', { data: JSON.stringify(message) }));
    }
  };
  Object.assign(globalThis, { tapped });
}

/** Runs in the page: from now on it can push, quotes and the forming candle in turn, which closes with its minute. */
function feedStream(of: {
  id: string;
  pair: string;
  begins: number;
  price: number;
  series: number;
  minuteUpdates: number;
}): void {
  const { tapped } = globalThis as unknown as { tapped: Tapped };
  const { id, pair } = of;
  let n = 0;
  tapped.push = () => {
    n++;
    const now = of.price * (1 + (n % 100) / 10_000);
    const said = now.toFixed(2);
    if (n % 2 === 1) tapped.receive({ type: 'quote', id, pair, at: Date.now(), bid: said, ask: said, last: said });
    else {
      const closed = n % of.minuteUpdates === 0;
      const time = of.begins + Math.floor((n - 1) / of.minuteUpdates) * 60_000;
      const candle = { time, open: of.price, high: now, low: of.price, close: now, volume: n };
      const values = closed ? Array.from({ length: of.series }, () => now) : null;
      tapped.receive({ type: 'candle', id, pair, closed, candle, values });
    }
  };
  tapped.pushMinute = () => {
    for (let pushed = 0; pushed < of.minuteUpdates; pushed++) tapped.push();
  };
}

/** Runs in the page: an hour, drawn once a minute. */
async function pushHour(): Promise<void> {
  const { tapped } = globalThis as unknown as { tapped: Tapped };
  for (let minute = 0; minute < 60; minute++) {
    tapped.pushMinute();
    await new Promise(requestAnimationFrame);
  }
}

/** Runs in the page: measures ms between frames while updates arrive at an interval. */
function framesOf({ during, every }: { during: number; every: number }): Promise<number[]> {
  const { tapped } = globalThis as unknown as { tapped: Tapped };
  const pushing = setInterval(tapped.push, every);
  return new Promise((resolve) => {
    const gaps: number[] = [];
    const began = performance.now();
    let before: number | null = null;
    requestAnimationFrame(function next(at) {
      if (before !== null) gaps.push(at - before);
      before = at;
      if (at - began < during) return void requestAnimationFrame(next);
      clearInterval(pushing);
      resolve(gaps);
    });
  });
}
