import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Fails if axe finds violations on the page. HERON_SCREENS saves a picture of it. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await saveScreenshot(page, name);
  expect(await axeViolations(page), `axe on ${name}`).toEqual([]);
}

/** Saves a picture of the page in the folder HERON_SCREENS, if that is set. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.HERON_SCREENS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

/** Returns the text of the page for the report of a failed test. */
export async function pageText(page: Page): Promise<string> {
  const text = await page.evaluate(() => document.body.innerText.replace(/\s+/g, ' ')).catch(String);
  return `${page.url()} shows: ${text.slice(0, 2_000)}`;
}

/** Returns the violations that axe finds on the page, one line per rule. */
export async function axeViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  // The script stays in the page until the next load; the app has no frames.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await AXE);
  // axe cannot judge a colour during a transition, so a check with violations is repeated when an animation began during it.
  for (let tries = 1; ; tries++) {
    const { faults, animated } = await runAxe(page, options);
    if (faults.length === 0 || !animated || tries === MAX_RUNS) return faults;
  }
}

/** axe is loaded again with each page. Minified, it is less than half of the text. */
const AXE = readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const MAX_RUNS = 5;

/** Runs axe once. `animated` is true when an animation began during the run. */
async function runAxe(page: Page, options: RunOptions): Promise<{ faults: string[]; animated: boolean }> {
  const { violations, animated } = await page.evaluate(async (given) => {
    // Elements have their final colours only after their animations, which may start others. Infinite ones are not awaited.
    const finiteAnimations = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        );
    for (let running = finiteAnimations(); running.length > 0; running = finiteAnimations())
      await Promise.allSettled(running.map(({ finished }) => finished));
    const listeners = new AbortController();
    let animated = false;
    const onAnimation = () => {
      animated = true;
    };
    for (const begins of ['transitionrun', 'animationstart'])
      document.addEventListener(begins, onAnimation, { capture: true, signal: listeners.signal });
    // The injected script has defined this global.
    const { axe: injected } = window as unknown as { axe: typeof axe };
    // Full results would describe every element without violations, which takes time.
    const found = await injected.run(document, { resultTypes: ['violations'], ...given });
    listeners.abort();
    return { violations: found.violations, animated };
  }, options);
  return { faults: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`), animated };
}
