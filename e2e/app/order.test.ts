import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { appTestbed, choose, field, register } from './appTestbed.ts';
import { makeBot, startBot } from './botRequests.ts';
import { openContext } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { layoutFaults } from './layoutFaults.ts';

const testbed = appTestbed();

let users = 0;

/** Opens the page of a running bot for manual trading. */
async function openBot(options: object, size: { width: number; height: number }, hasTouch = false): Promise<Page> {
  const page = await (await openContext(testbed.browser, { viewport: size, hasTouch })).newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, `Order_${++users}`);
  const id = await makeBot(page, 'By hand', options);
  await startBot(page, id);
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  return page;
}

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).locator('visible=true').click();
const amount = (page: Page) => page.getByRole('textbox', { name: 'Amount' });
const estimate = (page: Page) => page.getByTestId('order-estimate');
const review = (page: Page) => page.getByTestId('order-review');
const DESKTOP = { width: 1440, height: 900 };

describe('the order sheet on spot', () => {
  test('estimates while typing, refuses too little and too much, and reviews the order as a table', async () => {
    const page = await openBot({}, DESKTOP);
    await press(page, 'Buy');
    const hint = await page.getByText(/Available: 10,000\.00 USDT · Minimum: [\d.]+ USDT/).textContent();
    const minimum = /Minimum: ([\d.]+)/.exec(hint ?? '')?.[1] ?? '';
    await amount(page).fill(minimum);
    await estimate(page)
      .getByText(/^≈ 0\.000\d+ BTC$/)
      .waitFor();
    await amount(page).fill('1');
    await page.getByText(/^The minimum order is [\d.]+ USDT$/).waitFor();
    await amount(page).fill('10001');
    await page.getByText('That is more than the 10,000.00 USDT that are available').waitFor();
    await checkPage(page, 'desktop-order-above');
    await press(page, 'Review buy');
    await page.getByRole('alert').getByText('That is more than').waitFor();
    expect(await review(page).count()).toBe(0);

    await page.getByRole('button', { name: '25%', exact: true }).click();
    expect(await amount(page).inputValue()).toBe('2500');
    await estimate(page)
      .getByText(/^≈ 0\.0\d+ BTC$/)
      .waitFor();
    await page.getByRole('button', { name: 'Enter in BTC' }).click();
    expect(await amount(page).inputValue()).toMatch(/^0\.0\d+$/);
    await page.getByRole('button', { name: 'Enter in USDT' }).click();
    await amount(page).fill('1000');
    await estimate(page).waitFor();
    await checkPage(page, 'desktop-order-estimate');

    // Enter submits the form, and the keyboard goes on in the review.
    await amount(page).press('Enter');
    await review(page).waitFor();
    expect(await page.evaluate(() => document.activeElement?.classList.contains('order-review'))).toBe(true);
    for (const row of ['Order type', 'Quantity', 'Order value', 'Average price', 'Limit price', 'Fee', 'Total cost'])
      await review(page).getByRole('rowheader', { name: row }).waitFor();
    expect(await review(page).getByRole('rowheader', { name: 'Leverage' }).count()).toBe(0);
    await checkPage(page, 'desktop-order-review');
    await press(page, 'Confirm buy');
    await page.locator('[data-testid=position][data-open=true]').waitFor();

    await press(page, 'Sell');
    await choose(page, '25%');
    await estimate(page).getByRole('rowheader', { name: 'Net result' }).waitFor();
    await press(page, 'Review sell');
    await press(page, 'Confirm sell');
    await page.getByTestId('trade-row').nth(1).waitFor();
  });
});

const orders = (page: Page) => page.getByTestId('orders');
const priceExits = (page: Page) => page.getByTestId('price-exits');

/** Returns the best ask that the order sheet shows. */
async function askOf(page: Page): Promise<number> {
  const text = await page.locator('.order-price .figure').textContent();
  return Number((text ?? '').replaceAll(',', ''));
}

