import { startFakePushService } from '@heron/platform/testing/fakePushService.ts';
import { startFakeTelegram, TELEGRAM_TOKEN } from '@heron/platform/testing/fakeTelegram.ts';
import { startWebhookReceiver } from '@heron/platform/testing/webhookReceiver.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { appTestbed, register } from './appTestbed.ts';
import { makeBot, startBot, trade } from './botRequests.ts';
import { openContext, SCREENS } from './browser.ts';
import { checkPage } from './checkPage.ts';

// The receivers of these tests have private addresses.
process.env.HERON_NOTIFY_PRIVATE = '1';
const [pushes, telegram] = await Promise.all([startFakePushService(), startFakeTelegram()]);
process.env.HERON_TELEGRAM_TOKEN = TELEGRAM_TOKEN;
process.env.HERON_TELEGRAM_URL = telegram.url;
afterAll(() => Promise.all([pushes.stop(), telegram.stop()]));
// Only a whole browser shows notifications.
const testbed = appTestbed({ browser: 'whole' });
const WAIT = { timeout: 30_000 };

/** Returns the channels as the server has saved them: a page shows a choice before it is saved. */
function channels(page: Page): Promise<{ kinds: string[]; bots: { kinds: string[] }[] }[]> {
  return page.evaluate(async () => {
    const answer = await (await fetch('/api.php?method=System.Notify.channels')).json();
    return JSON.parse(answer.data).channels;
  });
}

/** Returns the kinds sent for the one bot that has a choice of its own. */
const kindsOfBot = async (page: Page) => (await channels(page))[0]?.bots[0]?.kinds ?? [];

test('notifications of a bot arrive at once, are counted, listed, and marked as seen', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Listener');
  const rail = page.locator('.rail');
  await rail.getByRole('link', { name: 'Notifications' }).click();
  await page.getByText('No notifications yet').waitFor();
  await checkPage(page, 'desktop-notifications-empty');
  await rail.getByRole('link', { name: 'Bots' }).click();
  const id = await makeBot(page, 'Notifier');
  await startBot(page, id);
  await page.locator('[data-status=working]').first().waitFor();
  await trade(page, id, 'buy');
  await rail.getByRole('img', { name: '1 new' }).waitFor();
  await trade(page, id, 'sell');
  await rail.getByRole('img', { name: '3 new' }).waitFor();

  const [{ width, height }] = SCREENS;
  const chinese = await openContext(testbed.browser, {
    ...{ locale: 'zh-CN', colorScheme: 'dark', viewport: { width, height } },
    storageState: await context.storageState(),
  });
  const phone = await chinese.newPage();
  phone.setDefaultTimeout(90_000);
  await phone.goto(`${testbed.heron.url}/bots/`);
  await phone.locator('.tabs').getByRole('img', { name: '3 条未读' }).waitFor();
  await checkPage(phone, 'phone-unseen');

  await rail.getByRole('link', { name: 'Notifications' }).click();
  const list = page.getByTestId('notifications');
  await list.getByText('Position closed', { exact: true }).waitFor();
  expect(await list.getByRole('listitem').count()).toBe(3);
  expect(await list.getByText('New', { exact: true }).count()).toBe(3);
  await list.getByText(/^BTC-USDT Bought/).waitFor();
  await checkPage(page, 'desktop-notifications');
  // A notification that was seen on one device is seen on all devices.
  await phone.locator('.tabs [data-testid=unseen]').waitFor({ state: 'detached' });
  await rail.getByTestId('unseen').waitFor({ state: 'detached' });
  await phone.locator('.tabs').getByRole('link', { name: '通知' }).click();
  await phone.getByTestId('notifications').getByText('平仓', { exact: true }).waitFor();
  expect(await phone.getByTestId('notifications').getByText('新', { exact: true }).count()).toBe(0);
  await checkPage(phone, 'phone-notifications');
  // A notification that arrives while the list is open comes first, and counts as seen.
  await trade(page, id, 'buy');
  await phone.getByTestId('notifications').getByRole('listitem').nth(3).waitFor();
  await phone.getByTestId('notifications').getByRole('link', { name: 'Notifier' }).first().click();
  await phone.waitForURL(`**/bot/${id}/`);
});

