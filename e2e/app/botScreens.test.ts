import { startWebhookReceiver } from '@heron/platform/testing/webhookReceiver.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appTestbed, field, register } from './appTestbed.ts';
import { makeBot, startBot, trade } from './botRequests.ts';
import { openContext } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { botHostOf, type Installation, newInstallation, type RunningPairHost, startPairHost } from './heron.ts';

const testbed = appTestbed({ env: { HERON_NOTIFY_PRIVATE: '1' } });
const WAIT = { timeout: 30_000 };

const NAMES = ['Heron 10', 'Heron 9', 'Stork', 'Crane'];

/** Creates bots, the last one newest. Returns their IDs. */
async function makeBots(page: Page): Promise<string[]> {
  const ids: string[] = [];
  for (const name of NAMES)
    ids.push(await makeBot(page, name, { watch_pairs: name === 'Stork' ? 'ETH-USDT' : 'BTC-USDT' }));
  return ids;
}

const listed = (page: Page) => page.getByTestId('bot-list').getByRole('heading', { level: 2 }).allTextContents();

test('many bots are sorted, searched and filtered beside the open bot on a wide screen', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Arranger');
  const [, nine, stork] = (await makeBots(page)) as [string, string, string, string];
  await page.goto(`${testbed.heron.url}/bots/`);
  await page.getByText('Crane').waitFor();
  await expect.poll(() => listed(page), WAIT).toEqual(['Crane', 'Stork', 'Heron 9', 'Heron 10']);

  await page.getByLabel('Order').selectOption('By name');
  await expect.poll(() => listed(page), WAIT).toEqual(['Crane', 'Heron 9', 'Heron 10', 'Stork']);
  await page.getByRole('searchbox', { name: 'Search bots' }).fill('heron');
  await expect.poll(() => listed(page), WAIT).toEqual(['Heron 9', 'Heron 10']);
  await checkPage(page, 'desktop-home-sought');
  await page.getByRole('searchbox', { name: 'Search bots' }).fill('eth-');
  await expect.poll(() => listed(page), WAIT).toEqual(['Stork']);
  await page.getByRole('searchbox', { name: 'Search bots' }).fill('goose');
  await page.getByText('No bot matches').waitFor();
  await checkPage(page, 'desktop-home-none-found');
  await page.getByRole('button', { name: 'Show all bots' }).click();
  await expect.poll(() => listed(page), WAIT).toHaveLength(4);
  // The sort order is saved on this device; the search text is not.
  await page.reload();
  await page.getByText('Crane').waitFor();
  await expect.poll(() => listed(page), WAIT).toEqual(['Crane', 'Heron 9', 'Heron 10', 'Stork']);

  await page.getByRole('link', { name: 'Heron 9' }).click();
  const column = page.getByRole('navigation', { name: 'Your bots' });
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  expect(await column.locator('[aria-current=page]').textContent()).toContain('Heron 9');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await column.locator('[aria-current=page] [data-status=working]').waitFor();
  await checkPage(page, 'desktop-desk');
  await column.getByRole('link', { name: /Stork/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Stork' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/bot/${stork}/`);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Heron 9' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/bot/${nine}/`);

  // Keys move through the column, and reach the period of the chart.
  const beside = (await column
    .getByRole('link', { name: /Heron 9/ })
    .evaluate(
      (link) => link.closest('li')?.nextElementSibling?.querySelector('.bot-column-name')?.textContent,
    )) as string;
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 1, name: beside }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { level: 1, name: 'Heron 9' }).waitFor();
  const period = page.locator('.page:not([inert])').getByRole('combobox', { name: 'Candle period', exact: true });
  await period.waitFor();
  await page.keyboard.press('.');
  await expect.poll(() => period.evaluate((one) => one === document.activeElement), WAIT).toBe(true);
  await page.goto(`${testbed.heron.url}/bot/${nine}/`);

  const screen = page.locator('.page:not([inert])');
  const side = screen.getByRole('complementary', { name: 'This pair' }).or(screen.locator('.bot-side'));
  const width = async () => Math.round((await side.first().boundingBox())?.width ?? 0);
  const divider = screen.getByRole('separator', { name: 'Width of the column beside the chart' });
  await expect.poll(width, WAIT).toBe(340);
  await divider.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(width, WAIT).toBe(356);
  expect(await divider.getAttribute('aria-valuenow')).toBe('356');
  const place = await divider.boundingBox();
  if (place === null) throw new Error('the divider has no place');
  const from = { x: place.x + place.width / 2, y: place.y + 100 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x - 60, from.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width, WAIT).toBe(416);
  await page.mouse.move(from.x - 300, from.y);
  await expect.poll(width, WAIT).toBe(416);
  await page.keyboard.press('End');
  expect(Number(await divider.getAttribute('aria-valuenow'))).toBe(560);
  await page.keyboard.press('Home');
  await expect.poll(width, WAIT).toBe(280);
  // The width is saved on this device for all bots, and survives a reload.
  await page.reload();
  await screen.getByRole('separator').first().waitFor();
  await expect.poll(width, WAIT).toBe(280);
  await divider.dblclick();
  await expect.poll(width, WAIT).toBe(340);

  const chart = screen.locator('.chart');
  await chart.waitFor();
  const height = async () => Math.round((await chart.boundingBox())?.height ?? 0);
  const before = await height();
  await screen.getByRole('separator', { name: 'Height of the chart' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(height, WAIT).toBe(before - 16);

  // A narrower desktop window hides the column, and a phone hides the dividers too.
  await page.setViewportSize({ width: 1100, height: 800 });
  await expect.poll(async () => [await column.isVisible(), await divider.isVisible()], WAIT).toEqual([false, true]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => [await column.isVisible(), await divider.isVisible()], WAIT).toEqual([false, false]);

  // The exchange page shows the state of the price feed.
  await page.goto(`${testbed.heron.url}/exchange-index/`);
  const feed = page.getByTestId('feed');
  await feed.getByText('1 pair', { exact: true }).waitFor();
  await feed.getByText(/^since /).waitFor();
  await feed.getByText('Last message').waitFor();
  await checkPage(page, 'phone-exchanges-feed');
  await context.close();
});

test('several bots are started, stopped and deleted at once, with an outcome for each', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Shepherd');
  await makeBots(page);
  await page.goto(`${testbed.heron.url}/bots/`);
  await page.getByRole('link', { name: 'Manage several bots' }).click();
  const rows = page.getByTestId('many-row');
  await rows.nth(3).waitFor();
  await page.getByRole('checkbox', { name: 'All bots' }).check();
  await page.getByRole('checkbox', { name: 'Select Stork' }).uncheck();
  await page.getByText('3 selected').waitFor();
  expect(await page.getByRole('button', { name: 'Stop', exact: true }).isDisabled()).toBe(true);
  await checkPage(page, 'desktop-many');
  const carryOut = async (named: string, act: string) => {
    await page.getByRole('button', { name: named, exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: act, exact: true }).click();
    await expect.poll(() => dialog.locator('[data-outcome=done]').count(), WAIT).toBe(3);
    await checkPage(page, `desktop-many-${act.toLowerCase()}`);
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  };
  const count = (status: string) => page.locator(`[data-testid=many-status][data-status=${status}]`).count();
  await carryOut('Start (3)', 'Start');
  await expect.poll(() => count('working'), WAIT).toBe(3);
  await page.setViewportSize({ width: 360, height: 640 });
  await checkPage(page, 'phone-many');
  await page.setViewportSize({ width: 1440, height: 900 });
  await carryOut('Stop (3)', 'Stop');
  await expect.poll(() => count('finished'), WAIT).toBe(3);
  await carryOut('Delete (3)', 'Delete');
  await expect.poll(() => rows.count(), WAIT).toBe(1);
  await rows.getByText('Stork').waitFor();
  await context.close();
});

test('an open bot stays live when the user returns to it and when pages below it close', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await register(page, testbed.heron, 'Returner');
  const [first, last] = [await makeBot(page, 'Grebe'), await makeBot(page, 'Rail')];
  await makeBot(page, 'Coot');
  const column = page.getByRole('navigation', { name: 'Your bots' });
  const go = async (name: string) => {
    await column.getByRole('link', { name: new RegExp(name) }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  const seesTrade = async (id: string) => {
    const trades = page.locator('.page:not([inert])').getByTestId('trades').getByRole('listitem');
    expect(await trades.count()).toBe(0);
    await trade(page, id, 'buy');
    await trades.first().waitFor();
  };
  await page.goto(`${testbed.heron.url}/bot/${first}/`);
  for (const id of [first, last]) await startBot(page, id);
  await column.locator('[data-status=working]').nth(1).waitFor();
  await go('Coot');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Grebe' }).waitFor();
  await seesTrade(first);
  await go('Coot');
  await go('Rail');
  await seesTrade(last);
  await context.close();
});

test('a bot copy that is being edited survives the deletion of the bot', async () => {
  const context = await openContext(testbed.browser);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await register(page, testbed.heron, 'Copier');
  const id = await makeBot(page, 'Smew');
  await page.goto(`${testbed.heron.url}/bot-add/from/${id}/`);
  await field(page, 'Name').fill('Goosander');
  const gone = page.waitForResponse((answer) => answer.url().endsWith(`/bot/bots/${id}`) && answer.status() === 404);
  await page.evaluate((path) => fetch(path, { method: 'DELETE' }), `/bot/bots/${id}`);
  await gone;
  await page.getByRole('button', { name: 'Create only' }).click();
  await page.getByRole('heading', { level: 1, name: 'Goosander' }).waitFor();
  await context.close();
});

test('the kill switch stays on screen until it is closed, even with nothing to stop', async () => {
  const context = await openContext(testbed.browser);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await register(page, testbed.heron, 'Stopper');
  await makeBot(page, 'Smew');
  // The modified response shows the bot as a live bot, until the test changes that.
  await page.route('**/bot/bots', async (route) => {
    const answer = await route.fetch();
    const { bots } = (await answer.json()) as { bots: object[] };
    await route.fulfill({
      response: answer,
      json: { bots: bots.map((bot) => ({ ...bot, mode: 'live', status: 'error' })) },
    });
  });
  const released = Promise.withResolvers<void>();
  await page.routeWebSocket('**/bot/stream', async (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => void released.promise.then(() => socket.send(message)));
  });
  await page.goto(`${testbed.heron.url}/bots/`);
  const kill = page.getByRole('button', { name: 'Kill switch' });
  await kill.click();
  await page.getByRole('dialog').waitFor();
  released.resolve();
  await page.getByTestId('bot-list').locator('[data-status=created]').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Back', exact: true }).click();
  await kill.waitFor({ state: 'detached' });
  await context.close();
});

test('an order without a response is only resent unchanged; a rejected one may change', async () => {
  const context = await openContext(testbed.browser, {
    viewport: { width: 1280, height: 800 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Resender');
  const [id] = await makeBots(page);
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  const sheet = page.getByRole('dialog');
  const sent: string[] = [];
  await page.route('**/orders', async (route) => {
    sent.push((route.request().postDataJSON() as { requestId: string }).requestId);
    if (sent.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('complementary').getByRole('button', { name: 'Buy' }).click();
  await sheet.getByRole('textbox', { name: 'Amount' }).fill('500');
  await sheet.getByRole('button', { name: 'Review buy' }).click();
  await sheet.getByRole('button', { name: 'Confirm buy' }).click();
  await sheet.getByText('The order may have been placed').waitFor();
  // The first order was filled, so the holding has changed, but the sheet stays.
  await page.locator('[data-testid=position][data-open=true]').waitFor();
  expect(await sheet.getByRole('button', { name: 'Change' }).count()).toBe(0);
  await checkPage(page, 'desktop-order-uncertain');
  await sheet.getByRole('button', { name: 'Send the same again' }).click();
  await sheet.waitFor({ state: 'hidden' });
  expect(sent).toEqual([sent[0], sent[0]]);

  await page.getByRole('complementary').getByRole('button', { name: 'Buy' }).click();
  await sheet.getByRole('textbox', { name: 'Amount' }).fill('1');
  await sheet.getByRole('button', { name: 'Review buy' }).click();
  await sheet.getByRole('alert').getByText('The minimum order is').waitFor();
  await sheet.getByRole('textbox', { name: 'Amount' }).fill('200');
  await sheet.getByRole('button', { name: 'Review buy' }).click();
  expect(await sheet.getByRole('alert').count()).toBe(0);
  await sheet.getByRole('button', { name: 'Confirm buy' }).click();
  await sheet.waitFor({ state: 'hidden' });
  expect(new Set(sent).size).toBe(2);
  const bought = () =>
    page.evaluate(async (bot) => {
      const { trades } = await (await fetch(`/bot/bots/${bot}/trades`)).json();
      return trades.length as number;
    }, id);
  // An order is accepted before it is filled.
  await expect.poll(bought, { timeout: 30_000 }).toBe(2);
  await context.close();
});

describe('a bot host on another machine', () => {
  let context: BrowserContext;
  /** A page in Chinese: first on a phone, then on a desktop in the dark theme. */
  let page: Page;
  /** A page of the same user in English, on a phone. */
  let phone: Page;
  let installation: Installation;
  let other: RunningPairHost;
  let bot: string;

  beforeAll(async () => {
    context = await openContext(testbed.browser, { locale: 'zh-CN', viewport: { width: 390, height: 844 } });
    page = await context.newPage();
    page.setDefaultTimeout(90_000);
    installation = await newInstallation();
    [other] = await Promise.all([startPairHost(installation), register(page, testbed.heron, 'Pairer', '还没有机器人')]);
    const storageState = await context.storageState();
    const english = { locale: 'en-US', viewport: { width: 390, height: 844 }, hasTouch: true, storageState };
    phone = await (await openContext(testbed.browser, english)).newPage();
    phone.setDefaultTimeout(90_000);
  });
  afterAll(async () => {
    await other?.stop();
    await installation?.remove();
    await context?.close();
    await phone?.context().close();
  });

  const hostRow = () => page.getByTestId('host-row');
  const shown = (on: Page) => on.locator('.page:not([inert])');

  test('is paired by code, lists its bots beside the others, and sends notifications', async () => {
    await page.goto(`${testbed.heron.url}/exchange-index/`);
    await page.getByRole('link', { name: '添加主机' }).click();
    await field(page, '名称').fill('家里的服务器');
    await field(page, '地址').fill('127.0.0.1');
    await field(page, '端口').fill(String(other.port));
    await field(page, '配对码').fill('ABCD-EFGH');
    const pair = page.getByRole('button', { name: '配对', exact: true });
    await pair.click();
    await page.getByText('请粘贴主机显示的完整配对码').waitFor();
    await field(page, '配对码').fill('ABCD'.repeat(8));
    await pair.click();
    await page.getByText('配对码错误、已使用或已过期').waitFor();
    await checkPage(page, 'phone-host-add-zh');
    await field(page, '配对码').fill(other.code);
    await pair.click();
    await hostRow().and(page.locator('[data-state=up]')).waitFor();
    await hostRow().scrollIntoViewIfNeeded();
    await checkPage(page, 'phone-hosts-zh');

    // A new bot on that host can trade the pairs of that host.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${testbed.heron.url}/bot-add/`);
    await page.getByLabel('运行位置').selectOption('家里的服务器');
    await field(page, '名称').fill('远方的机器人');
    // This bot only trades manually, so it still holds the position that the test sells later.
    await page.getByRole('combobox', { name: '策略', exact: true }).selectOption('manual');
    await page.getByRole('checkbox', { name: /BTC-USDT/ }).check();
    await checkPage(page, 'desktop-host-bot-add-zh-dark');
    await page.getByRole('button', { name: '创建并启动' }).click();
    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    await shown(page).getByTestId('host-badge').first().waitFor();
    await page.locator('.chart canvas').first().waitFor();
    await checkPage(page, 'desktop-host-bot-zh-dark');
    bot = new URL(page.url()).pathname.split('/')[2] ?? '';

    // Its notifications are sent like those of any other bot.
    const receiver = await startWebhookReceiver();
    await page.goto(`${testbed.heron.url}/notify-settings/`);
    await field(page, 'Webhook 地址').fill(receiver.url);
    await page.getByRole('button', { name: '添加 Webhook' }).click();
    await page.getByTestId('webhook-secret').waitFor();
    await field(page, '验证码').fill(JSON.parse(receiver.received[0]?.body ?? '{}').code);
    await page.getByRole('button', { name: '确认' }).click();
    await page.getByRole('combobox', { name: '适用的机器人' }).selectOption('远方的机器人 · 家里的服务器');
    await page.getByRole('button', { name: '单独设置' }).click();
    await page.getByRole('button', { name: '恢复沿用' }).waitFor();
    await page.getByRole('checkbox', { name: '成交' }).check();
    await checkPage(page, 'desktop-host-notify-zh-dark');
    await expect
      .poll(async () => (await page.evaluate(kindsOfFirstBot)).includes('fill'), { timeout: 30_000 })
      .toBe(true);
    await trade(page, bot, 'buy');
    await expect
      .poll(() => JSON.parse(receiver.received.at(-1)?.body ?? '{}').notices, { timeout: 30_000 })
      .toMatchObject([{ kind: 'fill', bot, name: '远方的机器人', host: '家里的服务器' }]);
    await receiver.stop();
    await page.goto(`${testbed.heron.url}/user-delete/`);
    await page.getByTestId('leave-hosts').getByText('主机 家里的服务器 上的机器人不会停止').waitFor();
    await checkPage(page, 'desktop-host-delete-zh-dark');
  });

  test('trades live with its own key, manually and under the kill switch of the app', async () => {
    await phone.goto(`${testbed.heron.url}/bot-add/`);
    await phone.getByLabel('Where it runs').selectOption('家里的服务器');
    await field(phone, 'Name').fill('Far and live');
    await phone.getByRole('radio', { name: 'Live' }).check();
    await phone.getByText('npx heron keys add binance').waitFor();
    await phone.getByText('npx heron keys add binance').scrollIntoViewIfNeeded();
    await checkPage(phone, 'phone-host-live-no-key');
    await other.addDemoKey('Home key');
    await phone.reload();
    await phone.getByRole('combobox', { name: 'Strategy' }).selectOption('manual');
    await phone.getByRole('combobox', { name: 'Timeframe' }).selectOption('1m');
    await phone.getByRole('combobox', { name: 'Key' }).selectOption({ index: 1 });
    await field(phone, 'Allocated amount').fill('2,000');
    await checkPage(phone, 'phone-host-live-add');
    await phone.getByRole('button', { name: 'Create and start' }).click();
    const question = phone.getByRole('alertdialog', { name: 'Start Far and live live?' });
    await question.getByRole('textbox').fill('Far and live');
    await question.getByText('家里的服务器').waitFor();
    await checkPage(phone, 'phone-host-live-confirm');
    await question.getByRole('button', { name: 'Start live' }).click();
    await phone.getByTestId('bot-status').and(phone.locator('[data-status=working]')).waitFor();
    await phone.getByTestId('account-connection').and(phone.locator('[data-connection=streaming]')).waitFor();
    await phone.getByRole('button', { name: 'Buy', exact: true }).locator('visible=true').click();
    await field(phone, 'Amount').fill('500');
    await phone.getByRole('button', { name: 'Review buy' }).click();
    await phone.getByRole('button', { name: 'Confirm buy' }).click();
    await phone.locator('[data-testid=position][data-open=true]').waitFor();
    await phone.getByTestId('trade-row').filter({ hasText: 'Manual' }).first().waitFor();
    await checkPage(phone, 'phone-host-live-bot');
    await phone.goto(`${testbed.heron.url}/bots/`);
    await phone.getByTestId('bot-card').filter({ hasText: 'Far and live' }).getByText('Live, demo money').waitFor();
    await checkPage(phone, 'phone-host-live-list');
    await phone.getByRole('button', { name: 'Kill switch' }).locator('visible=true').click();
    const sheet = phone.getByRole('dialog', { name: 'Kill switch' });
    await sheet.getByRole('radio', { name: 'Cancel and sell' }).check();
    await sheet.getByRole('button', { name: 'Sell now' }).click();
    await sheet.getByText('The exchange has confirmed').waitFor();
    await checkPage(phone, 'phone-host-killed');
    await sheet.getByRole('button', { name: 'Close' }).first().click();
  });

  test('continues while the own host does not respond, and the app shows that', async () => {
    const own = await botHostOf(testbed.heron);
    process.kill(own, 'SIGSTOP');
    try {
      await phone.goto(`${testbed.heron.url}/bots/`);
      await phone.getByText('This Heron’s own bot host is not responding').waitFor();
      await phone.getByTestId('bot-card').filter({ hasText: 'Far and live' }).waitFor();
      await checkPage(phone, 'phone-own-away');
      await page.goto(`${testbed.heron.url}/notify-index/`);
      await page.getByText('本站自己的主机无响应').waitFor();
      await page.getByTestId('notifications').getByText('成交', { exact: true }).first().waitFor();
      await checkPage(page, 'desktop-own-away-notifications-zh-dark');
      // The page of the bot updates: quotes arrive, and an order is filled.
      await page.goto(`${testbed.heron.url}/bot/${bot}/`);
      await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
      await shown(page).getByTestId('connection').waitFor({ state: 'hidden' });
      await trade(page, bot, 'sell');
      await page.locator('[data-testid=position][data-open=false]').waitFor();
      await checkPage(page, 'desktop-own-away-bot-zh-dark');
      await page.goto(`${testbed.heron.url}/bot-add/`);
      await page.getByText('本站的主机无响应，请选择其他主机').waitFor();
      await checkPage(page, 'desktop-own-away-bot-add-zh-dark');
    } finally {
      process.kill(own, 'SIGCONT');
    }
    await phone.getByText('This Heron’s own bot host is not responding').waitFor({ state: 'detached' });
  });

  test('is shown as unreachable on the bot page, in the list and among notifications', async () => {
    await page.goto(`${testbed.heron.url}/bot/${bot}/`);
    await shown(page).getByTestId('host-badge').first().waitFor();
    await other.stop();
    await shown(page).getByTestId('host-problem').waitFor();
    await checkPage(page, 'desktop-host-away-bot-zh-dark');
    await page.goto(`${testbed.heron.url}/notify-index/`);
    await shown(page).getByTestId('host-problem').waitFor();
    expect(await page.getByText('暂无通知').count()).toBe(0);
    await checkPage(page, 'desktop-host-away-notifications-zh-dark');
    await page.goto(`${testbed.heron.url}/bots/`);
    await page.getByText('主机“家里的服务器”无响应').waitFor();
    expect(await page.getByText('还没有机器人').count()).toBe(0);
    await checkPage(page, 'desktop-host-away-zh-dark');
  });

  test('is removed while its forms are open, which show that and keep the typed text', async () => {
    await phone.goto(`${testbed.heron.url}/bot-add/`);
    await phone.getByLabel('Where it runs').selectOption('家里的服务器 (not responding)');
    await field(phone, 'Name').fill('Typed before');
    await page.goto(`${testbed.heron.url}/exchange-index/`);
    await hostRow().and(page.locator('[data-state=away]')).waitFor();
    await hostRow().getByRole('button', { name: '移除' }).click();
    await checkPage(page, 'desktop-host-remove-zh-dark');
    await page.getByRole('alertdialog').getByRole('button', { name: '移除' }).click();
    await hostRow().waitFor({ state: 'detached' });
    await phone.getByText('A bot host that was removed').waitFor({ state: 'attached' });
    expect(await field(phone, 'Name').inputValue()).toBe('Typed before');
    await phone.getByRole('button', { name: 'Create and start' }).click();
    await checkPage(phone, 'phone-host-gone-form');
    // This bot no longer exists, because its host was removed.
    await page.goto(`${testbed.heron.url}/bot/${bot}/`);
    await shown(page).getByText('找不到这个机器人').waitFor();
    await checkPage(page, 'desktop-host-gone-bot-zh-dark');
    await phone.getByLabel('Where it runs').selectOption('This Heron');
    await phone.getByRole('button', { name: 'Create and start' }).click();
    await phone.getByTestId('bot-status').and(phone.locator('[data-status=working]')).waitFor();
  });
});

/** Runs in the page: returns the notification kinds of the first bot with its own choice. */
async function kindsOfFirstBot(): Promise<string[]> {
  const answer = await fetch('/api.php?method=System.Notify.channels');
  const { channels } = JSON.parse((await answer.json()).data);
  return channels[0]?.bots[0]?.kinds ?? [];
}