describe.each([
  ['phone', { width: 390, height: 844 }],
  ['desktop', DESKTOP],
] as const)('orders at a price, on a %s', (name, size) => {
  test('wait as limit or stop orders until they are cancelled, and refuse a wrong price', async () => {
    const page = await openBot({}, size, name === 'phone');
    await press(page, 'Buy');
    await choose(page, 'Limit');
    await amount(page).fill('1000');
    await press(page, 'Review buy');
    await page.getByText('Enter a price above 0 in digits, such as 250.5').waitFor();
    const ask = await askOf(page);
    const low = String(Math.floor(ask * 0.9));
    await field(page, 'Limit price').fill(low);
    await page.getByText(/^[−-]\d+\.\d+% from [\d,.]+$/).waitFor();
    await page.getByText('Set stop-loss and take-profit', { exact: true }).click();
    await field(page, 'Stop-loss price').fill(String(ask));
    await press(page, 'Review buy');
    await page.getByText(/^Stop-loss price must be below [\d,.]+$/).waitFor();
    await field(page, 'Stop-loss price').fill(String(Math.floor(ask * 0.8)));
    await checkPage(page, `${name}-order-limit`);
    expect(await layoutFaults(page)).toEqual([]);
    await press(page, 'Review buy');
    await review(page).getByRole('rowheader', { name: 'Stop-loss price' }).waitFor();
    await checkPage(page, `${name}-order-limit-review`);
    await press(page, 'Confirm buy');
    await orders(page).getByText('post-only order · Open · Manual').waitFor();
    await page.locator('.pair-tab-state').getByText('Order waits').waitFor();

    // One entry of a pair works at a time.
    await press(page, 'Buy');
    await choose(page, 'Stop');
    await amount(page).fill('1000');
    await field(page, 'Trigger price').fill(String(Math.ceil(ask * 1.2)));
    await page.getByText(/^Not possible now: the pair has a working order/).waitFor();
    await press(page, 'Cancel');
    await orders(page).getByRole('button', { name: 'Cancel order' }).click();
    await orders(page).getByText('No open orders.').waitFor();

    await press(page, 'Buy');
    await choose(page, 'Stop');
    await amount(page).fill('1000');
    await field(page, 'Trigger price').fill(low);
    await page.getByText('Not possible now: its price is already reached').waitFor();
    await field(page, 'Trigger price').fill(String(Math.ceil(ask * 1.2)));
    await checkPage(page, `${name}-order-stop`);
    await press(page, 'Review buy');
    await page.getByText(/at the market price, once the ask reaches/).waitFor();
    await press(page, 'Confirm buy');
    await orders(page).getByText('stop market order · Waiting for its price · Manual').waitFor();
    await page.locator('.pair-tab-state').getByText('Order waits').waitFor();
    await orders(page)
      .getByText(/^from [\d,.]+$/)
      .waitFor();
    await orders(page).getByRole('button', { name: 'Cancel order' }).click();
    await orders(page).getByText('No open orders.').waitFor();
  });

  test('protect a position: set, seen on the chart, changed, removed, and sold at', async () => {
    const page = await openBot({}, size, name === 'phone');
    await press(page, 'Buy');
    const ask = await askOf(page);
    await amount(page).fill('1000');
    await page.getByText('Set stop-loss and take-profit', { exact: true }).click();
    await field(page, 'Stop-loss price').fill(String(Math.floor(ask * 0.5)));
    await press(page, 'Review buy');
    await press(page, 'Confirm buy');
    await page.locator('[data-testid=position][data-open=true]').waitFor();
    await priceExits(page).locator('dt').getByText('Stop-loss price').waitFor();

    await press(page, 'Edit');
    await field(page, 'Take-profit price').fill(String(Math.ceil(ask * 1.5)));
    await page.getByTestId('price-exit-results').getByRole('rowheader', { name: 'Take-profit price' }).waitFor();
    await checkPage(page, `${name}-price-exit`);
    expect(await layoutFaults(page)).toEqual([]);
    await press(page, 'Save');
    await priceExits(page).locator('dt').getByText('Take-profit price').waitFor();
    await checkPage(page, `${name}-price-exits`);
    await press(page, 'Remove');
    await priceExits(page).getByRole('listitem').waitFor({ state: 'detached' });

    // The moving price reaches one of two prices beside the market.
    await press(page, 'Set stop-loss or take-profit');
    const nearby = await askOf(page);
    await field(page, 'Stop-loss price').fill((nearby * 0.9998).toFixed(2));
    await field(page, 'Take-profit price').fill((nearby * 1.0002).toFixed(2));
    await press(page, 'Set');
    await page.locator('[data-testid=position][data-open=false]').waitFor();
    await page
      .getByTestId('trade-row')
      .getByText(/(Take-profit|Stop-loss) at a price/)
      .first()
      .waitFor();
  });
});

