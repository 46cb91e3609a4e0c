import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { appTestbed, field, register } from './appTestbed.ts';
import { makeBot } from './botRequests.ts';
import { openContext, SCREENS } from './browser.ts';
import { checkPage } from './checkPage.ts';

const testbed = appTestbed();

test('the chart draws entry and exit lines until the position is sold', async () => {
  const context = await openContext(testbed.browser);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Liner');
  const id = await makeBot(page, 'Lines', {
    watch_pairs: 'BTC-USDT',
    strategy: 'manual',
    period: '1m',
    profit_win: [{ profit: 1, stop: 50 }],
  });
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).locator('visible=true').click();
  await press('Start');
  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  await press('Buy');
  await field(page, 'Amount').fill('1500');
  await press('Review buy');
  await press('Confirm buy');

  await page.locator('.chart-line[data-kind=entry]').waitFor();
  const { position } = (await detail(page, id)).pairViews[0] as BotDetail['pairViews'][number];
  const lines = await page
    .locator('.chart-line')
    .evaluateAll((items) =>
      items.map((item) => [item.getAttribute('data-kind'), Number(item.getAttribute('data-price'))]),
    );
  const entry = Number(position?.entryPrice);
  expect(lines).toEqual([
    ['entry', entry],
    ['stop', Math.floor(entry * 95) / 100],
    ['win', Math.ceil(entry * 101) / 100],
    ['arm', Math.ceil(entry * 105) / 100],
  ]);
  await page.getByText('Take-profit 50%').waitFor();
  for (const { name, width, height } of SCREENS) {
    await page.setViewportSize({ width, height });
    await page.getByTestId('chart').locator('canvas').first().waitFor();
    await checkPage(page, `${name}-chart-lines`);
  }
  // A theme change sets new colours without a new canvas, so the scroll position stays.
  const canvas = page.getByTestId('chart').locator('canvas').first();
  await canvas.evaluate((element) => element.setAttribute('data-kept', ''));
  const light = await canvas.screenshot();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme=dark]').waitFor();
  await expect.poll(async () => (await canvas.screenshot()).equals(light), { timeout: 30_000 }).toBe(false);
  expect(await page.getByTestId('chart').locator('canvas[data-kept]').count()).toBe(1);

  // A paper bot can skip the review. This choice is saved, and so is the default slippage.
  await press('Sell');
  await page.getByRole('checkbox', { name: 'Review orders before they are sent' }).uncheck();
  await field(page, 'Maximum slippage').fill('0.5');
  await press('Use 0.5% from now on');
  await page.getByRole('button', { name: 'Use 0.5%' }).waitFor({ state: 'detached' });
  for (const { name, width, height } of SCREENS) {
    await page.setViewportSize({ width, height });
    await checkPage(page, `${name}-sell-unasked-dark`);
  }
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('heron.trade') ?? ''))).toEqual({
    slippage: 0.5,
    confirm: false,
    upColor: null,
  });
  await press('Confirm sell');
  await page.locator('.chart-lines').waitFor({ state: 'detached' });
  await context.close();
});

test('a vertical swipe over the chart scrolls the page', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 390, height: 844 }, hasTouch: true });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Swiper');
  const id = await makeBot(page, 'Swiped', { watch_pairs: 'BTC-USDT', strategy: 'manual', period: '1m' });
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  const canvas = page.getByTestId('chart').locator('canvas').first();
  await canvas.waitFor();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('the chart is not shown');
  const scrolled = () => page.locator('.page:not([inert]) .page-content').evaluate((content) => content.scrollTop);
  expect(await scrolled()).toBe(0);
  const devtools = await context.newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (let up = 10; up <= 200; up += 10) {
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - up }] });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(scrolled).toBeGreaterThan(100);
  await context.close();
});

