import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { appTestbed, register } from './appTestbed.ts';
import { makeBot, post, saveDemoKey, startBot, trade } from './botRequests.ts';
import { openContext } from './browser.ts';
import { checkPage, saveScreenshot } from './checkPage.ts';
import { layoutFaults } from './layoutFaults.ts';

const testbed = appTestbed();

const OPTIONS = { stop_sell: [{ profit: 5, stop: 100 }] };

/** Reads the only group of a mode as the server answers. */
async function groupOf(page: Page, mode: 'paper' | 'live') {
  const answer = await page.request.get(`${testbed.heron.url}/bot/portfolio?zone=UTC`);
  expect(answer.status()).toBe(200);
  const { groups } = await answer.json();
  return groups.find((group: { mode: string }) => group.mode === mode);
}

test('the portfolio shows money, risk and results of all bots, paper and live apart', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Holder');
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByText('The portfolio adds up').waitFor();
  await checkPage(page, 'desktop-portfolio-empty');

  const spot = await makeBot(page, 'Protected', OPTIONS);
  const bare = await makeBot(page, 'Bare', { stop_sell: [] });
  const hedge = await makeBot(page, 'Hedge', { exchange: 'binanceusdm-demo', market: 'both', leverage: 5, ...OPTIONS });
  const key = await saveDemoKey(page, testbed.installation);
  const live = await makeBot(page, 'Careful', { mode: 'live', ...OPTIONS }, { key, allotment: '2000' });
  await startBot(page, spot);
  await startBot(page, bare);
  await startBot(page, hedge);
  await post(page, `/bot/bots/${live}/start`, { confirm: 'Careful' });
  await page.goto(`${testbed.heron.url}/bots/`);
  const card = (name: string) => page.getByTestId('bot-card').filter({ hasText: name });
  for (const name of ['Protected', 'Bare', 'Hedge', 'Careful'])
    await card(name).locator('[data-status=working]').waitFor();
  // One closed position of each kind of money, and one that stays open.
  for (const [id, name] of [
    [spot, 'Protected'],
    [live, 'Careful'],
  ] as const) {
    await trade(page, id, 'buy');
    await card(name).getByText('1 / 1').waitFor();
    await trade(page, id, 'sell');
    await card(name).getByText('0 / 1').waitFor();
  }
  for (const [id, name] of [
    [spot, 'Protected'],
    [bare, 'Bare'],
    [live, 'Careful'],
  ] as const) {
    await trade(page, id, 'buy');
    await card(name).getByText('1 / 1').waitFor();
  }

  await post(page, `/bot/bots/${hedge}/orders`, {
    ...{ requestId: crypto.randomUUID(), pair: 'BTC-USDT', side: 'buy', type: 'taker', value: '700', short: true },
  });
  await card('Hedge').getByText('1 / 1').waitFor();

  await page.getByRole('navigation').getByRole('link', { name: 'Portfolio' }).first().click();
  const group = page.getByTestId('portfolio-group');
  await group.waitFor();
  // Live money comes first, and no paper bot is among it.
  expect(await group.getAttribute('aria-label')).toBe('Live, demo money · USDT');
  expect(await group.getByText('Protected').count()).toBe(0);
  // Its stop order at the exchange and its stop-loss level are the same stop.
  const careful = group.getByTestId('risk-row').filter({ hasText: 'Careful' });
  await careful.waitFor();
  expect(await careful.getByText('No stop').count()).toBe(0);
  expect(await group.getByTestId('risk-unprotected').textContent()).toContain('0 positions');
  await group.getByRole('region', { name: 'Equity by account' }).getByText('Demo account').waitFor();
  await checkPage(page, 'desktop-portfolio-live');
  await page.getByRole('radio', { name: 'Paper' }).check({ force: true });
  await page.locator('section[aria-label="Paper, demo market · USDT"]').waitFor();
  expect(await group.getByText('Careful').count()).toBe(0);

  const rows = group.getByTestId('risk-row');
  await rows.filter({ hasText: 'Bare' }).getByText('No stop').waitFor();
  expect(await rows.count()).toBe(3);
  const short = await rows.filter({ hasText: 'Hedge' }).textContent();
  expect(short).toMatch(/Short5×/);
  // At five times leverage the liquidation is less than a fifth of the price away.
  const distance = Number(/To liquidation([\d.]+)%/.exec(short ?? '')?.[1]);
  expect(distance).toBeGreaterThan(10);
  expect(distance).toBeLessThan(20);
  // A position without a stop comes first.
  expect(await rows.first().textContent()).toContain('Bare');
  expect(await group.getByTestId('risk-unprotected').textContent()).toContain('1 position');
  const days = group.getByTestId('portfolio-days');
  await days.getByTestId('calendar-result').waitFor();
  await days.getByTestId('calendar-result').getByRole('button').click();
  const details = days.getByTestId('calendar-details');
  await expect.poll(() => details.textContent()).toMatch(/20\d\d: [-+]?[\d.]+ USDT, 1 closed$/);
  // These bots are too young to be compared.
  await group.getByTestId('portfolio-correlations').getByText('at least 20 days').waitFor();
  const sources = group.getByTestId('portfolio-sources');
  for (const [tab, row] of [
    ['Strategy', 'Manual'],
    ['Pair', 'BTC-USDT'],
    ['Reason', 'Manual'],
  ] as const) {
    await sources.getByRole('tab', { name: tab }).click();
    await sources.getByTestId('result-row').filter({ hasText: row }).waitFor();
    expect(await sources.getByTestId('result-row').count()).toBe(1);
  }
  await checkPage(page, 'desktop-portfolio');
  await page.getByTestId('portfolio-costs').scrollIntoViewIfNeeded();
  await saveScreenshot(page, 'desktop-portfolio-end');
  expect(await layoutFaults(page)).toEqual([]);

  const paper = await groupOf(page, 'paper');
  const summaries: { id: string; performance: { totalCapital: string } }[] = (
    await (await page.request.get(`${testbed.heron.url}/bot/bots`)).json()
  ).bots;
  const worth = summaries.filter(({ id }) => id !== live).map(({ performance }) => Number(performance.totalCapital));
  expect(worth).toHaveLength(3);
  // Prices move between the two requests.
  expect(Number(paper.money.equity)).toBeCloseTo(
    worth.reduce((sum, each) => sum + each, 0),
    -2,
  );
  expect(paper.closed).toMatchObject({ positions: 1 });
  const [btc, ...others] = paper.exposures;
  expect(others).toEqual([]);
  expect(btc.asset).toBe('BTC');
  expect(Number(btc.short)).toBeGreaterThan(0);
  expect(Number(btc.net)).toBeCloseTo(Number(btc.long) - Number(btc.short), 6);
  expect(Number(btc.gross)).toBeCloseTo(Number(btc.long) + Number(btc.short), 6);

  const storageState = await context.storageState();
  for (const [name, width, height, locale, colorScheme] of [
    ['phone', 390, 844, 'zh-CN', 'dark'],
    ['small', 360, 640, 'en-US', 'light'],
    ['desktop-chinese', 1440, 900, 'zh-CN', 'dark'],
  ] as const) {
    const other = await openContext(testbed.browser, {
      ...{ viewport: { width, height }, locale, colorScheme, storageState, hasTouch: width < 400 },
    });
    await other.addInitScript(() => localStorage.setItem('heron.privacy', '1'));
    const screen = await other.newPage();
    screen.setDefaultTimeout(90_000);
    await screen.goto(`${testbed.heron.url}/portfolio/`);
    await screen.getByRole('radio', { name: /^(Paper|模拟盘)$/ }).check({ force: true });
    await screen.getByTestId('risk-row').nth(2).waitFor();
    await checkPage(screen, `${name}-portfolio`);
    expect(await layoutFaults(screen)).toEqual([]);
    for (const part of ['portfolio-risk', 'portfolio-days', 'portfolio-costs']) {
      await screen.getByTestId(part).evaluate((element) => element.scrollIntoView());
      await saveScreenshot(screen, `${name}-${part}`);
    }
    await other.close();
  }
  await context.close();
});
