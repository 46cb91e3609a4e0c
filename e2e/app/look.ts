import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** axe finds nothing on the page as it is; HERON_SCREENS keeps a picture of it. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.HERON_SCREENS;
  if (folder) {
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
  }
  // Within the page, not by way of a new one, which takes three times as long and is only needed for frames of other origins.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, `axe on ${name}`).toEqual([]);
}
