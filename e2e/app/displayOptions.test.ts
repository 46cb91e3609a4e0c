import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { appTestbed, register } from './appTestbed.ts';
import { makeBot, startBot, trade } from './botRequests.ts';
import { openContext, SCREENS } from './browser.ts';
import { checkPage } from './checkPage.ts';

const testbed = appTestbed();
const WAIT = { timeout: 30_000 };

/** Opens pages of one user on a phone and a desktop, in both languages and themes. */
async function onEachDisplay(
  browser: Browser,
  signedIn: BrowserContext,
  see: (page: Page, name: string) => Promise<void>,
) {
  const storageState = await signedIn.storageState();
  const displays = [
    ['en-US', 'light', 0],
    ['zh-CN', 'dark', 0],
    ['en-US', 'dark', 1],
    ['zh-CN', 'light', 1],
  ] as const;
  for (const [locale, colorScheme, at] of displays) {
    const { name, width, height } = SCREENS[at] as (typeof SCREENS)[number];
    const context = await openContext(browser, { locale, colorScheme, storageState, viewport: { width, height } });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await see(page, `${name}-${locale}-${colorScheme}`);
    await context.close();
  }
}

const decimalsOf = (text: string) =>
  [...text.matchAll(/\d[\d,]*(\.\d+)?/g)].map(([, after]) => (after ?? '.').length - 1);

test('prices have the decimals of the mask on screen, in chart, trades and journal', async () => {
  const context = await openContext(testbed.browser);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Masker');
  const id = await makeBot(page, 'Masked', { period: '1m', price_format: '0.0' });
  const usual = await makeBot(page, 'Automatic', { period: '1m' });
  for (const bot of [id, usual]) {
    await startBot(page, bot);
    await page.goto(`${testbed.heron.url}/bot/${bot}/`);
    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    await trade(page, bot, 'buy');
    await page.locator('[data-testid=position][data-open=true]').waitFor();
  }
  const shown = async (decimals: number) => {
    const last = page.locator('.pair-tab .num').first();
    await expect.poll(async () => decimalsOf(await last.innerText()), { timeout: 60_000 }).toEqual([decimals]);
    const entry = page.locator('.chart-line[data-kind=entry] strong');
    expect(decimalsOf(await entry.innerText())).toEqual([decimals]);
    const label = (await page.getByTestId('chart').getAttribute('aria-label')) ?? '';
    expect(label).toMatch(decimals === 1 ? /\d\.\d(?!\d)/ : /\d\.\d\d(?!\d)/);
    await page.getByTestId('trade-row').first().waitFor();
    const average = await page.getByTestId('trade-row').first().locator('.row-main .num').first().innerText();
    expect(decimalsOf(average.split('@')[1] ?? '')).toEqual([decimals]);
    await page.getByRole('tab', { name: 'Journal' }).click();
    await page.locator('.journal-decision summary').first().click();
    const fill = page.locator('.journal-row[data-kind=fill] p').first();
    expect(decimalsOf(/ at ([\d,.]+\d)/.exec(await fill.innerText())?.[1] ?? '')).toEqual([decimals]);
  };
  // BTC-USDT has a tick size of 0.01 on the demo market.
  await shown(2);
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  await shown(1);

  await onEachDisplay(testbed.browser, context, async (view, name) => {
    await view.goto(`${testbed.heron.url}/bot/${id}/`);
    await view.getByTestId('benchmark').scrollIntoViewIfNeeded();
    await expect.poll(() => view.getByTestId('benchmark').innerText(), { timeout: 60_000 }).toMatch(/%/);
    for (const figure of ['cash', 'unrealised-ratio', 'win-rate']) await view.getByTestId(figure).waitFor();
    await checkPage(view, `running-figures-${name}`);
    await view.getByTestId('chart').scrollIntoViewIfNeeded();
    await checkPage(view, `price-format-${name}`);
  });
  await context.close();
});

test('the buy button has the chosen trading colour, by default that of rising candles', async () => {
  const context = await openContext(testbed.browser);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Painter');
  const id = await makeBot(page, 'Painted', { period: '1m' });
  await startBot(page, id);
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  const buy = page
    .getByRole('button', { name: 'Buy', exact: true })
    .and(page.locator(':enabled'))
    .locator('visible=true');
  const background = () => buy.evaluate((element) => getComputedStyle(element).backgroundColor);
  await buy.waitFor();
  const usual = await background();
  await page.getByRole('button', { name: 'Chart options' }).click();
  await page.getByRole('checkbox', { name: 'Colours of gains and losses' }).uncheck();
  await page.getByLabel('Rising', { exact: true }).fill('#123456');
  await expect.poll(background, WAIT).toBe('rgb(18, 52, 86)');
  await page.getByRole('checkbox', { name: 'Use chart colours' }).uncheck();
  await page.getByLabel('Buy button and rising prices').fill('#ffee00');
  await expect.poll(background, WAIT).toBe('rgb(255, 238, 0)');
  for (const { name, width, height } of SCREENS) {
    await page.setViewportSize({ width, height });
    await page.getByLabel('Buy button and rising prices').scrollIntoViewIfNeeded();
    await checkPage(page, `trade-colour-${name}`);
  }
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect.poll(background, WAIT).toBe(usual);
  await context.close();
});

/** Changes the responses to those for a pair with too little volume; all pairs of the demo market have more. */
async function withThinPair(page: Page, id: string): Promise<void> {
  // Pushes are blocked: they would replace the responses that the test changes.
  await page.routeWebSocket('**/bot/stream', () => {});
  await page.route(`**/bot/bots/${id}`, async (route) => {
    const answer = await route.fetch();
    const bot = (await answer.json()) as BotDetail;
    const volume = { at: Date.now(), value: 48_211.5, needed: 55_000 };
    const pairViews = bot.pairViews.map((view) => ({ ...view, flag: 'volume', volume }));
    await route.fulfill({ response: answer, json: { ...bot, status: 'working', pairViews } });
  });
  await page.route(`**/bot/bots/${id}/journal*`, async (route) => {
    const data = { low: true, volume24h: 48_211.5, limit: 50_000 };
    const entry = { seq: 1, at: Date.now(), pair: 'BTC-USDT', kind: 'volume', data };
    await route.fulfill({ json: { entries: [entry], next: null } });
  });
}

test('a pair with too little volume shows its figures and cannot be bought', async () => {
  const context = await openContext(testbed.browser);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Thin');
  const id = await makeBot(page, 'Thin', { period: '1m' });
  await withThinPair(page, id);
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  const panel = page.getByTestId('last-decision');
  await panel.locator('[data-flag=volume]').waitFor();
  const text = await panel.innerText();
  for (const figure of ['55,000 USDT', '48,211.50 USDT']) expect(text).toContain(figure);
  const buy = page.getByRole('button', { name: 'Buy', exact: true }).locator('visible=true');
  await buy.and(page.locator(':disabled')).waitFor();
  await page.getByRole('tab', { name: 'Journal' }).click();
  const line = page.locator('.journal-row[data-kind=volume]');
  expect(await line.innerText()).toContain('48,211.5');
  for (const [at, colorScheme] of ['dark', 'light'].entries()) {
    const { name, width, height } = SCREENS[at] as (typeof SCREENS)[number];
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: colorScheme as 'dark' | 'light' });
    await panel.scrollIntoViewIfNeeded();
    await checkPage(page, `thin-pair-${name}`);
    await line.scrollIntoViewIfNeeded();
    await checkPage(page, `thin-pair-journal-${name}`);
  }
  await context.close();
});
