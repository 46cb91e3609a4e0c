import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Fails if axe finds violations on the page. HERON_SCREENS saves a picture of it. */
export async function look(page: Page, name: string): Promise<void> {
  await keepPicture(page, name);
  expect(await axeFaults(page), `axe on ${name}`).toEqual([]);
}

/** Saves a picture of the page in the folder HERON_SCREENS, if that is set. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.HERON_SCREENS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

/** Returns the text of the page for the report of a failed test. */
export async function pageInWords(page: Page): Promise<string> {
  const words = await page.evaluate(() => document.body.innerText.replace(/\s+/g, ' ')).catch(String);
  return `${page.url()} says: ${words.slice(0, 2_000)}`;
}

/** Returns the violations that axe finds on the page, one line per rule. */
export async function axeFaults(page: Page, options: RunOptions = {}): Promise<string[]> {
  // The script stays in the page until the next load; the app has no frames.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // axe cannot judge a colour during a transition, so a check with violations is repeated when an animation began during it.
  for (let tries = 1; ; tries++) {
    const { faults, stirred } = await lookOnce(page, options);
    if (faults.length === 0 || !stirred || tries === MOST_LOOKS) return faults;
  }
}

const MOST_LOOKS = 5;

/** Runs axe once. `stirred` is true when an animation began during the run. */
async function lookOnce(page: Page, options: RunOptions): Promise<{ faults: string[]; stirred: boolean }> {
  const { violations, stirred } = await page.evaluate(async (given) => {
    // Elements have their final colours only after their animations, which may start others. Infinite ones are not awaited.
    const passing = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        );
    for (let moving = passing(); moving.length > 0; moving = passing())
      await Promise.allSettled(moving.map(({ finished }) => finished));
    const motion = new AbortController();
    let moved = false;
    const stir = () => {
      moved = true;
    };
    for (const begins of ['transitionrun', 'animationstart'])
      document.addEventListener(begins, stir, { capture: true, signal: motion.signal });
    // The injected script has defined this global.
    const { axe: there } = window as unknown as { axe: typeof axe };
    // Full results would describe every element without violations, which takes time.
    const found = await there.run(document, { resultTypes: ['violations'], ...given });
    motion.abort();
    return { violations: found.violations, stirred: moved };
  }, options);
  return { faults: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`), stirred };
}
