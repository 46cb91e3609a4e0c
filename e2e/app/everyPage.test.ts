import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { appTestbed, PASSWORD } from './appTestbed.ts';
import { makeBot, post, saveDemoKey, startBot } from './botRequests.ts';
import { EVERY_SCREEN, IPHONE, openContext } from './browser.ts';
import { axeViolations, saveScreenshot } from './checkPage.ts';
import { layoutFaults } from './layoutFaults.ts';
import { createAdministrator, registerUser } from './userRequests.ts';

const testbed = appTestbed();
const CLIENT = path.join(import.meta.dirname, '..', '..', 'apps', 'client', 'src');

/** Bots for the pages: a paper bot with a position, a live bot on the demo market, and a live bot that never ran. */
type Name = 'PAPER' | 'LIVE' | 'IDLE';
const bots: Record<Name, string> = { PAPER: '', LIVE: '', IDLE: '' };

/** A path without a route. */
const ELSEWHERE = 'elsewhere';

/** Maps each route to the path at which it is tested. Routes for visitors come first, while nobody is logged in. */
const VISITS: Readonly<Record<string, string>> = {
  '/': '/',
  '/user-login/': '/user-login/',
  '/user-login/wechat/': '/user-login/wechat/',
  '/user-login/apple/': '/user-login/apple/',
  '/user-register/': '/user-register/',
  '/setup/:token/': '/setup/nobody-knows-this/',
  '/user-forget-password/': '/user-forget-password/',
  '/user-forget-password-tel/': '/user-forget-password-tel/',
  '/user-forget-password-email/': '/user-forget-password-email/',
  '/user-forget-password-reset/': '/user-forget-password-reset/',
};
const MEMBER_VISITS: Readonly<Record<string, string>> = {
  '/bots/': '/bots/',
  '/bots-manage/': '/bots-manage/',
  '/bot-add/': '/bot-add/',
  '/bot-add/from/:from/': '/bot-add/from/LIVE/',
  '/bot-edit/:id/': '/bot-edit/PAPER/',
  '/bot/:id/': '/bot/PAPER/',
  '/portfolio/': '/portfolio/',
  '/notify-index/': '/notify-index/',
  '/notify-index/:bot/': '/notify-index/PAPER/',
  '/notify-settings/': '/notify-settings/',
  '/exchange-index/': '/exchange-index/',
  '/host-add/': '/host-add/',
  '/exchange-add/': '/exchange-add/',
  '/exchange-add/:venue/': '/exchange-add/mexc-demo/',
  '/user-edit/': '/user-edit/',
  '/user-edit-password/': '/user-edit-password/',
  '/user-contact/': '/user-contact/',
  '/user-identities/': '/user-identities/',
  '/user-sessions/': '/user-sessions/',
  '/user-tokens/': '/user-tokens/',
  '/user-second-factor/': '/user-second-factor/',
  '/user-delete/': '/user-delete/',
  '/manage-users/': '/manage-users/',
  '/manage-audit/': '/manage-audit/',
  '/manage-settings/': '/manage-settings/',
  '/manage-outbox/': '/manage-outbox/',
  '/manage-proxies/': '/manage-proxies/',
  '/help-list-term/:tid/': '/help-list-term/17900/',
  '/setting-index/': '/setting-index/',
  '/setting-normal/': '/setting-normal/',
  '/setting-theme/': '/setting-theme/',
  '/setting-about/': '/setting-about/',
  '/setting-terms/': '/setting-terms/',
  '/setting-privacy/': '/setting-privacy/',
  [ELSEWHERE]: '/nowhere/',
};

const press = (page: Page, name: RegExp) =>
  page.locator('.page:not([inert])').getByRole('button', { name }).locator('visible=true').first().click();

const openTab = (page: Page, name: RegExp) => page.locator('.page:not([inert])').getByRole('tab', { name }).click();