test('the mouse wheel scrolls the page, and zooms the chart with Ctrl or in full screen', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Wheeler');
  const id = await makeBot(page, 'Wheeled', { watch_pairs: 'BTC-USDT', strategy: 'ema_cross', period: '1m' });
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  const chart = page.getByTestId('chart');
  const canvas = chart.locator('canvas').first();
  await chart.hover();
  const scrolled = () => page.locator('.page:not([inert]) .page-content').evaluate((content) => content.scrollTop);
  await page.mouse.wheel(0, 150);
  await expect.poll(scrolled).toBeGreaterThan(50);
  await page.mouse.wheel(0, -1_000);
  await expect.poll(scrolled).toBe(0);
  await chart.hover();
  const drawn = await canvas.screenshot();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 150);
  await expect.poll(async () => (await canvas.screenshot()).equals(drawn)).toBe(false);
  await page.keyboard.up('Control');
  expect(await scrolled()).toBe(0);

  await page.getByRole('button', { name: '5m', exact: true }).click();
  await page.locator('[data-testid=chart][data-period="5m"]').waitFor();
  await page.getByRole('button', { name: 'Open full screen' }).click();
  await page.getByRole('dialog', { name: 'BTC-USDT' }).locator('canvas').first().waitFor();
  await expect.poll(async () => (await chart.boundingBox())?.height ?? 0).toBeGreaterThan(600);
  await page.getByRole('button', { name: 'Chart options' }).click();
  await page.getByRole('combobox', { name: 'Price axis' }).selectOption('Logarithmic');
  await page.keyboard.press('Escape');
  for (const { name, width, height } of SCREENS) {
    await page.setViewportSize({ width, height });
    // The chart follows the window with the next frame.
    await expect.poll(async () => (await canvas.boundingBox())?.width ?? 0).toBeGreaterThan(width * 0.6);
    await checkPage(page, `${name}-chart-full`);
  }
  const full = await canvas.screenshot();
  await chart.hover();
  await page.mouse.wheel(0, 150);
  await expect.poll(async () => (await canvas.screenshot()).equals(full)).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await chart.getAttribute('data-period')).toBe('5m');
  await context.close();
});

test('the chart keeps the chosen candle length and older candles after a reload', async () => {
  const context = await openContext(testbed.browser, {
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Chooser');
  await page.evaluate(() => localStorage.setItem('heron.look', '{"language":"zh-CN","theme":"dark"}'));
  const id = await makeBot(page, '均线', { watch_pairs: 'BTC-USDT', strategy: 'ema_cross', period: '1m' });
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  const chart = page.getByTestId('chart');
  await chart.locator('canvas').first().waitFor();

  await page.getByRole('button', { name: '图表设置' }).click();
  // The chart and the general settings share this setting.
  await page.getByRole('radio', { name: '绿涨红跌' }).check();
  await page.locator('html[data-up=green]').waitFor();
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('heron.look') ?? '').up)).toBe('green');
  await checkPage(page, 'phone-chart-options-zh-dark');
  await page.getByRole('checkbox', { name: '跟随涨跌颜色' }).uncheck();
  await page.getByLabel('上涨', { exact: true }).fill('#123456');
  await page.getByRole('checkbox', { name: '隐藏策略指标线' }).check();
  await field(page, '打开图表时显示的 K 线数').fill('20');
  await page.keyboard.press('Escape');
  await page.locator('.legend-series').first().waitFor({ state: 'detached' });

  await page.getByRole('combobox', { name: 'K 线周期' }).selectOption('15m');
  await page.locator('[data-testid=chart][data-period="15m"]').waitFor();
  const first = Number(await chart.getAttribute('data-first-time'));
  const times = await page.evaluate(async () => {
    const answer = await fetch('/bot/candles?venue=binance-demo&pair=BTC-USDT&period=15m&limit=3');
    return ((await answer.json()) as { time: number[] }).time;
  });
  expect(times.map((time) => time % 900_000)).toEqual([0, 0, 0]);
  // The test scrolls left until older candles load.
  await chart.hover();
  await page.waitForFunction(
    (before) => {
      const place = document.querySelector('[data-testid=chart]');
      place?.querySelector('canvas')?.dispatchEvent(new WheelEvent('wheel', { deltaX: -900, bubbles: true }));
      return Number(place?.getAttribute('data-first-time')) < before;
    },
    first,
    { polling: 200 },
  );
  await checkPage(page, 'phone-chart-15m-zh-dark');

  const refused = await page.evaluate(async () => {
    const ask = async (query: string) => (await fetch(`/bot/candles?${query}`)).status;
    return [
      await ask('venue=binance-demo&pair=NOPE-USDT&period=1h'),
      await ask('venue=binance-demo&pair=BTC-USDT&period=7m'),
      await ask('venue=nowhere&pair=BTC-USDT&period=1h'),
      await ask('venue=binance-demo&pair=BTC-USDT&period=1h&limit=100000'),
      await ask('venue=binance-demo&pair=BTC-USDT&period=1w&before=0'),
    ];
  });
  expect(refused).toEqual([422, 422, 422, 422, 200]);

  await page.reload();
  await chart.locator('canvas').first().waitFor();
  expect(await chart.getAttribute('data-period')).toBe('1m');
  await page.getByRole('button', { name: '图表设置' }).click();
  expect(await page.getByLabel('上涨', { exact: true }).inputValue()).toBe('#123456');
  await page.getByRole('button', { name: '恢复默认' }).click();
  expect(await field(page, '打开图表时显示的 K 线数').inputValue()).toBe('50');
  await page.keyboard.press('Escape');
  await page.locator('.legend-series').first().waitFor();

  // A failed load of older candles must not show a message on another page.
  let fail = () => {};
  await page.route(/\/bot\/candles\?.*before=/, (route) => {
    fail = () => void route.abort();
  });
  const asked = page.waitForRequest(/\/bot\/candles\?.*before=/);
  await chart.evaluate((place) => {
    for (let step = 0; step < 40; step += 1) {
      place.querySelector('canvas')?.dispatchEvent(new WheelEvent('wheel', { deltaX: -900, bubbles: true }));
    }
  });
  const request = await asked;
  await page.getByRole('button', { name: '返回' }).click();
  await page.getByTestId('bot-list').waitFor();
  await chart.waitFor({ state: 'detached' });
  const failed = page.waitForEvent('requestfailed', (one) => one === request);
  fail();
  await failed;
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  expect(await page.locator('.toast-note').count()).toBe(0);
  await context.close();
});