test('a webhook is added by a code, receives chosen notifications, and is removed', async () => {
  const receiver = await startWebhookReceiver();
  const posted = () =>
    receiver.received.map(
      ({ body }): { type: string; code?: string; notices?: { kind: string; bot: string }[]; text: string } =>
        JSON.parse(body),
    );

  const [{ width, height }] = SCREENS;
  const context = await openContext(testbed.browser, { viewport: { width, height } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Hooked');
  const id = await makeBot(page, 'Caller');
  await startBot(page, id);
  await page.locator('[data-status=working]').first().waitFor();
  await page.locator('.tabs').getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('link', { name: 'Notification settings' }).click();
  await page.getByText('Your account has no e-mail address yet.').waitFor();
  // This browser blocks notifications.
  await page.getByRole('button', { name: 'Notify on this device' }).click();
  await page.getByText('This browser blocks notifications of Heron.').waitFor();
  const address = page.getByRole('textbox', { name: 'Webhook URL' });
  await address.fill('http://heron.invalid/');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByText('The URL did not accept the message').waitFor();
  await address.fill(receiver.url);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByTestId('webhook-secret').waitFor();
  const [{ code = '' } = {}] = posted();
  await checkPage(page, 'phone-notify-proof');
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('checkbox', { name: 'Stop' }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'Trade' }).isChecked()).toBe(false);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('Test sent. Check whether it arrives.').waitFor();
  expect(posted().at(-1)?.type).toBe('test');

  await page.getByRole('combobox', { name: 'Bots' }).selectOption({ label: 'Caller' });
  await page.getByRole('button', { name: 'Choose for this bot' }).click();
  await page.getByRole('checkbox', { name: 'Trade' }).check();
  await page.getByRole('button', { name: 'Same as all bots' }).waitFor();
  await checkPage(page, 'phone-notify-settings');
  await expect.poll(() => kindsOfBot(page), WAIT).toContain('fill');
  await trade(page, id, 'buy');
  await expect.poll(() => posted().at(-1)?.notices?.[0], WAIT).toMatchObject({ kind: 'fill', bot: id });
  expect(posted().at(-1)?.text).toMatch(/^Heron, trade: Caller \(paper, demo market\)\n/);

  await page.goto(`${testbed.heron.url}/bots/`);
  // The bot buys so far above the market that its stop sells as soon as the price stops rising.
  const stopped = await makeBot(page, 'Stumbler', { stop_sell: [{ profit: 0.1, stop: 100 }], avg_slippage_pct: 0.1 });
  await startBot(page, stopped);
  const stumbler = page.getByTestId('bot-card').filter({ hasText: 'Stumbler' });
  await stumbler.locator('[data-status=working]').waitFor();
  await trade(page, stopped, 'buy');
  const alarm = page.getByTestId('bot-card').getByTestId('bot-alarms');
  const alarmAppears = async () => {
    const seen = alarm.getByText('1 alert', { exact: true }).waitFor({ timeout: 15_000 });
    return seen.then(
      () => true,
      () => false,
    );
  };
  while (!(await alarmAppears())) {
    // The market has risen away from the stop. The test sells and buys again nearer to it, unless the stop has just sold.
    const [sold] = await Promise.allSettled([trade(page, stopped, 'sell')]);
    if (sold.status === 'rejected') continue;
    await stumbler.getByText('0 / 1').waitFor();
    await trade(page, stopped, 'buy');
  }
  await alarm.getByText(/^Stop · BTC-USDT Sold/).waitFor();
  await checkPage(page, 'phone-home-alarm');

  const chinese = await openContext(testbed.browser, {
    ...{ locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
    storageState: await context.storageState(),
  });
  const desk = await chinese.newPage();
  desk.setDefaultTimeout(90_000);
  await desk.goto(`${testbed.heron.url}/notify-settings/`);
  await desk.getByRole('checkbox', { name: '止损' }).waitFor();
  await checkPage(desk, 'desktop-notify-settings');
  await desk.goto(`${testbed.heron.url}/bot/${stopped}/`);
  await desk.getByTestId('bot-alarms').getByText('1 条重要通知').waitFor();
  await checkPage(desk, 'desktop-bot-alarm');
  await desk.getByTestId('bot-alarms').click();
  await desk.getByRole('heading', { name: 'Stumbler 的重要通知' }).waitFor();
  await desk.getByTestId('notifications').getByText('止损', { exact: true }).waitFor();
  await checkPage(desk, 'desktop-bot-alarms');
  // An alert that was seen on the desktop is seen on the phone too.
  await alarm.waitFor({ state: 'detached' });
  await desk.goto(`${testbed.heron.url}/notify-settings/`);
  await desk.getByRole('button', { name: '移除' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: '移除' }).click();
  await desk.getByTestId('notify-channel').waitFor({ state: 'detached' });
  await receiver.stop();
});

/** Redirects push subscriptions of the browser to the tests' push service, because the real one is unreachable. */
async function subscribable(context: BrowserContext): Promise<void> {
  await context.grantPermissions(['notifications'], { origin: testbed.heron.url });
  const { endpoint, p256dh, auth } = pushes.subscribe();
  await context.addInitScript(
    (keys) => {
      let subscribed: object | null = null;
      PushManager.prototype.subscribe = async ({ applicationServerKey } = {}) => {
        const toJSON = () => ({ keys: { p256dh: keys.p256dh, auth: keys.auth } });
        const made = {
          endpoint: keys.endpoint,
          options: { applicationServerKey },
          toJSON,
          unsubscribe: async () => true,
        };
        subscribed = made;
        return made as unknown as PushSubscription;
      };
      PushManager.prototype.getSubscription = async () => subscribed as PushSubscription | null;
    },
    { endpoint, p256dh, auth },
  );
}

/** Delivers the latest push message to the app's service worker, as a browser does. */
async function deliverLast(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  const known = Promise.withResolvers<string>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId, scopeURL } of registrations)
      if (scopeURL.startsWith(testbed.heron.url)) known.resolve(registrationId);
  });
  await session.send('ServiceWorker.enable');
  const [registrationId, data] = [await known.promise, pushes.received.at(-1)?.text ?? ''];
  await session.send('ServiceWorker.deliverPushMessage', { origin: testbed.heron.url, registrationId, data });
  await session.detach();
}

