import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appTestbed, register } from './appTestbed.ts';
import { makeBot, post, saveDemoKey, startBot, trade } from './botRequests.ts';
import { IPHONE, openContext, SCREENS } from './browser.ts';
import { saveScreenshot } from './checkPage.ts';
import { comparePicture } from './comparePicture.ts';
import { freezePage } from './freezePage.ts';

const testbed = appTestbed();

/** Bots for the pictures: one with a position, one without trades, and a stopped one with a loss. */
type Name = 'HOLDING' | 'WATCHING' | 'STOPPED';
const bots: Record<Name, string> = { HOLDING: '', WATCHING: '', STOPPED: '' };

/** Combinations of screen and language. */
const CHINESE_PHONE = { screen: SCREENS[0], locale: 'zh-CN', userAgent: IPHONE, hasTouch: true };
const PHONE = { ...CHINESE_PHONE, locale: 'en-US' };
const DESK = { screen: SCREENS[1], locale: 'en-US' };
const CHINESE_DESK = { ...DESK, locale: 'zh-CN' };

/** A user with bots, a user who has just registered, and a visitor. */
type Who = 'trader' | 'newcomer' | 'visitor';

/** A state of a screen: its name, its path, and the action that shows an overlay or a lower part. */
interface State {
  readonly name: string;
  readonly on: typeof PHONE | typeof DESK;
  readonly who?: Who;
  readonly at: string;
  readonly open?: (page: Page) => Promise<unknown>;
}

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).and(page.locator(':enabled')).locator('visible=true').first().click();

const STATES: readonly State[] = [
  { name: 'login', on: CHINESE_PHONE, who: 'visitor', at: '/user-login/' },
  { name: 'home', on: CHINESE_PHONE, at: '/bots/' },
  { name: 'position', on: CHINESE_PHONE, at: '/bot/HOLDING/' },
  {
    name: 'new-bot',
    on: PHONE,
    at: '/bot-add/',
    open: (page) => page.getByRole('radio', { name: 'Testnet' }).waitFor(),
  },
  { name: 'order', on: PHONE, at: '/bot/HOLDING/', open: (page) => press(page, 'Buy') },
  { name: 'watching', on: DESK, at: '/bot/WATCHING/' },
  {
    ...{ name: 'results', on: DESK, at: '/bot/STOPPED/' },
    async open(page) {
      await page.getByRole('tab', { name: 'Results' }).click();
      const results = page.getByTestId('results');
      await results.getByTestId('result-row').first().waitFor();
      await results.evaluate((element) => element.scrollIntoView());
    },
  },
  { name: 'exchanges', on: DESK, at: '/exchange-index/' },
  { name: 'empty', on: CHINESE_DESK, who: 'newcomer', at: '/bots/' },
  {
    ...{ name: 'review', on: CHINESE_DESK, at: '/bot-edit/WATCHING/' },
    async open(page) {
      await page.getByRole('combobox', { name: '周期' }).selectOption('1h');
      await press(page, '核对修改');
    },
  },
  { name: 'theme', on: CHINESE_DESK, at: '/setting-theme/' },
  // This entry comes last, because opening the list marks all notifications as seen.
  { name: 'notifications', on: CHINESE_PHONE, at: '/notify-index/' },
];

describe('looks as on its picture, in light and dark:', () => {
  const known: Partial<Record<Who, Awaited<ReturnType<BrowserContext['storageState']>>>> = {};
  /** Maps each combination of person and screen to its page. */
  const pages = new Map<string, Page>();
  let easel: Page;

  beforeAll(async () => {
    easel = await testbed.browser.newPage();
    const people = (['trader', 'newcomer'] as const).map(async (who) => {
      const context = await openContext(testbed.browser);
      const page = await context.newPage();
      page.setDefaultTimeout(90_000);
      await register(page, testbed.heron, who);
      if (who === 'trader') await makeBots(page);
      known[who] = await context.storageState();
      await context.close();
    });
    await Promise.all(people);
  }, 240_000);

  afterAll(async () => {
    for (const page of [easel, ...pages.values()]) await page.context().close();
  });

  async function makeBots(page: Page): Promise<void> {
    const card = (name: string) => page.getByTestId('bot-card').filter({ hasText: name });
    const isSeen = (name: string, status: string) => card(name).locator(`[data-status=${status}]`).waitFor();
    bots.HOLDING = await makeBot(page, 'Morning trend', { watch_pairs: 'BTC-USDT,ETH-USDT' });
    // Its signals come at most every four hours, so it hardly ever trades during these tests.
    bots.WATCHING = await makeBot(page, 'Calm', { strategy: 'macd', period: '4h' });
    // This bot loses money whatever the market does.
    bots.STOPPED = await makeBot(page, 'Stumbler', { avg_slippage_pct: 0.1 });
    const account = { key: await saveDemoKey(page, testbed.installation), allotment: '2000' };
    // This bot does not run, because its account messages would arrive at a random time.
    await makeBot(page, 'Careful', { mode: 'live' }, account);
    await Promise.all(Object.values(bots).map((id) => startBot(page, id)));
    for (const name of ['Morning trend', 'Calm', 'Stumbler']) await isSeen(name, 'working');
    await trade(page, bots.STOPPED, 'buy');
    await card('Stumbler').getByText('1 / 1').waitFor();
    await trade(page, bots.STOPPED, 'sell');
    await card('Stumbler').getByText('0 / 1').waitFor();
    await post(page, `/bot/bots/${bots.STOPPED}/stop`, {});
    await isSeen('Stumbler', 'finished');
    await trade(page, bots.HOLDING, 'buy');
    await card('Morning trend').getByText('1 / 2').waitFor();
  }

  async function pageOf({ on, who = 'trader' }: State): Promise<Page> {
    const { screen, ...device } = on;
    const key = `${who} ${screen.name} ${device.locale}`;
    const there = pages.get(key);
    if (there) return there;
    const { [who]: storageState } = known;
    const context = await openContext(testbed.browser, {
      ...{ ...device, viewport: { width: screen.width, height: screen.height } },
      ...(storageState && { storageState }),
    });
    // The flag marks the privacy question of the first phone run as answered.
    await context.addInitScript(() => localStorage.setItem('heron.privacy', '1'));
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    pages.set(key, page);
    return page;
  }

  test.each(STATES)('$name', async (state) => {
    const page = await pageOf(state);
    await page.goto(testbed.heron.url + state.at.replace(/[A-Z]+/, (name) => bots[name as Name]));
    await settled(page);
    await state.open?.(page);
    await settled(page);
    await inBothThemes(page, (theme) => saveScreenshot(page, `${state.name}-${theme}`));
    await freezePage(page);
    const faults: string[] = [];
    await inBothThemes(page, async (theme) => {
      const fault = await comparePicture(page, easel, `${state.name}-${theme}`);
      if (fault !== null) faults.push(fault);
    });
    expect(faults).toEqual([]);
  });

  const settled = (page: Page) =>
    page.waitForFunction(() => {
      const front = document.querySelector('dialog[open], .page:not([inert]):has(h1)');
      return front !== null && front.querySelector('.skeleton, [aria-busy=true], .status-busy') === null;
    });

  async function inBothThemes(page: Page, act: (theme: 'light' | 'dark') => Promise<void>): Promise<void> {
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
      await act(theme);
    }
  }
});
