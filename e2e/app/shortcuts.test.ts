import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { field, PASSWORD } from './appTestbed.ts';
import { checkPage } from './checkPage.ts';
import { isFocused, pageTestbed, signIn } from './pageTestbed.ts';
import { registerUser } from './userRequests.ts';

const { testbed, open } = pageTestbed();

test('on a wide screen keys open screens, list and order sheet, but type in fields', async () => {
  await registerUser(testbed.heron, 'Typist');
  const page = await open('/user-login/?to=%2Fbot-add%2F', { viewport: { width: 1280, height: 800 } });
  await signIn(page, 'Typist', PASSWORD);
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  // Presses the keys of one shortcut without a pause, which a busy machine could extend beyond the limit.
  const together = (...keys: string[]) => Promise.all(keys.map((key) => page.keyboard.press(key)));
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));

  await field(page, 'Name').pressSequentially('gs?nb');
  expect(await field(page, 'Name').inputValue()).toBe('gs?nb');
  await page.getByRole('checkbox', { name: /BTC-USDT/ }).check();
  await page.getByRole('button', { name: 'Create and start' }).click();
  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  await page.getByRole('button', { name: 'Buy', exact: true }).and(page.locator(':enabled')).first().waitFor();
  sent.length = 0;
  await page.keyboard.press('b');
  await page.getByRole('button', { name: 'Review buy' }).waitFor();
  // The field has the focus, and does not contain the key that opened it.
  await expect.poll(() => isFocused(field(page, 'Amount')), { timeout: 30_000 }).toBe(true);
  expect(await field(page, 'Amount').inputValue()).toBe('');
  // Keys act on the overlay, and not on the screen below it.
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(sent.filter((path) => path.endsWith('/orders'))).toEqual([]);

  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('New bot').waitFor();
  await checkPage(page, 'desktop-shortcuts');
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await together('g', 'e');
  await title('Exchanges');
  await page.keyboard.press('n');
  await title('New bot');
  await page.getByRole('heading', { level: 1, name: 'New bot' }).focus();
  await page.keyboard.press('Control+g');
  await together('g', 's');
  await title('Settings');

  await page.getByRole('link', { name: 'Language, prices and data' }).click();
  const tick = page.getByRole('checkbox', { name: 'Keyboard shortcuts' });
  await tick.uncheck();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  await page.keyboard.press('n');
  await page.reload();
  await tick.waitFor();
  expect([await tick.isChecked(), await page.getByRole('dialog').count()]).toEqual([false, 0]);
  await tick.check();
  await page.getByRole('heading', { level: 1, name: 'Language, prices and data' }).focus();
  expect(await isFocused(page.getByRole('heading', { level: 1, name: 'Language, prices and data' }))).toBe(true);
  await page.keyboard.press('?');
  await list.waitFor();
});

/** Maximum number of Tab presses that a user would accept. */
const MAX_TABS = 90;

/** Presses Tab until the target has the focus, and checks that the focus is visible at each step. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs <= MAX_TABS; tabs++) {
    if ((await target.count()) > 0 && (await isFocused(target.first()))) return;
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(unseenFocus), { timeout: 10_000 }).toBeNull();
  }
  throw new Error(`${target} is not reached by ${MAX_TABS} times Tab`);
}

/** Returns the focused element if no frame shows its focus; null when the element or a close parent has a frame. */
async function unseenFocus(): Promise<string | null> {
  // Even with reduced motion a change takes a moment.
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const active = document.activeElement;
  if (active === null || active === document.body) return null; // The focus is in the browser's own bars.
  const isFramed = (one: Element, part?: string) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one, part);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
  };
  for (let one: Element | null = active, up = 0; one !== null && up < 3; one = one.parentElement, up++)
    if (isFramed(one) || isFramed(one, '::after')) return null;
  return active.outerHTML.slice(0, 200);
}

test('all works by keyboard from login to a stopped bot, with visible focus', async () => {
  await registerUser(testbed.heron, 'Pianist');
  const screen = { viewport: { width: 1280, height: 800 } } as const;
  const page = await open('/user-login/?to=%2Fbot-add%2F', screen);
  const keys = page.keyboard;
  const front = page.locator('.page:not([inert])');
  const named = (name: string) => front.getByRole('button', { name, exact: true }).locator('visible=true');
  const over = (name: string) => page.locator('dialog[open]').getByRole('button', { name, exact: true });
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const gone = () => page.locator('dialog[open]').waitFor({ state: 'detached' });

  await tabTo(page, field(page, 'Account'));
  await keys.type('Pianist');
  await tabTo(page, field(page, 'Password'));
  await keys.type(PASSWORD);
  await keys.press('Enter');
  await title('New bot');
  await tabTo(page, field(page, 'Name'));
  await keys.type('By keys');
  const pair = page.getByRole('checkbox', { name: /BTC-USDT/ });
  await tabTo(page, pair);
  if (!(await pair.isChecked())) await keys.press('Space');
  await tabTo(page, named('Create and start'));
  await keys.press('Enter');

  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  await named('Buy').and(page.locator(':enabled')).waitFor();
  await tabTo(page, named('Buy'));
  await keys.press('Enter');
  await tabTo(page, field(page, 'Amount'));
  await keys.type('500');
  await tabTo(page, over('Review buy'));
  await keys.press('Enter');
  await over('Confirm buy').waitFor();
  await tabTo(page, over('Confirm buy'));
  await keys.press('Enter');
  await gone();
  await page.locator('[data-testid=position][data-open=true]').waitFor();
  await expect.poll(() => isFocused(named('Buy')), { timeout: 30_000 }).toBe(true);

  await tabTo(page, named('Stop'));
  await keys.press('Enter');
  await over('Cancel').waitFor();
  await keys.press('Escape');
  await gone();
  await expect.poll(() => isFocused(named('Stop')), { timeout: 30_000 }).toBe(true);
  await keys.press('Enter');
  await tabTo(page, over('Stop'));
  await keys.press('Enter');
  await page.getByTestId('bot-status').and(page.locator('[data-status=finished]')).waitFor();

  await tabTo(page, front.getByRole('tab', { selected: true }));
  for (let right = 0; right < 4; right++) await keys.press('ArrowRight');
  await tabTo(page, front.getByRole('link', { name: 'Edit' }));
  await keys.press('Enter');
  await title('Edit By keys');
  await tabTo(page, front.getByRole('combobox', { name: 'Timeframe' }));
  await keys.press('ArrowDown');
  await tabTo(page, named('Review changes'));
  await keys.press('Enter');
  await tabTo(page, over('Save changes'));
  await keys.press('Enter');
  await gone();
  await title('By keys');

  await tabTo(page, page.locator('.rail').getByRole('link', { name: 'Settings' }));
  await keys.press('Enter');
  await title('Settings');
  await tabTo(page, front.getByRole('link', { name: 'Theme and colours' }));
  await keys.press('Enter');
  await title('Theme and colours');
  await tabTo(page, front.getByRole('radio', { name: 'System' }));
  await keys.press('ArrowLeft');
  await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
});
