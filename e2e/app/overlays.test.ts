import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { field, PASSWORD } from './appTestbed.ts';
import { SCREENS, screens } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { button, isFocused, pageTestbed, signIn } from './pageTestbed.ts';
import { registerUser } from './userRequests.ts';

const { testbed, open } = pageTestbed({ reducedMotion: 'no-preference' });
const WAIT = { timeout: 30_000 };

const over = (page: Page, title: string) => page.getByRole('dialog', { name: title });
const gone = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });

/** Moves a finger down the screen from the head of an overlay. */
async function pullDown(page: Page, title: string, by: number): Promise<void> {
  const box = await over(page, title).locator('.overlay-head').boundingBox();
  if (box === null) throw new Error('there is no head to pull');
  const touch = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  // The simulated movement took half a second, so its distance counts, and not its speed.
  const ended = Date.now() / 1000;
  const finger = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    secondsAgo: number,
    touchPoints: { x: number; y: number }[],
  ) => touch.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: ended - secondsAgo });
  await finger('touchStart', 0.5, [{ x, y }]);
  for (const part of [0.3, 0.6, 1]) await finger('touchMove', 0.5 * (1 - part), [{ x, y: y + by * part }]);
  await finger('touchEnd', 0, []);
}

test.for(screens('desktop'))(
  'terms over the login close by Back, Escape and button, focus returns, on a $name',
  async ({ name, screen }) => {
    const page = await open('/user-login/', screen);
    await field(page, 'Account').fill('half typed');
    const terms = page.getByRole('link', { name: 'Terms' });
    await terms.focus();
    await page.keyboard.press('Enter');
    await over(page, 'Terms of use').waitFor();
    await checkPage(page, `${name}-terms-popup`);
    await page.goBack();
    await gone(page);
    expect(new URL(page.url()).pathname).toBe('/user-login/');
    expect(await isFocused(terms)).toBe(true);
    await page.keyboard.press('Enter');
    await over(page, 'Terms of use').waitFor();
    await page.keyboard.press('Escape');
    await gone(page);
    expect(await isFocused(terms)).toBe(true);
    await page.keyboard.press('Enter');
    await over(page, 'Terms of use').getByRole('button', { name: 'Close' }).click();
    await gone(page);
    expect(await field(page, 'Account').inputValue()).toBe('half typed');
  },
);

test.for(screens('phone'))(
  'an address opens a screen in the given size, never another site, on a $name',
  async ({ screen, width, height }) => {
    const page = await open('/app-popup/?url=/setting-privacy/&width=300&height=420', screen);
    await over(page, 'Privacy').waitFor();
    const sizes = async () => {
      const box = await over(page, 'Privacy').boundingBox();
      return [box?.width, box?.height].map((size) => Math.round(size ?? 0));
    };
    // The overlay grows during its opening animation.
    await expect.poll(sizes, WAIT).toEqual([300, 420]);
    expect(new URL(page.url()).pathname).toBe('/user-login/');
    await page.goto(`${testbed.heron.url}/setting-popup/?url=/setting-terms/`);
    await over(page, 'Terms of use').waitFor();
    await page.goto(`${testbed.heron.url}/app-popup/?fullscreen=true&url=/setting-terms/`);
    await over(page, 'Terms of use').waitFor();
    // The overlay slides in from below.
    await expect.poll(() => over(page, 'Terms of use').boundingBox(), WAIT).toEqual({ x: 0, y: 0, width, height });
    await page.goto(`${testbed.heron.url}/app-popup/?url=${encodeURIComponent('https://evil.example/')}`);
    await over(page, 'Page not found').waitFor();
    // A page that requires a login shows the login.
    await page.goto(`${testbed.heron.url}/app-popup/?url=/manage-users/`);
    await page.getByRole('dialog').getByRole('textbox', { name: 'Account' }).waitFor();
  },
);

describe.each(SCREENS)('an overlay, on a $name', ({ name, width, height }) => {
  const screen = { viewport: { width, height }, hasTouch: name === 'phone' };

  test('keeps its links inside, and Back returns along them before it closes', async () => {
    const page = await open('/app-sheet/?url=/setting-index/', screen);
    await over(page, 'Settings').waitFor();
    if (name === 'phone') {
      // The overlay grows to the height of its content.
      const height = async () => (await over(page, 'Settings').boundingBox())?.height ?? 0;
      await expect.poll(async () => [(await height()) >= 420, (await height()) <= 480], WAIT).toEqual([true, true]);
    }
    await over(page, 'Settings').getByRole('link', { name: 'About Heron' }).click();
    await over(page, 'About Heron').waitFor();
    await checkPage(page, `${name}-sheet-inside`);
    await over(page, 'About Heron').getByRole('button', { name: 'Back' }).click();
    await over(page, 'Settings').getByRole('link', { name: 'Theme and colours' }).click();
    await over(page, 'Theme and colours').waitFor();
    if (name === 'phone') {
      await pullDown(page, 'Theme and colours', 40);
      expect(await over(page, 'Theme and colours').count()).toBe(1);
      await pullDown(page, 'Theme and colours', 200);
      await gone(page);
    } else {
      await page.keyboard.press('Escape');
      await gone(page);
    }
  });

  test('paper and live are explained beside their choice, and typed text stays', async () => {
    await registerUser(testbed.heron, `Asker_${name}`);
    const page = await open('/user-login/?to=%2Fbot-add%2F', screen);
    await signIn(page, `Asker_${name}`, PASSWORD);
    await field(page, 'Name').fill('Curious');
    await page.getByRole('link', { name: 'What is the difference?' }).first().click();
    const help = over(page, 'Paper, live, spot and futures');
    await help.getByText('What is paper trading?').waitFor();
    const size = async () => {
      const box = await help.boundingBox();
      return [box?.width, (box?.height ?? 0) <= 480];
    };
    if (name === 'phone') await expect.poll(async () => (await size())[0], WAIT).toBe(width);
    else await expect.poll(size, WAIT).toEqual([360, true]);
    await checkPage(page, `${name}-help`);
    await page.keyboard.press('Escape');
    await gone(page);
    expect(await field(page, 'Name').inputValue()).toBe('Curious');
    await page.goto(`${testbed.heron.url}/help-list-term/17900/`);
    await page.getByRole('heading', { level: 1, name: 'Paper, live, spot and futures' }).waitFor();
    await checkPage(page, `${name}-help-page`);
    await page.goto(`${testbed.heron.url}/help-list-term/1/`);
    await page.getByText('There is no help page at this address.').waitFor();
    await button(page, 'Back').waitFor();
  });
});
