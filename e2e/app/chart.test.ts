import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { SCREENS } from './browser.ts';
import { appGround, field, register } from './ground.ts';
import { look } from './look.ts';

const ground = appGround();

it('the chart has lines where the position was entered and where its exits act, and they go when it is sold', async () => {
  const context = await ground.browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, ground.heron, 'Liner');
  const id = await page.evaluate(async () => {
    const options = {
      watch_pairs: 'BTC-USDT',
      strategy: 'manual',
      period: '1m',
      profit_win: [{ profit: 1, stop: 50 }],
    };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Lines', options, params: {} });
    return (await (await fetch('/bot/bots', { method: 'POST', headers, body })).json()).id as string;
  });
  await page.goto(`${ground.heron.url}/bot/${id}/`);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).locator('visible=true').click();
  await press('Start');
  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  await press('Buy');
  await field(page, 'Amount').fill('1500');
  await press('Review buy');
  await press('Confirm buy');

  await page.locator('.chart-line[data-kind=entry]').waitFor();
  const { position } = (await detail(page, id)).pairViews[0] as BotDetail['pairViews'][number];
  const lines = await page
    .locator('.chart-line')
    .evaluateAll((items) =>
      items.map((item) => [item.getAttribute('data-kind'), Number(item.getAttribute('data-price'))]),
    );
  const entry = Number(position?.entryPrice);
  expect(lines).toEqual([
    ['entry', entry],
    ['stop', Math.floor(entry * 95) / 100],
    ['win', Math.ceil(entry * 101) / 100],
    ['arm', Math.ceil(entry * 105) / 100],
  ]);
  await page.getByText('Target 50%').waitFor();
  for (const { name, width, height } of SCREENS) {
    await page.setViewportSize({ width, height });
    await page.getByTestId('chart').locator('canvas').first().waitFor();
    await look(page, `${name}-chart-lines`);
  }

  await press('Sell');
  await press('Review sell');
  await press('Confirm sell');
  await page.locator('.chart-lines').waitFor({ state: 'detached' });
  await context.close();
});

/** What the bot host says of a bot. */
function detail(page: Page, id: string): Promise<BotDetail> {
  return page.evaluate(async (bot) => (await fetch(`/bot/bots/${bot}`)).json(), id);
}
