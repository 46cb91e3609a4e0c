import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import { type AppTestbed, appTestbed, field } from './appTestbed.ts';
import { openContext } from './browser.ts';
import { pageText } from './checkPage.ts';
import { createAdministrator, newestCode } from './userRequests.ts';

/** A running Heron with its first super administrator, named Keeper, and separate browser contexts for users. */
export interface PageTestbed {
  readonly testbed: AppTestbed;
  /** Returns a session token of the super administrator. */
  administratorToken(): string;
  /**
   * Opens a path in a new context. It closes after the test, which fails if a page has thrown.
   *
   * @param browser default: the shared browser of the file
   */
  open(path: string, options?: BrowserContextOptions, browser?: Browser): Promise<Page>;
  /** Sends a code to an address on the open screen. @returns the code */
  requestCode(page: Page, address: string): Promise<string>;
  /** Sends a code to an address on the open Chinese screen, and fills it in. */
  fillCodeInChinese(page: Page, address: string): Promise<void>;
  /** Signs in with a phone code, in Chinese, and continues to a path. An unknown phone number is registered. */
  signInByPhoneCodeInChinese(phone: string, to: string): Promise<Page>;
}

/** @param display options of every context, where they differ from those of `openContext` */
export function pageTestbed(display: BrowserContextOptions = {}): PageTestbed {
  const testbed = appTestbed();
  const contexts: BrowserContext[] = [];
  const failures: string[] = [];
  let token = '';
  beforeAll(async () => {
    token = await createAdministrator(testbed.heron);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const page of contexts.flatMap((context) => context.pages())) console.error(await pageText(page));
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(failures.splice(0)).toEqual([]);
  });
  const open = async (path: string, options: BrowserContextOptions = {}, browser = testbed.browser) => {
    const context = await openContext(browser, { ...display, ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => failures.push(error.message));
    await page.goto(testbed.heron.url + path);
    return page;
  };
  const requestCode = async (page: Page, address: string) => {
    await button(page, 'Send code').click();
    await page.getByRole('button', { name: /^Resend in/ }).waitFor();
    return newestCode(testbed.heron, token, address);
  };
  const fillCodeInChinese = async (page: Page, address: string) => {
    await button(page, '获取验证码').click();
    await page.getByRole('button', { name: /秒后重发/ }).waitFor();
    await field(page, '验证码').fill(await newestCode(testbed.heron, token, address));
  };
  return {
    testbed,
    administratorToken: () => token,
    open,
    requestCode,
    fillCodeInChinese,
    async signInByPhoneCodeInChinese(phone, to) {
      const page = await open(`/user-login/?to=${encodeURIComponent(to)}`, { locale: 'zh-CN' });
      await page.getByRole('tab', { name: '快捷登录' }).click();
      await field(page, '手机号').fill(phone);
      await fillCodeInChinese(page, phone);
      await button(page, '登录').click();
      return page;
    },
  };
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export const isFocused = (element: Locator) => element.evaluate((one) => one === document.activeElement);

/** Signs in on the open sign-in screen. */
export async function signIn(page: Page, name: string, password: string): Promise<void> {
  await field(page, 'Account').fill(name);
  await field(page, 'Password').fill(password);
  await button(page, 'Log in').click();
}
