import path from 'node:path';
import { type TemporaryDatabase, temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { type Platform, startPlatform } from '@heron/platform/platform.ts';
import { type FakeApple, startFakeApple } from '@heron/platform/testing/fakeApple.ts';
import { type FakeWechat, startFakeWechat } from '@heron/platform/testing/fakeWechat.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { field, PASSWORD } from './appTestbed.ts';
import { launchBrowser, openContext } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { type Installation, newInstallation } from './heron.ts';
import { button } from './pageTestbed.ts';
import { registerUser } from './userRequests.ts';

const WEB = { appId: 'wx-web', secret: 'secret-of-the-web-app' };
const SERVICE = 'example.heron.web';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

let installation: Installation;
let database: TemporaryDatabase;
let wechat: FakeWechat;
let apple: FakeApple;
let platform: Platform;
let browser: Browser;

// The test starts only the platform, because only the platform accepts other addresses of the providers.
beforeAll(async () => {
  [installation, database, wechat, apple, browser] = await Promise.all([
    newInstallation(),
    temporaryDatabase(),
    startFakeWechat({ [WEB.appId]: WEB.secret }),
    startFakeApple([SERVICE]),
    launchBrowser(),
  ]);
  const { teamId, keyId, privateKey, url } = apple;
  platform = await startPlatform({
    databaseUrl: database.url,
    host: '127.0.0.1',
    port: installation.port,
    publicUrl: `http://localhost:${installation.port}`,
    bothostUrl: 'http://127.0.0.1:1',
    secret: 'secret-between-platform-and-bot-host',
    clientDir: path.join(import.meta.dirname, '../../apps/client/dist'),
    logLevel: 'silent',
    wechat: { web: WEB, openUrl: wechat.url, apiUrl: wechat.url },
    apple: { teamId, keyId, privateKey, servicesId: SERVICE, url },
  });
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
  await Promise.all([wechat?.stop(), apple?.stop(), database?.close(), installation?.remove()]);
});

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const LOGIN = '/user-login/?to=%2Fuser-identities%2F';

test('WeChat and Apple are linked, used to log in, cancelled and unlinked', async () => {
  const heron = { url: `http://localhost:${installation.port}` };
  await registerUser(heron, 'Lin');
  const context = await openContext(browser, {
    locale: 'zh-CN',
    userAgent: IPHONE,
    viewport: { width: 390, height: 844 },
    baseURL: heron.url,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(LOGIN);
  await button(page, '同意').click();
  await field(page, '账号').fill('Lin');
  await field(page, '密码').fill(PASSWORD);
  await button(page, '登录').click();
  await row(page, '微信').getByText('未关联').waitFor();

  wechat.visit({ openid: 'openid-lin', nickname: '林' });
  apple.visit('apple-lin');
  for (const name of ['微信', '苹果账号']) {
    await row(page, name).getByRole('button', { name: '关联' }).click();
    await row(page, name).getByText('关联于').waitFor();
  }
  await checkPage(page, 'providers-linked-zh');

  for (const name of ['使用微信登录', '使用苹果账号登录']) {
    await context.clearCookies();
    await page.goto(LOGIN);
    await button(page, name).click();
    // The same account opens, on the page that the user wanted.
    await row(page, '微信').getByText('关联于').waitFor();
    await row(page, '苹果账号').getByText('关联于').waitFor();
  }

  for (const name of ['微信', '苹果账号']) {
    await row(page, name).getByRole('button', { name: '解除关联' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '解除关联' }).click();
    await row(page, name).getByText('未关联').waitFor();
  }
  expect(apple.revoked.length).toBeGreaterThan(0);

  wechat.visit(null);
  await row(page, '微信').getByRole('button', { name: '关联' }).click();
  await page.getByText('操作已取消').waitFor();
  await page.getByRole('link', { name: '返回' }).click();
  await row(page, '微信').getByText('未关联').waitFor();
});
