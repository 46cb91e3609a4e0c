import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { register } from './appTestbed.ts';
import { makeBot, post, saveDemoKey, trade } from './botRequests.ts';
import { launchBrowser, openContext, SCREENS } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { freeMarketPort, type Installation, preparedInstallation, type RunningHeron, startHeron } from './heron.ts';

const DISPLAYS = {
  desktop: { locale: 'en-US', timezoneId: 'America/New_York' },
  phone: { locale: 'zh-CN', timezoneId: 'Asia/Shanghai' },
} as const;
const LABELS = {
  desktop: {
    banned: 'The exchange has banned this IP address until',
    holds: 'Stop orders already at the exchange stay in force.',
    reachable: 'Receiving prices',
  },
  phone: { banned: '交易所封禁了本机的 IP 地址，直到', holds: '已在交易所的止损单仍然有效。', reachable: '行情正常' },
} as const;

/** Remaining duration of a ban that a test needs, in ms. */
const NEEDED_MS = 60_000;

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false } as const;

let installation: Installation;
let heron: RunningHeron;
let browser: Browser;
let owner: BrowserContext;
let page: Page;
let bot: string;
let market: string;

const detail = () =>
  page.evaluate(async (path) => (await fetch(path)).json() as Promise<BotDetail>, `/bot/bots/${bot}`);

async function until(question: () => Promise<unknown>, what: string, forMs = 60_000): Promise<void> {
  for (const end = Date.now() + forMs; Date.now() < end; await delay(250)) if (await question()) return;
  throw new Error(`timed out waiting for ${what}`);
}

/**
 * Exceeds the demo market's request limit until it bans this address, as Binance does: first for two minutes, then for four.
 */
async function provokeBan(): Promise<void> {
  for (let times = 0; times < 4; times++) {
    const asked = Array.from({ length: 100 }, async () => {
      const answer = await fetch(`${market}/api/v3/ticker/24hr`);
      await answer.arrayBuffer();
      return answer.status;
    });
    // The requests run at once, so that no other request comes in between.
    if ((await Promise.all(asked)).includes(418)) return;
  }
  throw new Error('the demo market bans nobody');
}

beforeAll(async () => {
  installation = await preparedInstallation();
  const port = await freeMarketPort();
  market = `http://127.0.0.1:${port}`;
  [heron, browser] = await Promise.all([startHeron(installation, {}, port), launchBrowser()]);
  owner = await openContext(browser);
  page = await owner.newPage();
  page.setDefaultTimeout(60_000);
  await register(page, heron, 'Owner');
  const key = await saveDemoKey(page, installation);
  bot = await makeBot(page, 'Careful', { mode: 'live' }, { key, allotment: '2000' });
  await post(page, `/bot/bots/${bot}/start`, { confirm: 'Careful' });
  await until(async () => (await detail()).status === 'working', 'the bot to work');
  await trade(page, bot, 'buy');
  await until(async () => (await detail()).pairViews[0]?.position?.stop?.resting, 'its stop order');
}, 240_000);

/**
 * Ensures a ban that is long enough for a test. After a 429 response the bot pauses until the minute ends. If too little of a
 * ban is left, the hook waits for its end and provokes a longer one.
 */
beforeEach(
  () =>
    until(
      async () => {
        const { pause } = await detail();
        if (pause === null) await provokeBan();
        return pause?.banned && pause.until - Date.now() > NEEDED_MS;
      },
      'the bot to know of the ban',
      280_000,
    ),
  300_000,
);

afterAll(async () => {
  await browser?.close();
  await heron?.stop();
  await installation?.remove();
});

/** Returns whether the text shows the end of the ban in the user's time zone. */
function namesEnd(
  text: string,
  until: number,
  { locale, timezoneId }: (typeof DISPLAYS)[keyof typeof DISPLAYS],
): boolean {
  const time = new Intl.DateTimeFormat(locale, { ...CLOCK, timeZone: timezoneId }).format(until);
  const spaceless = (value: string) => value.replaceAll(/\s/g, '');
  return spaceless(text).includes(spaceless(time));
}

describe.each(SCREENS)('a ban by an exchange, on a $name', ({ name, width, height }) => {
  test('is shown with its end in local time and language, and with its consequences', async () => {
    const display = DISPLAYS[name];
    const labels = LABELS[name];
    const context = await openContext(browser, {
      ...{ viewport: { width, height }, hasTouch: name === 'phone', ...display },
      storageState: await owner.storageState(),
    });
    const screen = await context.newPage();
    screen.setDefaultTimeout(60_000);
    const pause = (await detail()).pause;
    expect(pause?.banned).toBe(true);

    await screen.goto(`${heron.url}/exchange-index/`);
    const card = screen.locator('[data-venue="binance-demo"]');
    for (const [where, notice] of [
      ['exchanges', card.getByTestId('exchange-pause')],
      ['bot', screen.locator('.page:not([inert])').getByTestId('exchange-pause')],
    ] as const) {
      if (where === 'bot') await screen.goto(`${heron.url}/bot/${bot}/`);
      await notice.getByText(labels.banned).waitFor();
      await notice.getByText(labels.holds).waitFor();
      expect(Number(await notice.getAttribute('data-until'))).toBe(pause?.until);
      const text = String(await notice.textContent());
      expect(namesEnd(text, pause?.until ?? 0, display), text).toBe(true);
      if (where === 'exchanges') {
        const other = screen.locator('[data-venue="mexc-demo"]');
        await other.getByTestId('exchange-health').getByText(labels.reachable).waitFor();
        expect(await other.getByTestId('exchange-pause').count()).toBe(0);
        await card.scrollIntoViewIfNeeded();
      }
      await checkPage(screen, `${name}-ban-${where}`);
    }
    await context.close();
  });
});

test('keeps the kill switch, which is recorded and runs after the ban', async () => {
  await page.goto(`${heron.url}/bot/${bot}/`);
  await page.locator('.page:not([inert])').getByRole('button', { name: 'Kill switch' }).click();
  const sheet = page.getByRole('dialog', { name: 'Kill switch' });
  await sheet.getByRole('radio', { name: 'Cancel and sell' }).check();
  await sheet.getByRole('button', { name: 'Sell now' }).click();
  await sheet
    .getByText(/takes no requests until .*; orders are cancelled and positions sold then/)
    .waitFor({ timeout: 60_000 });
  await checkPage(page, 'desktop-ban-kill');
  const { pairViews } = await detail();
  expect(pairViews[0]?.position?.stop?.resting).toBe(true);
});