/** Returns the detail of a bot from the bot host. */
function detail(page: Page, id: string): Promise<BotDetail> {
  return page.evaluate(async (bot) => (await fetch(`/bot/bots/${bot}`)).json(), id);
}

test('indicators of the user are drawn in every period, keep after a reload, and are removed', async () => {
  const context = await openContext(testbed.browser);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Indicator');
  const id = await makeBot(page, 'Indicators', {
    watch_pairs: 'BTC-USDT',
    strategy: 'ema_cross',
    period: '1m',
  });
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  await page.getByRole('button', { name: 'Start', exact: true }).locator('visible=true').click();
  const legend = page.getByTestId('chart-legend');
  await legend.getByText(/^Fast [\d,.]+$/).waitFor();
  await page.getByRole('button', { name: 'Indicators' }).click();
  const sheet = page.getByRole('dialog');
  for (const indicator of ['Bollinger bands', 'RSI', 'MACD']) {
    await sheet.getByRole('combobox', { name: 'Add indicator' }).selectOption({ label: indicator });
  }
  await sheet.getByTestId('indicator').nth(2).waitFor();
  await sheet.getByTestId('indicator').nth(1).getByLabel('Length').fill('7');
  await sheet.getByTestId('indicator').nth(1).getByText('RSI (7)', { exact: true }).waitFor();
  await sheet.getByTestId('indicator').nth(1).getByLabel('Length').fill('1');
  await sheet.getByTestId('indicator').nth(1).locator('[aria-invalid=true]').waitFor();
  for (const { name, width, height } of SCREENS) {
    await page.setViewportSize({ width, height });
    await checkPage(page, `${name}-indicators`);
  }
  await page.keyboard.press('Escape');
  await legend.getByText(/^RSI \(7\) \d/).waitFor();
  await legend.getByText(/^Bollinger bands \(20, 2\) upper band [\d,.]+$/).waitFor();
  await legend.getByText(/^histogram [−-]?[\d,.]+$/).waitFor();
  await page.getByTestId('chart').locator('canvas').first().waitFor();
  for (const { name, width, height } of SCREENS) {
    await page.setViewportSize({ width, height });
    await checkPage(page, `${name}-chart-indicators`);
  }

  // Another period has the lines of the strategy and the indicators, too.
  await page.getByRole('combobox', { name: 'Candle period' }).selectOption('15m');
  await page.locator('[data-testid=chart][data-period="15m"]').waitFor();
  await legend.getByText(/^Fast [\d,.]+$/).waitFor();
  await legend.getByText(/^RSI \(7\) \d/).waitFor();

  await page.reload();
  await legend.getByText(/^RSI \(7\) \d/).waitFor();
  await page.getByRole('button', { name: 'Indicators' }).click();
  for (const name of ['Bollinger bands (20, 2)', 'RSI (7)', 'MACD (12, 26, 9)']) {
    await sheet.getByRole('button', { name: `Remove ${name}` }).click();
  }
  await page.keyboard.press('Escape');
  await legend.getByText(/^RSI/).waitFor({ state: 'detached' });
  await context.close();
});