/** Maps the source file of each overlay to its page and the action that opens it. */
const OVERLAYS: Readonly<Record<string, { at: string; open: (page: Page) => Promise<unknown> }>> = {
  'ui/HelpButton.tsx': { at: '/bot-add/', open: (page) => press(page, /^(About|说明：)/) },
  'features/botSetup/add/ImportSheet.tsx': { at: '/bot-add/', open: (page) => press(page, /^(Import|导入)$/) },
  'features/backtest/BacktestSheet.tsx': {
    at: '/bot-edit/PAPER/',
    open: (page) => press(page, /^(Backtest|回测)$/),
  },
  'features/botPage/RenameBot.tsx': {
    at: '/bot/PAPER/',
    async open(page) {
      await openTab(page, /^(Setup|配置)$/);
      await press(page, /^(Rename|重命名)$/);
    },
  },
  'features/botPage/StopDialog.tsx': { at: '/bot/PAPER/', open: (page) => press(page, /^(Stop|停止)$/) },
  'features/botPage/order/OrderSheet.tsx': { at: '/bot/PAPER/', open: (page) => press(page, /^(Buy|买入)$/) },
  'features/botPage/order/PriceExitSheet.tsx': {
    at: '/bot/PAPER/',
    open: (page) => press(page, /^(Set stop-loss or take-profit|设置止盈止损)$/),
  },
  'features/chart/ChartOptionsSheet.tsx': {
    at: '/bot/PAPER/',
    open: (page) => press(page, /^(Chart options|图表设置)$/),
  },
  'features/chart/ChartPanel.tsx': {
    at: '/bot/PAPER/',
    open: (page) => press(page, /^(Open full screen|全屏显示图表)$/),
  },
  'features/chart/IndicatorsSheet.tsx': { at: '/bot/PAPER/', open: (page) => press(page, /^(Indicators|指标)$/) },
  'features/manyBots/BulkDialog.tsx': {
    at: '/bots-manage/',
    async open(page) {
      await page.getByRole('checkbox', { name: /^(All bots|全部机器人)$/ }).check();
      await press(page, /^(Stop|停止)[（ ]/);
    },
  },
  'entities/bot/LiveStartDialog.tsx': { at: '/bot/IDLE/', open: (page) => press(page, /^(Start|启动)$/) },
  'features/killSwitch/KillSheet.tsx': { at: '/bot/LIVE/', open: (page) => press(page, /^(Kill switch|紧急停止)$/) },
  'ui/toasts.tsx': { at: '/setting-normal/', open: (page) => press(page, /^(Clear all data|清除所有数据)$/) },
  'features/accounts/manage/SortSheet.tsx': {
    at: '/manage-users/',
    open: (page) => press(page, /^(Registration|注册时间)/),
  },
  'features/accounts/manage/RoleSheet.tsx': { at: '/manage-users/', open: (page) => press(page, /^(Role|角色): /) },
  'features/accounts/manage/ProxiesScreen.tsx': {
    at: '/manage-proxies/',
    open: (page) => press(page, /^(Change|更改)/),
  },
  'features/accounts/security/TotpSetup.tsx': {
    at: '/user-second-factor/',
    open: (page) => press(page, /^(Set up|设置)$/),
  },
  'app/ScreenOverlay.tsx': {
    at: '/setting-about/',
    // The overlay opens as if the user followed a link to it.
    open: (page) => page.goto(`${testbed.heron.url}/app-sheet/?url=/setting-terms/`),
  },
  // This entry comes last, because leaving the page with changes opens a confirmation.
  'features/botSetup/edit/ChangeReview.tsx': {
    at: '/bot-edit/PAPER/',
    async open(page) {
      await page.getByRole('combobox', { name: /^(Timeframe|K线周期)$/ }).selectOption('1h');
      await press(page, /^(Review changes|核对修改)$/);
    },
  },
};

