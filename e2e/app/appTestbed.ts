import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type Installation, preparedInstallation, type RunningHeron, startHeron } from './heron.ts';

/** Password of all users that these tests register. */
export const PASSWORD = 'quiet water 77';

/** A running Heron and a browser for the tests of a file. */
export interface AppTestbed {
  readonly installation: Installation;
  readonly browser: Browser;
  /** A test may stop this Heron and assign another one. */
  heron: RunningHeron;
}

/**
 * Starts both before the tests of this file and stops them afterwards; both exist once the first test runs.
 *
 * @param options.env environment variables for Heron
 * @param options.browser kind of browser, see `launchBrowser`
 * @param options.install chooses the data folder before the start; `newInstallation` for tests of a first start
 */
export function appTestbed({
  env = {},
  browser,
  install = preparedInstallation,
}: {
  env?: Record<string, string>;
  browser?: 'whole';
  install?: () => Promise<Installation>;
} = {}): AppTestbed {
  const testbed: Partial<{ -readonly [K in keyof AppTestbed]: AppTestbed[K] }> = {};
  beforeAll(async () => {
    testbed.installation = await install();
    // Each one is assigned as soon as it exists, so that it is stopped even when the other one fails.
    const started = await Promise.allSettled([
      startHeron(testbed.installation, env).then((heron) => {
        testbed.heron = heron;
      }),
      launchBrowser(browser).then((launched) => {
        testbed.browser = launched;
      }),
    ]);
    for (const each of started) if (each.status === 'rejected') throw each.reason;
  });
  afterAll(async () => {
    await testbed.browser?.close();
    await testbed.heron?.stop();
    await testbed.installation?.remove();
  });
  // The fields are undefined until the tests run; a test that reads them earlier fails.
  return testbed as AppTestbed;
}

/** Fills in the registration form on the page. */
export async function fillRegistration(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: 'Name' }).or(field(page, 'Name')).first().click();
  await field(page, 'Name').fill(name);
  await field(page, 'Password').fill(PASSWORD);
  await field(page, 'Confirm password').fill(PASSWORD);
}

/** Registers a user by an API request and opens the empty list of bots. */
export async function register(page: Page, heron: RunningHeron, name: string, empty = 'No bots yet'): Promise<void> {
  const answer = await page.context().request.post(`${heron.url}/api.php`, {
    headers: { origin: heron.url },
    data: { method: 'System.Register.usernameRegister', username: name, password: PASSWORD },
  });
  expect((await answer.json()).message, name).toBe('');
  await page.goto(`${heron.url}/bots/`);
  await page.getByText(empty).waitFor();
}

/** Returns a text field by its label. */
export function field(page: Page, label: string) {
  return page.getByRole('textbox', { name: label, exact: true });
}

/** Chooses by the label, which is clicked once it no longer moves. The radio button in it is not visible. */
export async function choose(page: Page, name: string): Promise<void> {
  const radio = page.getByRole('radio', { name });
  await page.locator('label').filter({ has: radio }).click();
  expect(await radio.isChecked()).toBe(true);
}
