import { expect, test } from 'vitest';
import { appTestbed, register } from './appTestbed.ts';
import { makeBot, post, startBot } from './botRequests.ts';
import { openContext, SCREENS } from './browser.ts';
import { checkPage } from './checkPage.ts';

const testbed = appTestbed();

interface Screen {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

const GRID = { strategy: 'grid', period: '15m', stop_sell: [], order_type: 'taker' };

test.for(SCREENS as readonly Screen[])(
  'a grid is placed at once, and its report keeps grid profit and floating PnL apart, on a $name',
  async ({ name, width, height }) => {
    const chinese = name === 'phone';
    const context = await openContext(testbed.browser, {
      viewport: { width, height },
      hasTouch: chinese,
      colorScheme: chinese ? 'dark' : 'light',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await register(page, testbed.heron, `Netter_${name}`);
    const { id } = await post<{ id: string }>(page, '/bot/bots', {
      name: 'Net',
      options: { exchange: 'binance-demo', watch_pairs: 'BTC-USDT', ...GRID },
      params: { range_pct: 3, levels: 20 },
    });
    await startBot(page, id);
    await page.goto(`${testbed.heron.url}/bot/${id}/`);
    // The candle of a quarter of an hour has not closed: the first quote has placed the grid.
    const plan = page.getByTestId('order-plan');
    await plan.getByTestId('grid-profit').waitFor({ timeout: 60_000 });
    for (const figure of ['grid-floating', 'grid-cycles', 'grid-yearly']) await plan.getByTestId(figure).waitFor();
    await plan.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-grid-running`);

    await page.getByRole('tab', { name: 'Setup' }).click();
    await page.getByRole('button', { name: 'Backtest', exact: true }).click();
    await page.getByRole('radio', { name: '7 days', exact: true }).check({ force: true });
    await page.getByRole('button', { name: 'Run backtest', exact: true }).click();
    const report = page.getByTestId('backtest-report');
    await report.getByTestId('grid-profit').waitFor();
    const cycles = Number(await report.getByTestId('grid-cycles').innerText());
    expect(cycles).toBeGreaterThan(0);
    await report.getByTestId('grid-profit').scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-grid-report`);

    // Rows are in the order of their fills, and say what they are of.
    const rows = report.getByTestId('backtest-trade');
    await rows.first().scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-grid-rows`);
    const texts = await rows.allInnerTexts();
    expect(texts.every((text) => text.includes('Grid'))).toBe(true);
    const times = await rows
      .locator('time')
      .evaluateAll((all) => all.map((time) => Date.parse(time.getAttribute('datetime') ?? '')));
    expect(times.length).toBeGreaterThan(1);
    expect(times.every(Number.isFinite)).toBe(true);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    await context.close();
  },
);

test('a deal that waits for its condition says when it is checked next, on its page and in the list', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Waiter');
  const id = await makeBot(page, 'Average', { strategy: 'dca', period: '15m', stop_sell: [] });
  await startBot(page, id);
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  const wait = page.getByTestId('last-decision').getByTestId('plan-wait');
  await wait.waitFor();
  expect(await wait.innerText()).toMatch(/^The start condition is checked at \d\d:\d\d, in \d+:\d\d\.$/);
  const before = await wait.innerText();
  await expect.poll(() => wait.innerText(), { timeout: 10_000 }).not.toBe(before);
  await checkPage(page, 'desktop-plan-wait');
  await page.goto(`${testbed.heron.url}/bots/`);
  await page.getByTestId('bot-card').getByTestId('plan-wait').waitFor();
  await checkPage(page, 'desktop-plan-wait-list');
  await context.close();
});

test.for(SCREENS as readonly Screen[])(
  'the form shows the orders of a grid or a DCA deal before it starts, on a $name',
  async ({ name, width, height }) => {
    const context = await openContext(testbed.browser, { viewport: { width, height }, hasTouch: name === 'phone' });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await register(page, testbed.heron, `Planner_${name}`);
    await page.goto(`${testbed.heron.url}/bot-add/`);
    await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('grid');
    const preview = page.getByTestId('plan-preview');
    for (const pair of ['BTC-USDT', 'ETH-USDT']) {
      const box = page.getByRole('checkbox', { name: new RegExp(pair) });
      if (!(await box.isChecked())) await box.check();
    }
    // Two pairs get unequal shares of the cash until one amount is chosen for each.
    const amounts = preview.getByTestId('plan-amounts');
    await amounts.getByRole('row', { name: 'All pairs' }).waitFor();
    const money = () => amounts.locator('tbody td:first-of-type').allInnerTexts();
    expect(new Set(await money()).size).toBe(2);
    await preview.getByRole('button', { name: /for each pair/ }).click();
    await expect.poll(async () => new Set(await money()).size).toBe(1);
    await preview.getByRole('row').nth(10).waitFor();
    await preview.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-plan-grid`);

    // One pair may take the range of the last month.
    await page.getByRole('checkbox', { name: /ETH-USDT/ }).uncheck();
    await preview.getByRole('button', { name: 'Fit range to last 30 days' }).click();
    await expect
      .poll(async () => Number(await page.getByRole('textbox', { name: /^Lower price/ }).inputValue()))
      .toBeGreaterThan(0);
    await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('dca');
    await preview.getByRole('columnheader', { name: 'Profit at target' }).waitFor();
    expect(await preview.getByRole('row').count()).toBe(6);
    await preview.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-plan-dca`);
    await context.close();
  },
);
