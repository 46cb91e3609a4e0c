import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type HeronPlace, newPlace, type RunningHeron, startHeron } from './heron.ts';

/** Of everyone whom these tests register. */
export const PASSWORD = 'quiet water 77';

/** A running Heron and a browser for the tests of a file. */
export interface AppGround {
  readonly place: HeronPlace;
  readonly browser: Browser;
  /** A test may stop it and put another one in its place. */
  heron: RunningHeron;
}

/**
 * Starts them before the tests of this file and ends them afterwards; there once the first test runs.
 *
 * @param env what Heron is told by its environment
 * @param kind of the browser, see `launchBrowser`
 */
export function appGround(env: Record<string, string> = {}, kind?: 'whole'): AppGround {
  const ground: Partial<{ -readonly [K in keyof AppGround]: AppGround[K] }> = {};
  beforeAll(async () => {
    ground.place = await newPlace();
    // Each is kept as soon as it is there: when one fails, the other is ended all the same.
    const started = await Promise.allSettled([
      startHeron(ground.place, env).then((heron) => {
        ground.heron = heron;
      }),
      launchBrowser(kind).then((browser) => {
        ground.browser = browser;
      }),
    ]);
    for (const each of started) if (each.status === 'rejected') throw each.reason;
  });
  afterAll(async () => {
    await ground.browser?.close();
    await ground.heron?.stop();
    await ground.place?.remove();
  });
  // Whoever reads it before a test runs finds nothing, and the test fails by that.
  return ground as AppGround;
}

/** Fills in the form of the registration screen that is open. */
export async function fillRegistration(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: 'Name' }).or(field(page, 'Name')).first().click();
  await field(page, 'Name').fill(name);
  await field(page, 'Password').fill(PASSWORD);
  await field(page, 'Confirm password').fill(PASSWORD);
}

/** Registers somebody by name, past the screens, and comes to the empty list of bots. */
export async function register(page: Page, heron: RunningHeron, name: string, empty = 'No bots yet'): Promise<void> {
  const answer = await page.context().request.post(`${heron.url}/api.php`, {
    headers: { origin: heron.url },
    data: { method: 'System.Register.usernameRegister', username: name, password: PASSWORD },
  });
  expect((await answer.json()).message, name).toBe('');
  await page.goto(`${heron.url}/bots/`);
  await page.getByText(empty).waitFor();
}

/** A text field by its label. */
export function field(page: Page, label: string) {
  return page.getByRole('textbox', { name: label, exact: true });
}