test('the line of a price exit is dragged on the chart, confirmed in its sheet, and put back by Escape', async () => {
  const page = await openBot({ stop_sell: [] }, DESKTOP);
  await press(page, 'Buy');
  const ask = await askOf(page);
  await amount(page).fill('1000');
  await page.getByText('Set stop-loss and take-profit', { exact: true }).click();
  const stopLoss = Math.floor(ask * 0.995);
  await field(page, 'Stop-loss price').fill(String(stopLoss));
  await press(page, 'Review buy');
  await press(page, 'Confirm buy');
  await page.locator('.chart-line[data-kind=stop]').waitFor();
  const chart = page.getByTestId('chart');
  const box = await chart.boundingBox();
  if (box === null) throw new Error('the chart has no place');
  const x = box.x + box.width / 3;
  /** Moves the mouse down until it is over the line. */
  async function reachLine(): Promise<number> {
    for (let y = (box?.y ?? 0) + 4; y < (box?.y ?? 0) + (box?.height ?? 0) - 40; y += 4) {
      await page.mouse.move(x, y);
      if (await chart.evaluate((element) => element.classList.contains('chart-movable'))) return y;
    }
    throw new Error('the line is not in view');
  }
  const from = await reachLine();
  await page.mouse.down();
  await page.mouse.move(x, from - 30, { steps: 4 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await page.getByRole('dialog').count()).toBe(0);

  await page.mouse.move(x, (await reachLine()) + 1);
  await page.mouse.down();
  await page.mouse.move(x, from + 20, { steps: 4 });
  await page.mouse.up();
  const typed = await field(page, 'Stop-loss price').inputValue();
  expect(Number(typed)).toBeLessThan(stopLoss);
  expect(Number(typed)).toBeGreaterThan(stopLoss * 0.98);
  await press(page, 'Save');
  await page.locator(`.chart-line[data-kind=stop][data-price="${Number(typed)}"]`).waitFor();
});

describe('the order sheet on futures', () => {
  test.each([
    ['phone', { width: 360, height: 640 }],
    ['desktop', DESKTOP],
  ] as const)('shows leverage, margin, fee, liquidation and stop-loss on a %s', async (name, size) => {
    const futures = { exchange: 'binanceusdm-demo', leverage: 20, margin_mode: 'isolated', market: 'both' };
    const page = await openBot({ ...futures, stop_sell: [{ profit: 2, stop: 100 }] }, size, name === 'phone');
    await page.locator('[data-testid=futures-badge]').getByText('Futures · 20× isolated').waitFor();
    await press(page, 'Open');
    await choose(page, 'Short');
    await field(page, 'Amount').fill('500');
    await estimate(page).getByRole('rowheader', { name: 'Liquidation price' }).waitFor();
    await checkPage(page, `${name}-order-futures`);
    expect(await layoutFaults(page)).toEqual([]);
    // The buttons at the bottom cover no field that has the focus.
    for (const input of await page.locator('.order-sheet input:not([aria-hidden])').all()) {
      await input.focus();
      const isClear = await input.evaluate((element) => {
        const { left, top, width, height } = (element.closest('label') ?? element).getBoundingClientRect();
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        return found?.closest('.overlay-actions') === null;
      });
      expect(isClear, await input.evaluate((element) => element.outerHTML)).toBe(true);
    }
    await press(page, 'Review');
    await review(page).getByText('20× isolated').waitFor();
    for (const row of ['Margin', 'Fee', 'Liquidation price', 'Stop-loss', 'Order value'])
      await review(page).getByRole('rowheader', { name: row }).waitFor();
    await checkPage(page, `${name}-order-futures-review`);
    expect(await layoutFaults(page)).toEqual([]);
    await press(page, 'Open position');
    await page.locator('[data-testid=position][data-open=true]').getByText('Short').waitFor();
  });
});
