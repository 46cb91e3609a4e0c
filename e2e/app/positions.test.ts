import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { appTestbed, register } from './appTestbed.ts';
import { makeBot, startBot, trade } from './botRequests.ts';
import { openContext, SCREENS } from './browser.ts';
import { checkPage } from './checkPage.ts';

const testbed = appTestbed();
const ROUNDS = 3;

/** Opens and closes a position by hand, in one order each. */
async function round(page: Page, bot: string): Promise<void> {
  await trade(page, bot, 'buy');
  await page.locator('[data-testid=position][data-open=true]').waitFor();
  await trade(page, bot, 'sell');
  await page.locator('[data-testid=position][data-open=false]').waitFor();
}

const rows = (page: Page) => page.getByTestId('position-row');

/** Returns the PnL of each listed position, in the order of the list. */
async function nets(page: Page): Promise<number[]> {
  const texts = await rows(page).allInnerTexts();
  return texts.map((text) => -Number(/[-\u2212]([\d.,]+)\s*USDT/.exec(text)?.[1]?.replaceAll(',', '')));
}

const WAIT = { timeout: 30_000 };

describe.each(SCREENS)('closed positions on a $name', ({ name, width, height }) => {
  test('are listed with their orders, sorted, filtered, shown on the chart and exported', async () => {
    const context = await openContext(testbed.browser, { viewport: { width, height }, hasTouch: name === 'phone' });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const failures: string[] = [];
    page.on('pageerror', ({ message }) => failures.push(message));
    await register(page, testbed.heron, `Rounder_${name}`);
    const bot = await makeBot(page, 'Round trips', { period: '1m' });
    await startBot(page, bot);
    await page.goto(`${testbed.heron.url}/bot/${bot}/`);
    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    await page.getByRole('button', { name: 'Buy', exact: true }).and(page.locator(':enabled')).first().waitFor();
    await page.getByRole('tab', { name: 'Positions' }).click();
    await page.getByText('No closed positions yet').waitFor();
    for (let count = 1; count <= ROUNDS; count++) {
      await round(page, bot);
      // The table follows without a reload.
      await expect.poll(() => rows(page).count(), WAIT).toBe(count);
    }
    const sum = page.getByTestId('positions-sum');
    // Three round trips are three positions, whatever the number of orders: each lost at least its fees.
    expect(await sum.innerText()).toMatch(/3 positions\s+0 won, 3 lost/);
    await checkPage(page, `${name}-positions`);

    // The orders of one position are folded beneath it.
    const orders = page.getByTestId('position-orders');
    await rows(page)
      .first()
      .getByRole('button', { name: /^Orders of position/ })
      .click();
    await orders.getByText('Buy', { exact: true }).waitFor();
    await orders.getByText('Sell', { exact: true }).waitFor();
    expect(await orders.getByRole('listitem').count()).toBe(2);
    await checkPage(page, `${name}-positions-orders`);
    await rows(page)
      .first()
      .getByRole('button', { name: /^Orders of position/ })
      .click();
    await orders.waitFor({ state: 'detached' });

    // Sorted by PnL, and turned round.
    const descending = (await nets(page)).toSorted((a, b) => b - a);
    expect(new Set(descending).size).toBeGreaterThan(1);
    const head = page.getByRole('columnheader', { name: 'PnL', exact: true });
    if (name === 'phone') await page.getByLabel('Sort by').selectOption('PnL');
    else await head.getByRole('button').click();
    await expect.poll(() => nets(page), WAIT).toEqual(descending);
    if (name === 'phone') await page.getByRole('button', { name: 'Descending order' }).click();
    else {
      expect(await head.getAttribute('aria-sort')).toBe('descending');
      // The head keeps the focus, so that the keyboard turns the order round.
      await page.keyboard.press('Enter');
      await expect.poll(() => head.getAttribute('aria-sort'), WAIT).toBe('ascending');
    }
    await expect.poll(() => nets(page), WAIT).toEqual(descending.toReversed());

    await page.getByText('Filters').click();
    await page.getByTestId('position-filters').getByLabel('Result').selectOption('Won');
    await page.getByText('No position matches').waitFor();
    await checkPage(page, `${name}-positions-none`);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByTestId('position-filters').getByLabel('Exit reason').selectOption('Manual');
    await expect.poll(() => rows(page).count(), WAIT).toBe(ROUNDS);
    await checkPage(page, `${name}-positions-filters`);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    expect((await download).suggestedFilename()).toBe(`heron-${bot}-binance-demo-paper-positions.csv`);

    // By keyboard: the chart moves to the position, which it marks.
    const acts = rows(page)
      .first()
      .getByRole('button', { name: /^Show BTC-USDT, position/ });
    await acts.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => acts.getAttribute('aria-pressed'), WAIT).toBe('true');
    await page.locator('[data-testid=chart][data-position]').waitFor();
    await expect.poll(() => isInView(page), WAIT).toBe(true);
    await checkPage(page, `${name}-positions-chart`);
    expect(failures).toEqual([]);
    await context.close();
  }, 240_000);
});