/** Maps the source files of the other overlays to the tests that open them. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'app/ShortcutSheet.tsx': 'shortcuts.test.ts',
  'app/PrivacyDialog.tsx': 'accountsSignIn.test.ts',
  'features/accounts/ProofSheet.tsx': 'accountsSecurity.test.ts',
  'features/accounts/security/RecoveryCodes.tsx': 'accountsSecurity.test.ts',
  'features/accounts/security/PasskeyRows.tsx': 'accountsSecurity.test.ts',
};

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

/**
 * Devices and languages for every page: a phone in Chinese, a desktop, a phone in English, and a small phone with text twice
 * as large. English has the longest words. axe checks only the first two, because colours and names are the same on the
 * others.
 */
const DISPLAYS = [
  {
    name: 'iphone',
    theme: 'light',
    userAgent: IPHONE,
    size: [390, 844],
    locale: 'zh-CN',
    text: 16,
    axe: true,
  },
  { name: 'desktop', theme: 'dark', size: [1280, 800], locale: 'en-US', text: 16, axe: true },
  {
    name: 'english',
    theme: 'light',
    userAgent: ANDROID,
    size: [360, 740],
    locale: 'en-US',
    text: 16,
    axe: false,
  },
  {
    name: 'large',
    theme: 'light',
    userAgent: ANDROID,
    size: [320, 640],
    locale: 'en-US',
    text: 32,
    axe: false,
  },
] as const;
type Display = (typeof DISPLAYS)[number];

