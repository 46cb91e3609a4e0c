import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { field, register } from './appTestbed.ts';
import { launchBrowser, screens } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { type ClientServer, startClientServer } from './clientServer.ts';
import { button, pageTestbed } from './pageTestbed.ts';

const { testbed, open } = pageTestbed({ serviceWorkers: 'allow' });
let server: ClientServer;
let users = 0;
const WAIT = { timeout: 60_000, interval: 200 };

beforeEach(async () => {
  server = await startClientServer(testbed.heron.url);
});
afterEach(() => server.remove());

/** Registers a user and starts a bot named Heartbeat. */
async function withBot(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await open('/setting-about/', options);
  await register(page, { ...testbed.heron, url: server.url }, `Away ${++users}`.replace(' ', '_'));
  await page.getByRole('link', { name: 'New bot' }).click();
  await field(page, 'Name').fill('Heartbeat');
  // With another strategy, the bot could buy by itself and disturb the test.
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('manual');
  await button(page, 'Create and start').click();
  await page.locator('[data-testid=bot-status][data-status=working]').waitFor();
  return page;
}

/** Waits until the device has stored the running bot and the list, and the service worker is ready. */
async function untilStored(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(storedKinds), WAIT).toEqual(expect.arrayContaining(['bot working', 'bots']));
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

/** Runs in the page: returns the kinds of stored data. */
function storedKinds(): Promise<unknown[]> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('heron', 1);
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => resolve([]);
    opening.onsuccess = () => {
      const asked = opening.result.transaction('kept').objectStore('kept').get('last');
      asked.onsuccess = () => {
        opening.result.close();
        const answers: { key: unknown[]; data: { status?: string } }[] = asked.result?.answers ?? [];
        resolve(answers.map(({ key: [kind], data }) => (kind === 'bot' ? `bot ${data.status}` : kind)));
      };
    };
  });
}

/** Waits until the device stores no data. */
async function untilNothingStored(page: Page): Promise<void> {
  const names = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await expect.poll(names, WAIT).not.toContain('heron');
}

const build = (page: Page) => page.locator('meta[name=heron-build]').getAttribute('content');

describe.each(screens('desktop'))('without a server, on a $name', ({ name, width, height }) => {
  const viewport = { width, height };

  test('the app starts with cached data, shows their age, and acts once reconnected', async () => {
    const page = await withBot({ viewport });
    const address = page.url();
    await untilStored(page);
    // Data stored on an earlier visit stays when the app starts at another page.
    await page.goto(`${server.url}/bots/`);
    await page.getByTestId('bot-card').waitFor();
    await untilStored(page);
    await server.stop();

    await page.goto(`${server.url}/bots/`);
    await page.getByTestId('bot-card').filter({ hasText: 'Heartbeat' }).waitFor();
    await page
      .getByTestId('connection')
      .getByText(/Data as of .+; no changes are possible/)
      .waitFor();
    await checkPage(page, `offline-home-${name}`);
    await page.goto(address);
    await page.getByTestId('position').waitFor();
    expect(await button(page, 'Stop').isDisabled()).toBe(true);
    expect(await button(page, 'Buy').locator('visible=true').isDisabled()).toBe(true);
    await checkPage(page, `offline-bot-${name}`);

    await server.start();
    await page.getByTestId('connection').waitFor({ state: 'hidden' });
    await page.locator('[data-testid=bot-status][data-status=working]').waitFor();
    expect(await button(page, 'Stop').isEnabled()).toBe(true);
  });
});

test('an offline device starts too, in Chinese, and opens a screen for the first time', async () => {
  const page = await withBot({ viewport: { width: 390, height: 844 } });
  await untilStored(page);
  await page.evaluate(() => localStorage.setItem('heron.look', '{"language":"zh-CN","theme":"dark"}'));
  await page.context().setOffline(true);
  await page.goto(`${server.url}/bots/`);
  await page.getByTestId('bot-card').filter({ hasText: 'Heartbeat' }).waitFor();
  await page.getByTestId('connection').getByText('无法连接服务器').waitFor();
  await checkPage(page, 'offline-home-zh-dark');
  await page.getByRole('link', { name: '交易所' }).locator('visible=true').click();
  await page.getByRole('alert').getByText('无法连接服务器，请检查网络后重试。').waitFor();
  await page.context().setOffline(false);
  await page.getByTestId('connection').waitFor({ state: 'hidden' });
});

test('a log-out leaves no user data on the device, with or without a server', async () => {
  const page = await withBot();
  await untilStored(page);
  await page.goto(`${server.url}/setting-index/`);
  await button(page, 'Log out').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
  await button(page, 'Log in').waitFor();
  await untilNothingStored(page);
  await server.stop();
  await page.goto(`${server.url}/bots/`);
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
  expect(await page.content()).not.toContain('Heartbeat');
  await server.start();
  await page.reload();
  await button(page, 'Log in').waitFor();
});

