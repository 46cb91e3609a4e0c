import { expect, test } from 'vitest';
import { appTestbed, fillRegistration } from './appTestbed.ts';
import { openContext } from './browser.ts';
import { checkPage } from './checkPage.ts';

const testbed = appTestbed({ env: { HERON_FIRST_ACCOUNT: 'administrator', HERON_VENUES: 'mexc-demo' } });

test('the first person becomes the administrator, and nobody else can register', async () => {
  const page = await (await openContext(testbed.browser)).newPage();
  page.setDefaultTimeout(90_000);
  await page.goto(testbed.heron.url);
  await page.getByRole('link', { name: 'Create the administrator account' }).click();
  await page.getByText('The first account manages this installation').waitFor();
  await fillRegistration(page, 'Keeper');
  await checkPage(page, 'first-account');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText('You are the administrator').waitFor();
  await page.getByText('No bots yet').waitFor();
  await page.goto(new URL('/setting-index/', page.url()).href);
  await page.getByText('Super administrator').waitFor();

  const context = await openContext(testbed.browser, { locale: 'zh-CN', viewport: { width: 360, height: 640 } });
  const visitor = await context.newPage();
  visitor.setDefaultTimeout(90_000);
  await visitor.goto(new URL('/user-login/', testbed.heron.url).href);
  await visitor.getByRole('button', { name: '登录', exact: true }).waitFor();
  await expect.poll(() => visitor.getByRole('link', { name: '立即注册' }).count()).toBe(0);
  await visitor.goto(new URL('/user-register/', testbed.heron.url).href);
  await visitor.getByText('暂未开放注册').waitFor();
  await checkPage(visitor, 'register-closed-zh');
});
