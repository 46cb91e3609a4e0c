import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appTestbed, field, fillRegistration, register } from './appTestbed.ts';
import { openContext, screens } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { newInstallation, startHeron } from './heron.ts';

const testbed = appTestbed({ install: newInstallation });

/** Pulls the page down by touch, as for a refresh. */
async function pullDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 190, y }] });
  await touch('touchStart', 300);
  for (const y of [340, 400, 460, 520]) await touch('touchMove', y);
  await touch('touchEnd');
  await devtools.detach();
}

describe.each(screens('phone'))('a new user on a $name', ({ name, width, height }) => {
  let context: BrowserContext;
  let page: Page;
  const failures: string[] = [];

  beforeAll(async () => {
    context = await openContext(testbed.browser, {
      viewport: { width, height },
      hasTouch: name === 'phone',
      // As on the device of a new user.
      ...{ reducedMotion: 'no-preference', serviceWorkers: 'allow' },
    });
    page = await context.newPage();
    page.setDefaultTimeout(90_000);
    page.on('pageerror', (error) => failures.push(error.message));
  });

  afterAll(() => context?.close());

  test('registers, starts a paper bot, buys, and finds everything again after a restart', async () => {
    await page.goto(testbed.heron.url);
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    await checkPage(page, `${name}-login`);
    await page.getByRole('link', { name: 'Register now' }).click();
    await fillRegistration(page, `Walker_${name}`);
    await checkPage(page, `${name}-register`);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByText('No bots yet').waitFor();
    if (name === 'phone') {
      const fetched = page.waitForRequest((request) => new URL(request.url()).pathname === '/bot/bots');
      await pullDown(page);
      await fetched;
    }
    await checkPage(page, `${name}-empty`);

    await page.getByRole('link', { name: 'New bot' }).click();
    await field(page, 'Name').fill('Morning trend');
    await page.getByRole('combobox', { name: 'Strategy' }).selectOption('ema_cross');
    await page.getByRole('combobox', { name: 'Timeframe' }).selectOption('1m');
    await page.getByRole('checkbox', { name: /BTC-USDT/ }).check();
    await checkPage(page, `${name}-add`);
    await page.getByText('More options').click();
    await field(page, 'Activation profit').fill('0');
    await page.getByRole('status').getByText('The trailing take-profit may not cover the fees').waitFor();
    await checkPage(page, `${name}-add-more`);
    await field(page, 'Activation profit').fill('5');
    await page.getByText('The trailing take-profit may not cover the fees').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create and start' }).click();

    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    const chart = page.getByTestId('chart');
    await candlesAtLeast(page, 100);
    const close = await chart.getAttribute('data-last-close');
    await page.waitForFunction(
      (before) => document.querySelector('[data-testid=chart]')?.getAttribute('data-last-close') !== before,
      close,
    );
    expect(await backgroundOpacity(page), 'each drawing clears the previous one').toBe(255);

    await page.getByRole('button', { name: 'Buy', exact: true }).locator('visible=true').click();
    await field(page, 'Amount').fill('1500');
    await page.getByRole('button', { name: 'Review buy' }).click();
    await checkPage(page, `${name}-order`);
    await page.getByRole('button', { name: 'Confirm buy' }).click();
    const trade = page.getByTestId('trade-row').filter({ hasText: 'Manual' });
    await trade.first().waitFor();
    await markersAtLeast(page, 1);
    await page
      .getByTestId('position')
      .filter({ hasText: /Quantity\D*0\.0\d+/ })
      .waitFor();
    await checkPage(page, `${name}-bot`);
    await page.getByRole('tab', { name: 'Journal' }).click();
    await page
      .getByTestId('journal')
      .getByText(/Bought 0\.0\d+/)
      .first()
      .waitFor();

    await page.reload();
    await page.getByTestId('trade-row').filter({ hasText: 'Manual' }).first().waitFor();
    await markersAtLeast(page, 1);

    await settings(page, '/setting-normal/');
    await page
      .getByRole('radio', { name: '中文' })
      .or(page.getByText('中文', { exact: true }))
      .first()
      .click();
    await page.waitForFunction(() => document.documentElement.lang === 'zh-CN');
    await settings(page, '/setting-theme/');
    await page.getByRole('radio', { name: '深色' }).check();
    await checkPage(page, `${name}-theme-zh-dark`);
    await page.goto(`${testbed.heron.url}/bots/`);
    await page.getByTestId('bot-card').filter({ hasText: 'Morning trend' }).waitFor();
    await checkPage(page, `${name}-list-zh-dark`);

    const before = testbed.heron;
    expect(await before.stop()).toBe(0);
    testbed.heron = await startHeron(testbed.installation);
    await page.goto(`${testbed.heron.url}/bots/`);
    const card = page.getByTestId('bot-card').filter({ hasText: 'Morning trend' });
    await card.waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
    await card.getByRole('link').first().click();
    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    await page.getByTestId('trade-row').filter({ hasText: '手动' }).first().waitFor();
    await candlesAtLeast(page, 100);
    await markersAtLeast(page, 1);
    await checkPage(page, `${name}-bot-zh-dark`);
    expect(failures).toEqual([]);
  });
});

describe('the set-up link', () => {
  test('creates exactly one super administrator and is invalid afterwards', async () => {
    const link = testbed.heron.setupLink;
    expect(link).not.toBeNull();
    const page = await (await openContext(testbed.browser)).newPage();
    page.setDefaultTimeout(90_000);
    await page.goto(String(link));
    await page.getByRole('button', { name: 'Create administrator' }).waitFor();
    await checkPage(page, 'setup');
    await register(page, testbed.heron, 'Keeper');
    await page.goto(String(link));
    await page.getByRole('button', { name: 'Create another account' }).click();
    await page.getByRole('button', { name: 'Create administrator' }).waitFor();
    await page.reload();
    const own = page.getByRole('button', { name: 'Make Keeper administrator' });
    await own.waitFor();
    await checkPage(page, 'setup-own');
    await own.click();
    await page.getByText('No bots yet').waitFor();
    await settings(page);
    await page.getByText('Super administrator').waitFor();
    const second = await (await openContext(testbed.browser)).newPage();
    second.setDefaultTimeout(90_000);
    await second.goto(String(link));
    await second.getByText('This link is no longer valid').waitFor();
    await page.close();
    await second.close();
  });
});

/** Opens a settings page and waits for its heading. */
async function settings(page: Page, path = '/setting-index/'): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

async function candlesAtLeast(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (min) => Number(document.querySelector('[data-testid=chart]')?.getAttribute('data-candles')) >= min,
    count,
  );
}

async function markersAtLeast(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (min) => Number(document.querySelector('[data-testid=chart]')?.getAttribute('data-markers')) >= min,
    count,
  );
}

/** Returns the opacity of the chart beside the newest candle, where only its background is drawn. */
function backgroundOpacity(page: Page): Promise<number | undefined> {
  return page
    .getByTestId('chart')
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => canvas.getContext('2d')?.getImageData(canvas.width - 3, 1, 1, 1).data[3]);
}
