import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from './appTestbed.ts';
import { screens } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { button, pageTestbed, signIn } from './pageTestbed.ts';
import { registerUser } from './userRequests.ts';

const { testbed, open } = pageTestbed({ serviceWorkers: 'allow' });

const dress = (page: Page) => page.evaluate(() => ({ ...document.documentElement.dataset }));
const barColour = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLMetaElement>('meta[name=theme-color]')?.content);

test.for(screens('desktop'))(
  'colours, filled bars and a theme apply at once and after a reload, on a $name',
  async ({ name, screen }) => {
    await registerUser(testbed.heron, `Painter_${name}`);
    const page = await open('/user-login/?to=%2Fsetting-theme%2F', screen);
    await signIn(page, `Painter_${name}`, PASSWORD);
    await page.getByRole('radio', { name: 'Violet' }).check();
    await page.getByRole('radio', { name: 'Filled' }).check();
    await page.getByRole('radio', { name: 'Light' }).check();
    expect(await dress(page)).toMatchObject({ accent: 'violet', bar: 'fill', theme: 'light' });
    expect(await barColour(page)).toBe('#6b2f8a');
    await checkPage(page, `${name}-theme-violet`);
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.reload();
    await page.getByRole('radio', { name: 'Violet' }).and(page.locator(':checked')).waitFor();
    expect(await dress(page)).toMatchObject({ accent: 'violet', bar: 'fill', theme: 'dark' });
    await checkPage(page, `${name}-theme-violet-dark`);
    await page.goto(`${testbed.heron.url}/bots/`);
    await page.getByText('No bots yet').waitFor();
    await checkPage(page, `${name}-empty-violet-dark`);
  },
);

test.for(screens('phone'))(
  'clearing all data logs out; clearing the cache asks no question, on a $name',
  async ({ name, screen }) => {
    await registerUser(testbed.heron, `Leaver_${name}`);
    const page = await open('/user-login/?to=%2Fsetting-normal%2F', { ...screen, locale: 'zh-CN' });
    await page.getByLabel('账号').fill(`Leaver_${name}`);
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    await button(page, '登录').click();
    await button(page, '清除缓存').click();
    await page.getByText('缓存已清除').waitFor();
    await page.getByRole('radio', { name: '绿涨红跌' }).check();
    await checkPage(page, `${name}-general-zh`);
    expect(await page.evaluate(() => localStorage.length)).toBeGreaterThan(1);
    await button(page, '清除所有数据').click();
    await page.getByText('并退出登录').waitFor();
    await checkPage(page, `${name}-clear-all-zh`);
    await page.getByRole('alertdialog').getByRole('button', { name: '清除所有数据' }).click();
    await page.waitForURL('**/user-login/');
    await button(page, '登录').waitFor();
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
    await page.goto(`${testbed.heron.url}/bots/`);
    await page.waitForURL('**/user-login/');
  },
);