test('an ended session leads to the login after reconnecting and clears cached data', async () => {
  const page = await withBot();
  await untilStored(page);
  await server.stop();
  await page.goto(`${server.url}/bots/`);
  await page.getByTestId('bot-card').waitFor();
  await page.context().clearCookies();
  await server.start();
  await button(page, 'Log in').waitFor();
  expect(await page.getByTestId('bot-card').count()).toBe(0);
  await untilNothingStored(page);
});

test('without browser storage the app works, and reports a missing server', async () => {
  const page = await open('/setting-about/');
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      get() {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
  await register(page, { ...testbed.heron, url: server.url }, `Away_${++users}`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await server.stop();
  await page.goto(`${server.url}/bots/`);
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
});

test('an order confirmed while offline fails at once and is never sent later', async () => {
  const page = await withBot();
  await button(page, 'Buy').locator('visible=true').click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('1,000');
  await button(page, 'Review buy').click();
  await page.context().setOffline(true);
  await button(page, 'Confirm buy').click();
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
  await page.keyboard.press('Escape');
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/orders') && sent.push(request.url()));
  await page.context().setOffline(false);
  // The stream is connected and has sent the current state: a stored order would have been sent by now.
  await page.getByTestId('connection').waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByText('No trades yet').waitFor();
  expect(sent).toEqual([]);
});

test('a tab whose session ends elsewhere goes to the login', async () => {
  const page = await withBot();
  const other = await page.context().newPage();
  await other.goto(`${server.url}/setting-index/`);
  await button(other, 'Log out').click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
  await button(page, 'Log in').waitFor();
  expect(await page.getByTestId('position').count()).toBe(0);
});

describe('a new build', () => {
  test('is offered, and applied on request, while another window keeps its own build', async () => {
    const page = await open('/setting-about/');
    await page.goto(`${server.url}/user-login/`);
    await button(page, 'Log in').waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const other = await page.context().newPage();
    await other.goto(`${server.url}/user-login/`);
    await button(other, 'Log in').waitFor();
    const before = await build(page);
    await server.update();
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    await page.getByText('A new version of Heron is ready.').waitFor();
    await checkPage(page, 'update-offered');
    await button(page, 'Update now').click();
    await page.waitForFunction(
      (old) => document.querySelector<HTMLMetaElement>('meta[name=heron-build]')?.content !== old,
      before,
    );
    await button(page, 'Log in').waitFor();
    expect(await page.getByText('A new version of Heron is ready.').count()).toBe(0);

    expect(await build(other)).toBe(before);
    await other.getByRole('link', { name: 'Register now' }).click();
    await button(other, 'Register').waitFor();
    expect(await build(other)).toBe(before);
    await button(other, 'Update now').click();
    await other.waitForFunction(
      (old) => document.querySelector<HTMLMetaElement>('meta[name=heron-build]')?.content !== old,
      before,
    );
  });

  test('reloads the page once where an old window requests a removed screen', async () => {
    const page = await open('/setting-about/', { serviceWorkers: 'block' });
    await page.goto(`${server.url}/user-login/`);
    await button(page, 'Log in').waitFor();
    const before = await build(page);
    await server.update();
    await page.getByRole('link', { name: 'Register now' }).click();
    await button(page, 'Register').waitFor();
    expect(new URL(page.url()).pathname).toBe('/user-register/');
    expect(await build(page)).not.toBe(before);
  });

  test('that lacks one of its screens shows that and does not reload forever', async () => {
    const page = await open('/setting-about/', { serviceWorkers: 'block' });
    await page.goto(`${server.url}/user-login/`);
    await button(page, 'Log in').waitFor();
    await server.update();
    await server.deleteFiles('RegisterScreen');
    await page.getByRole('link', { name: 'Register now' }).click();
    await page.getByRole('heading', { name: 'This screen has failed' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/user-register/');
  });
});

test('the app can be installed, and is named in the language of the user', async () => {
  await using browser = await launchBrowser('whole');
  for (const [locale, name] of [
    ['en-US', 'Heron'],
    ['zh-CN', '苍鹭'],
  ] as const) {
    const page = await open('/user-login/', { locale }, browser);
    await page.locator('form').first().waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const devtools = await page.context().newCDPSession(page);
    const { data, errors } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(JSON.parse(data ?? '')).toMatchObject({ name, lang: locale === 'zh-CN' ? 'zh-CN' : 'en' });
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // Test windows are private windows, in which no app can be installed.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  }
});