test('every address of the app, and every overlay, has a visit', async () => {
  const routes = await readFile(path.join(CLIENT, 'app', 'routes.ts'), 'utf8');
  const patterns = [...routes.matchAll(/^ {2}\[\s*'(\/[^']*)'/gm)].map(([, pattern]) => pattern);
  const addresses = ['/', ...patterns, ELSEWHERE];
  expect(Object.keys({ ...VISITS, ...MEMBER_VISITS }).sort()).toEqual(addresses.sort());
  const showing: string[] = [];
  for (const file of await readdir(CLIENT, { recursive: true }))
    if (file.endsWith('.tsx') && (await readFile(path.join(CLIENT, file), 'utf8')).includes('<Overlay'))
      showing.push(file);
  expect(Object.keys({ ...OVERLAYS, ...TESTED_ELSEWHERE }).sort()).toEqual(showing.sort());
});

describe('every page', () => {
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;

  beforeAll(async () => {
    await createAdministrator(testbed.heron);
    await registerUser(testbed.heron, 'Guest');
    const context = await openContext(testbed.browser);
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await page.goto(`${testbed.heron.url}/user-login/`);
    await page.getByLabel('Account').fill('Keeper');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('No bots yet').waitFor();
    bots.PAPER = await makeBot(page, 'Morning trend', { watch_pairs: 'BTC-USDT,ETH-USDT' });
    await startBot(page, bots.PAPER);
    const account = { key: await saveDemoKey(page, testbed.installation), allotment: '2000' };
    bots.LIVE = await makeBot(page, 'Careful', { mode: 'live' }, account);
    bots.IDLE = await makeBot(page, 'Waiting', { mode: 'live' }, account);
    await post(page, `/bot/bots/${bots.LIVE}/start`, { confirm: 'Careful' });
    await page.goto(`${testbed.heron.url}/bot/${bots.PAPER}/`);
    await page.getByRole('button', { name: 'Buy', exact: true }).and(page.locator(':enabled')).first().click();
    await page.getByLabel('Amount', { exact: true }).fill('500');
    await page.getByRole('button', { name: 'Review buy' }).click();
    await page.getByRole('button', { name: 'Confirm buy' }).click();
    await page.locator('[data-testid=position][data-open=true]').waitFor();
    signedIn = await context.storageState();
    await context.close();
  });

  /** Opens a page with these display settings, and collects the errors on it. */
  async function open(display: Display, member: boolean) {
    const { userAgent } = { userAgent: undefined, ...display };
    const [width, height] = display.size;
    const context = await openContext(testbed.browser, {
      ...{
        viewport: { width, height },
        locale: display.locale,
        colorScheme: display.theme,
        hasTouch: userAgent !== undefined,
      },
      ...(userAgent && { userAgent }),
      ...(member && { storageState: signedIn }),
    });
    // The flag marks the privacy question of the first phone run as answered.
    await context.addInitScript(() => localStorage.setItem('heron.privacy', '1'));
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    const wrong: string[] = [];
    page.on('pageerror', ({ message }) => wrong.push(`${page.url()}: ${message}`));
    page.on('console', (message) => {
      const { url } = message.location();
      // The browser logs each error response, for example to the identity request before a login.
      const isNo = message.text().startsWith('Failed to load resource') && /\/api\/\w+\/\w+$/.test(url);
      if (message.type() === 'error' && !isNo) wrong.push(`${page.url()}: console: ${message.text()}`);
    });
    if (display.text !== 16) {
      const devtools = await context.newCDPSession(page);
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: display.text, fixed: display.text } });
    }
    await page.goto(`${testbed.heron.url}/setting-about/`);
    await page.locator('h1').waitFor({ state: 'attached' });
    return { page, wrong, close: () => context.close() };
  }

  /** Opens a page by a history change, which is faster than loading the app again. */
  async function navigate(page: Page, address: string): Promise<void> {
    const to = address.replace(/PAPER|LIVE|IDLE/, (name) => bots[name as Name]);
    await page.evaluate((path) => {
      if (location.pathname !== path) document.querySelector('.page:not([inert])')?.setAttribute('data-left', '');
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, to);
    await page.locator('.page:not([inert], [data-left]) h1').waitFor({ state: 'attached' });
    await settled(page);
  }

  const settled = (page: Page) =>
    page.waitForFunction(() => {
      const front = document.querySelector('dialog[open], .page:not([inert])');
      return front !== null && front.querySelector('.skeleton, [aria-busy=true], .status-busy') === null;
    });

  /** Switches the theme of the device, and waits until the page has its colours. */
  async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
    await drawn(page);
  }

  /** Waits two frames, because even with reduced motion a change takes a moment. */
  const drawn = (page: Page) =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

  /** Returns layout faults and axe violations, with the colour contrast checked in both themes. */
  async function pageFaults(display: Display, page: Page, name: string): Promise<string[]> {
    await drawn(page);
    const found = await layoutFaults(page);
    const moving = await page.evaluate(
      () => document.getAnimations().filter(({ effect }) => Number(effect?.getTiming().duration) > 10).length,
    );
    if (moving > 0) found.push(`${moving} animations despite reduced motion`);
    await saveScreenshot(page, `${display.name}${name.replaceAll(/\W/g, '-')}`);
    if (display.axe) {
      found.push(...(await axeViolations(page)));
      if (display.name === 'iphone') {
        // The other theme differs only in colours.
        await setTheme(page, 'dark');
        await saveScreenshot(page, `${display.name}${name.replaceAll(/\W/g, '-')}-dark`);
        found.push(...(await axeViolations(page, { runOnly: ['color-contrast'] })).map((fault) => `dark: ${fault}`));
        await setTheme(page, 'light');
      }
    }
    return found.map((fault) => `${name}: ${fault}`);
  }

  test.each(DISPLAYS.filter(({ name }) => name !== 'desktop' || EVERY_SCREEN))(
    'is complete with $name',
    async (display) => {
      for (const member of [false, true]) {
        const { page, wrong, close } = await open(display, member);
        for (const address of Object.values(member ? MEMBER_VISITS : VISITS)) {
          await navigate(page, address);
          wrong.push(...(await pageFaults(display, page, address)));
        }
        if (member)
          for (const [file, overlay] of Object.entries(OVERLAYS)) {
            await navigate(page, overlay.at);
            await overlay.open(page);
            await page.locator('dialog[open]').waitFor();
            await settled(page);
            wrong.push(...(await pageFaults(display, page, `over ${path.basename(file)}`)));
            await page.keyboard.press('Escape');
            await page.locator('dialog[open]').waitFor({ state: 'detached' });
          }
        expect(wrong).toEqual([]);
        await close();
      }
    },
  );
});