const shownBy = (page: Page) =>
  page.evaluate(async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications();
    return shown.map(({ title, body }) => ({ title, body }));
  });

test('a push without amounts opens its bot, and a Telegram chat is connected by code', async () => {
  const [{ width, height }] = SCREENS;
  const context = await openContext(testbed.browser, { viewport: { width, height }, serviceWorkers: 'allow' });
  await subscribable(context);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Carrier');
  const id = await makeBot(page, 'Pocket');
  await startBot(page, id);
  await page.locator('[data-status=working]').first().waitFor();
  await page.locator('.tabs').getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('link', { name: 'Notification settings' }).click();
  await page.getByRole('button', { name: 'Notify on this device' }).click();
  await page.getByText('This device', { exact: true }).waitFor();
  expect(JSON.parse(pushes.received[0]?.text ?? '{}')).toMatchObject({ title: 'Heron, notifications are on' });
  await page.getByRole('checkbox', { name: 'Trade' }).check();
  await page.getByRole('button', { name: 'Connect Telegram' }).click();
  const code = (await page.getByTestId('chat-code').textContent()) ?? '';
  expect(await page.getByRole('link', { name: 'Open Telegram' }).getAttribute('href')).toBe(
    `https://t.me/heron_test_bot?start=${code.replace('/start ', '')}`,
  );
  await checkPage(page, 'phone-notify-chat');
  telegram.write(77, code);
  await page.getByText('@reader_one').waitFor();
  await page.getByRole('combobox', { name: 'Commands in the chat' }).selectOption('stop');
  await page.getByText('Write /status or /halt in the chat.').waitFor();
  await checkPage(page, 'phone-notify-devices');
  const reply = () => telegram.sent.at(-1)?.text ?? '';
  telegram.write(77, '/status');
  await expect.poll(reply, WAIT).toContain('Pocket\nRunning · Paper · binance-demo');
  await expect.poll(async () => (await channels(page))[0]?.kinds, WAIT).toContain('fill');

  await trade(page, id, 'buy');
  await expect.poll(() => pushes.received.length, WAIT).toBe(2);
  const expected = { title: 'Heron, trade: Pocket (paper, demo market)', body: 'Bought BTC-USDT.' };
  const delivered = async () => {
    // The browser drops a message when the worker does not start in time, which happens on a busy machine.
    if ((await shownBy(page)).length === 0) await deliverLast(context, page);
    return shownBy(page);
  };
  await expect.poll(delivered, { timeout: 60_000, interval: 2_000 }).toEqual([expected]);
  // A headless browser has no visible notifications, so the test dispatches the click event to the worker.
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(`(async () => {
    const [notification] = await registration.getNotifications();
    dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  })()`);
  await page.waitForURL(`**/bot/${id}/`);
  await expect.poll(() => shownBy(page), WAIT).toEqual([]);

  const chinese = await openContext(testbed.browser, {
    serviceWorkers: 'allow',
    ...{ locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
    storageState: await context.storageState(),
  });
  const desk = await chinese.newPage();
  desk.setDefaultTimeout(90_000);
  await desk.goto(`${testbed.heron.url}/notify-settings/`);
  await desk.getByText('@reader_one').waitFor();
  await checkPage(desk, 'desktop-notify-devices');

  // The chat stops the bot, once its code is sent back.
  telegram.write(77, `/stop_${id}`);
  await expect.poll(reply, WAIT).toContain('Stop “Pocket”?');
  telegram.write(77, /\/confirm_\d{4}/.exec(reply())?.[0] ?? '');
  await expect.poll(reply, WAIT).toBe('“Pocket” is stopped.');
  await page.getByTestId('bot-status').and(page.locator('[data-status=finished]')).waitFor();
});
