import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import { type AppGround, appGround, field } from './ground.ts';
import { appointKeeper } from './people.ts';

/** A running Heron with its first super administrator, called Keeper, and browsers of people who come to it. */
export interface VisitedGround {
  readonly ground: AppGround;
  /** Token of a session of the super administrator. */
  keeper(): string;
  /** A new person's browser at a path. Closed after the test, in which no page may have thrown. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

export function visitedGround(): VisitedGround {
  const ground = appGround();
  const contexts: BrowserContext[] = [];
  const failures: string[] = [];
  let keeper = '';
  beforeAll(async () => {
    keeper = await appointKeeper(ground.heron);
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(failures.splice(0)).toEqual([]);
  });
  return {
    ground,
    keeper: () => keeper,
    async open(path, options = {}) {
      const context = await ground.browser.newContext({ locale: 'en-US', ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on('pageerror', (error) => failures.push(error.message));
      await page.goto(ground.heron.url + path);
      return page;
    },
  };
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Logs in by the screen that is open. */
export async function logIn(page: Page, name: string, password: string): Promise<void> {
  await field(page, 'Account').fill(name);
  await field(page, 'Password').fill(password);
  await button(page, 'Log in').click();
}
