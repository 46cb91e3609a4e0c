import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** axe finds nothing on the page as it is; HERON_SCREENS keeps a picture of it. */
export async function look(page: Page, name: string): Promise<void> {
  await keepPicture(page, name);
  expect(await axeFaults(page), `axe on ${name}`).toEqual([]);
}

/** A picture of the page, for a person who wants to see it: in the folder HERON_SCREENS, if that is set. */
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

/** What axe finds on the page as it is, a line for each rule that is broken. */
export async function axeFaults(page: Page, options: RunOptions = {}): Promise<string[]> {
  // Within the page, which keeps it until it is loaded anew; we have no frames.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // A colour that begins to change under its eyes is none that axe could judge. What stands still is judged at once.
  for (let tries = 1; ; tries++) {
    const { faults, stirred } = await lookOnce(page, options);
    if (faults.length === 0 || !stirred || tries === MOST_LOOKS) return faults;
  }
}

const MOST_LOOKS = 5;

/** Lets axe look once. `stirred` when some motion began meanwhile. */
async function lookOnce(page: Page, options: RunOptions): Promise<{ faults: string[]; stirred: boolean }> {
  const { violations, stirred } = await page.evaluate(async (given) => {
    // What is on its way in has not its colours yet. Some motion goes on for as long as something is awaited.
    const passing = document
      .getAnimations()
      .filter(
        ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
      );
    await Promise.allSettled(passing.map(({ finished }) => finished));
    const motion = new AbortController();
    let moved = false;
    const stir = () => {
      moved = true;
    };
    for (const begins of ['transitionrun', 'animationstart'])
      document.addEventListener(begins, stir, { capture: true, signal: motion.signal });
    // What its source has just put there.
    const { axe: there } = window as unknown as { axe: typeof axe };
    // Of what is right it would write down where it stands, for each element.
    const found = await there.run(document, { resultTypes: ['violations'], ...given });
    motion.abort();
    return { violations: found.violations, stirred: moved };
  }, options);
  return { faults: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`), stirred };
}
