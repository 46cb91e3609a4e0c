import { webReceiver } from '@heron/platform/testing/webReceiver.ts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeBot, trade } from './byCall.ts';
import { appGround, field, register } from './ground.ts';
import { newPlace, startPairHost } from './heron.ts';
import { look } from './look.ts';

const ground = appGround({ HERON_NOTIFY_PRIVATE: '1' });

const NAMES = ['Heron 10', 'Heron 9', 'Stork', 'Crane'];

/** Makes bots, the last one newest; gives their ids. */
async function makeBots(page: Page): Promise<string[]> {
  const ids: string[] = [];
  for (const name of NAMES)
    ids.push(await makeBot(page, name, { watch_pairs: name === 'Stork' ? 'ETH-USDT' : 'BTC-USDT' }));
  return ids;
}

const listed = (page: Page) => page.getByTestId('bot-list').getByRole('heading', { level: 2 }).allTextContents();

it('many bots are sorted, sought and shown by kind; on a wide desk they stand beside the open one, whose panes can be sized', async () => {
  const context = await ground.browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, ground.heron, 'Arranger');
  const [, nine, stork] = (await makeBots(page)) as [string, string, string, string];
  await page.goto(`${ground.heron.url}/bots/`);
  await page.getByText('Crane').waitFor();
  expect(await listed(page)).toEqual(['Crane', 'Stork', 'Heron 9', 'Heron 10']);

  await page.getByLabel('Order').selectOption('By name');
  expect(await listed(page)).toEqual(['Crane', 'Heron 9', 'Heron 10', 'Stork']);
  await page.getByRole('searchbox', { name: 'Search bots' }).fill('heron');
  expect(await listed(page)).toEqual(['Heron 9', 'Heron 10']);
  await look(page, 'desktop-home-sought');
  await page.getByRole('searchbox', { name: 'Search bots' }).fill('eth-');
  expect(await listed(page)).toEqual(['Stork']);
  await page.getByRole('searchbox', { name: 'Search bots' }).fill('goose');
  await page.getByText('No bot matches').waitFor();
  await look(page, 'desktop-home-none-found');
  await page.getByRole('button', { name: 'Show all bots' }).click();
  expect(await listed(page)).toHaveLength(4);
  // The order is kept on this device; what was sought is not.
  await page.reload();
  await page.getByText('Crane').waitFor();
  expect(await listed(page)).toEqual(['Crane', 'Heron 9', 'Heron 10', 'Stork']);

  await page.getByRole('link', { name: 'Heron 9' }).click();
  const column = page.getByRole('navigation', { name: 'Your bots' });
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  expect(await column.locator('[aria-current=page]').textContent()).toContain('Heron 9');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await column.locator('[aria-current=page] [data-status=working]').waitFor();
  await look(page, 'desktop-desk');
  await column.getByRole('link', { name: /Stork/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Stork' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/bot/${stork}/`);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Heron 9' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/bot/${nine}/`);

  // Keys go down and up the column, and to the period of the chart.
  const beside = (await column
    .getByRole('link', { name: /Heron 9/ })
    .evaluate(
      (link) => link.closest('li')?.nextElementSibling?.querySelector('.bot-column-name')?.textContent,
    )) as string;
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 1, name: beside }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { level: 1, name: 'Heron 9' }).waitFor();
  await page.keyboard.press('.');
  const period = page.locator('.page-current').getByRole('combobox', { name: 'Length of candles', exact: true });
  expect(await period.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.goto(`${ground.heron.url}/bot/${nine}/`);

  const screen = page.locator('.page-current');
  const side = screen.getByRole('complementary', { name: 'This pair' }).or(screen.locator('.bot-side'));
  const width = async () => Math.round((await side.first().boundingBox())?.width ?? 0);
  const divider = screen.getByRole('separator', { name: 'Width of the column beside the chart' });
  expect(await width()).toBe(340);
  await divider.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await width()).toBe(356);
  expect(await divider.getAttribute('aria-valuenow')).toBe('356');
  const place = await divider.boundingBox();
  if (place === null) throw new Error('the divider has no place');
  const from = { x: place.x + place.width / 2, y: place.y + 100 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x - 60, from.y, { steps: 4 });
  await page.mouse.up();
  expect(await width()).toBe(416);
  await page.mouse.move(from.x - 300, from.y);
  expect(await width()).toBe(416);
  await page.keyboard.press('End');
  expect(Number(await divider.getAttribute('aria-valuenow'))).toBe(560);
  await page.keyboard.press('Home');
  expect(await width()).toBe(280);
  // On this device for all bots, also after a reload.
  await page.reload();
  await screen.getByRole('separator').first().waitFor();
  expect(await width()).toBe(280);
  await divider.dblclick();
  expect(await width()).toBe(340);

  const chart = screen.locator('.chart');
  await chart.waitFor();
  const height = async () => Math.round((await chart.boundingBox())?.height ?? 0);
  const before = await height();
  await screen.getByRole('separator', { name: 'Height of the chart' }).focus();
  await page.keyboard.press('ArrowUp');
  expect(await height()).toBe(before - 16);

  // A narrower desk has no room for the column, a phone none for dividers.
  await page.setViewportSize({ width: 1100, height: 800 });
  expect([await column.isVisible(), await divider.isVisible()]).toEqual([false, true]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect([await column.isVisible(), await divider.isVisible()]).toEqual([false, false]);

  // How the prices come that the bot decides on.
  await page.goto(`${ground.heron.url}/exchange-index/`);
  const feed = page.getByTestId('feed');
  await feed.getByText('1 pair', { exact: true }).waitFor();
  await feed.getByText(/^since /).waitFor();
  await feed.getByText('Last message').waitFor();
  await look(page, 'phone-exchanges-feed');
  await context.close();
});

it('an order whose answer was lost can only be sent again as the same, which acts once; one that was refused is another when it is changed', async () => {
  const context = await ground.browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, ground.heron, 'Resender');
  const [id] = await makeBots(page);
  await page.goto(`${ground.heron.url}/bot/${id}/`);
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
  await sheet.getByText('The order may have arrived all the same').waitFor();
  // It had: what is held has changed, and the sheet stays all the same.
  await page.locator('[data-testid=position][data-open=true]').waitFor();
  expect(await sheet.getByRole('button', { name: 'Change' }).count()).toBe(0);
  await look(page, 'desktop-order-uncertain');
  await sheet.getByRole('button', { name: 'Send the same again' }).click();
  await sheet.waitFor({ state: 'hidden' });
  expect(sent).toEqual([sent[0], sent[0]]);

  await page.getByRole('complementary').getByRole('button', { name: 'Buy' }).click();
  await sheet.getByRole('textbox', { name: 'Amount' }).fill('1');
  await sheet.getByRole('button', { name: 'Review buy' }).click();
  await sheet.getByRole('button', { name: 'Confirm buy' }).click();
  await sheet.getByRole('alert').waitFor();
  await sheet.getByRole('button', { name: 'Change' }).click();
  await sheet.getByRole('textbox', { name: 'Amount' }).fill('200');
  await sheet.getByRole('button', { name: 'Review buy' }).click();
  expect(await sheet.getByRole('alert').count()).toBe(0);
  await sheet.getByRole('button', { name: 'Confirm buy' }).click();
  await sheet.waitFor({ state: 'hidden' });
  expect(new Set(sent).size).toBe(3);
  const bought = await page.evaluate(async (bot) => {
    const { trades } = await (await fetch(`/bot/bots/${bot}/trades`)).json();
    return trades.length as number;
  }, id);
  expect(bought).toBe(2);
  await context.close();
});

it('a bot host on another machine is paired by its code; its bots stand beside the others, and one that is away is said to be', async () => {
  const context = await ground.browser.newContext({ locale: 'zh-CN', viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const place = await newPlace();
  const [other] = await Promise.all([startPairHost(place), register(page, ground.heron, 'Pairer', '还没有机器人')]);
  try {
    await page.goto(`${ground.heron.url}/exchange-index/`);
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
    await page.getByText('配对码错误、已用过或已过期').waitFor();
    await look(page, 'phone-host-add-zh');
    await field(page, '配对码').fill(other.code);
    await pair.click();
    const row = page.getByTestId('host-row');
    await row.and(page.locator('[data-state=up]')).waitFor();
    await row.scrollIntoViewIfNeeded();
    await look(page, 'phone-hosts-zh');

    // A new bot there: what it trades is what that host knows.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${ground.heron.url}/bot-add/`);
    await page.getByLabel('运行位置').selectOption('家里的服务器');
    await field(page, '名称').fill('远方的机器人');
    await page.getByRole('checkbox', { name: /BTC-USDT/ }).check();
    await look(page, 'desktop-host-bot-add-zh-dark');
    await page.getByRole('button', { name: '创建并启动' }).click();
    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    await page.locator('.page-current').getByTestId('host-badge').first().waitFor();
    await page.locator('.chart canvas').first().waitFor();
    await look(page, 'desktop-host-bot-zh-dark');
    const botPage = page.url();
    const bot = new URL(botPage).pathname.split('/')[2] ?? '';

    // What it tells is sent as that of any other bot.
    const receiver = await webReceiver();
    await page.goto(`${ground.heron.url}/notify-settings/`);
    await field(page, 'Webhook 地址').fill(receiver.url);
    await page.getByRole('button', { name: '添加 Webhook' }).click();
    await page.getByTestId('webhook-secret').waitFor();
    await field(page, '验证码').fill(JSON.parse(receiver.posted[0]?.body ?? '{}').code);
    await page.getByRole('button', { name: '确认' }).click();
    await page.getByRole('combobox', { name: '适用的机器人' }).selectOption('远方的机器人 · 家里的服务器');
    await page.getByRole('button', { name: '单独设置' }).click();
    await page.getByRole('checkbox', { name: '成交' }).check();
    await look(page, 'desktop-host-notify-zh-dark');
    await page.getByRole('checkbox', { name: '成交' }).and(page.locator(':checked')).waitFor();
    await trade(page, bot, 'buy');
    await expect
      .poll(() => JSON.parse(receiver.posted.at(-1)?.body ?? '{}').notices, { timeout: 30_000 })
      .toMatchObject([{ kind: 'fill', bot, name: '远方的机器人', host: '家里的服务器' }]);
    await receiver.stop();
    await page.goto(`${ground.heron.url}/user-delete/`);
    await page.getByTestId('leave-hosts').getByText('主机 家里的服务器 上的机器人不会停止').waitFor();
    await look(page, 'desktop-host-delete-zh-dark');

    // Away: said on the bot's page, in the list, which is not "no bots", and beside what bots have told.
    await page.goto(botPage);
    await page.locator('.page-current').getByTestId('host-badge').first().waitFor();
    await other.stop();
    await page.locator('.page-current').getByTestId('host-problem').waitFor();
    await look(page, 'desktop-host-away-bot-zh-dark');
    await page.goto(`${ground.heron.url}/notify-index/`);
    await page.locator('.page-current').getByTestId('host-problem').waitFor();
    await look(page, 'desktop-host-away-notices-zh-dark');
    await page.goto(`${ground.heron.url}/bots/`);
    await page.getByText('主机“家里的服务器”没有应答').waitFor();
    expect(await page.getByText('还没有机器人').count()).toBe(0);
    await look(page, 'desktop-host-away-zh-dark');
    await page.goto(`${ground.heron.url}/exchange-index/`);
    await row.and(page.locator('[data-state=away]')).waitFor();
    await row.getByRole('button', { name: '移除' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '移除' }).click();
    await row.waitFor({ state: 'detached' });
  } finally {
    await other.stop();
    await place.remove();
    await context.close();
  }
});