/** Returns whether the chart is on screen. */
function isInView(page: Page): Promise<boolean> {
  return page.getByTestId('chart').evaluate((chart) => {
    const { top, bottom } = chart.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
}

describe.each(SCREENS)('the journal on a $name', ({ name, width, height }) => {
  test('is grouped by decision, with the steps beneath, a search and filters', async () => {
    const context = await openContext(testbed.browser, { viewport: { width, height }, hasTouch: name === 'phone' });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await register(page, testbed.heron, `Chronicler_${name}`);
    const bot = await makeBot(page, 'Grouped', { period: '1m' });
    await startBot(page, bot);
    await page.goto(`${testbed.heron.url}/bot/${bot}/`);
    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    await page.getByRole('button', { name: 'Buy', exact: true }).and(page.locator(':enabled')).first().waitFor();
    await round(page, bot);
    await page.getByRole('tab', { name: 'Journal' }).click();
    const decisions = page.locator('.journal-decision');
    const [sold, bought] = [decisions.first(), decisions.nth(1)];
    await sold.getByText(/Sold 0\.\d+ at [\d,.]+ – Manual/).waitFor();
    await bought.getByText(/Bought 0\.\d+ at [\d,.]+ – Manual/).waitFor();
    // Two orders by hand are two decisions, whatever the number of entries.
    expect(await decisions.count()).toBe(2);
    await checkPage(page, `${name}-journal`);

    await bought.locator('summary').click();
    const steps = bought.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    await expect.poll(() => steps.count(), WAIT).toBeGreaterThan(4);
    const kinds = await steps.evaluateAll((all) => all.map((step) => (step as HTMLElement).dataset.kind));
    // A cause is above its effect.
    expect(kinds[0]).toBe('command');
    expect(kinds.indexOf('order')).toBeGreaterThan(kinds.indexOf('intent'));
    expect(kinds.indexOf('fill')).toBeGreaterThan(kinds.indexOf('order'));
    expect(kinds).toContain('intent_end');
    await checkPage(page, `${name}-journal-steps`);

    await page.getByRole('searchbox', { name: 'Search journal' }).fill('position closed');
    await expect.poll(() => decisions.count(), WAIT).toBe(1);
    await sold.getByText(/^.*Sold 0/).waitFor();
    await page.getByRole('searchbox', { name: 'Search journal' }).fill('no such words');
    await page.getByText('No entry matches').waitFor();
    await page.getByRole('searchbox', { name: 'Search journal' }).fill('');
    await page.getByLabel('Subject').selectOption('Commands and settings');
    await page.getByTestId('journal').getByText('Command: start.').waitFor();
    expect(await decisions.count()).toBe(0);
    await checkPage(page, `${name}-journal-filtered`);
    await context.close();
  }, 240_000);
});
