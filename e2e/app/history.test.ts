import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS } from './browser.ts';
import { button, pageTestbed } from './pageTestbed.ts';

const { open } = pageTestbed({ reducedMotion: 'no-preference' });

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const GENERAL = 'Language, prices and data';

const dialog = (page: Page) => page.getByRole('alertdialog');
const at = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor();
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** Opens a confirmation on the general settings. */
async function ask(page: Page): Promise<void> {
  await button(page, 'Clear all data').click();
  await dialog(page).waitFor();
}

describe.each(SCREENS)('the Back button of a $name', ({ name, width, height }) => {
  const screen = {
    viewport: { width, height },
    hasTouch: name === 'phone',
    ...(name === 'phone' ? { userAgent: ANDROID } : {}),
  };

  async function arrive(path: string): Promise<Page> {
    const page = await open(path, screen);
    if (name !== 'phone') return page;
    await button(page, 'Agree').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return page;
  }

  test('closes overlays, then returns along the screens, then leaves; Forward returns', async () => {
    const page = await arrive('/setting-index/');
    await page.getByRole('link', { name: GENERAL }).click();
    await at(page, GENERAL);
    await ask(page);
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe('/setting-normal/');
    await page.goBack();
    await at(page, 'Settings');
    expect(pathOf(page)).toBe('/setting-index/');
    await page.goForward();
    await at(page, GENERAL);
    expect(pathOf(page)).toBe('/setting-normal/');
    await page.goBack();
    await at(page, 'Settings');
    await leave(page);
  });

  test('on the screen that was opened first closes overlays before it leaves', async () => {
    const page = await arrive('/setting-normal/');
    await ask(page);
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe('/setting-normal/');
    // A dialog closed by its own button must leave no entry in the history.
    await ask(page);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await leave(page);
  });

  test('of the app leads from a deep link to the parent screen', async () => {
    const page = await arrive('/setting-theme/');
    await button(page, 'Back').click();
    await at(page, 'Settings');
    expect(pathOf(page)).toBe('/setting-index/');
  });
});

test('Back returns to the scroll position and to the link that was followed', async () => {
  const page = await open('/setting-index/', { viewport: { width: 390, height: 260 } });
  const scrolled = () => page.locator('.page:not([inert]) .page-content').evaluate((box) => Math.round(box.scrollTop));
  const link = page.getByRole('link', { name: 'About' });
  await link.scrollIntoViewIfNeeded();
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await page.goBack();
  await at(page, 'Settings');
  await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await scrolled()).toBe(before);
});

const SCREEN_FILES = /assets\/(General|Theme)Screen.*\.js/;

test.each([
  { released: 'as asked for', order: [0, 1] },
  { released: 'the newest first', order: [1, 0] },
])('of two navigations that still load files the newest is shown: $released', async ({ order }) => {
  const page = await open('/setting-index/', { viewport: { width: 390, height: 844 } });
  const failures: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));
  const held: (() => Promise<void>)[] = [];
  await page.route(SCREEN_FILES, (route) => void held.push(() => route.continue()));
  for (const [asked, name] of [GENERAL, 'Theme and colours'].entries()) {
    await page.getByRole('link', { name }).click();
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(asked + 1);
  }
  for (const which of order) {
    const there = page.waitForEvent('requestfinished', (request) => SCREEN_FILES.test(request.url()));
    await held[which]?.();
    await there;
  }
  await at(page, 'Theme and colours');
  expect(pathOf(page)).toBe('/setting-theme/');
  await page.goBack();
  await at(page, 'Settings');
  expect(failures).toEqual([]);
});

/** Goes back once more, which leaves the app. */
async function leave(page: Page): Promise<void> {
  // The delay lets `evaluate` return before its page unloads.
  await page.evaluate(() => void setTimeout(() => history.back()));
  await page.waitForURL('about:blank');
}
