import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { SCREENS } from './browser.ts';
import { appGround, register } from './ground.ts';
import { look } from './look.ts';

const ground = appGround();

/** Makes a manual bot by the call, and gives its id. */
async function makeBot(page: Page, name: string): Promise<string> {
  return page.evaluate(async (given) => {
    const options = { exchange: 'binance', watch_pairs: 'BTC-USDT', strategy: 'manual' };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: given, options, params: {} });
    return (await (await fetch('/bot/bots', { method: 'POST', headers, body })).json()).id as string;
  }, name);
}

/** Buys for 500 by the call, or sells all. */
async function trade(page: Page, id: string, side: 'buy' | 'sell'): Promise<void> {
  const status = await page.evaluate(
    async ([bot, given]) => {
      const how = given === 'buy' ? { value: '500' } : { percent: 100 };
      const requestId = crypto.randomUUID();
      const body = JSON.stringify({ requestId, pair: 'BTC-USDT', side: given, type: 'taker', ...how });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`/bot/bots/${bot}/orders`, { method: 'POST', headers, body })).status;
    },
    [id, side] as const,
  );
  expect(status).toBe(200);
}

it('what a bot has won or lost is drawn, explained by pair, reason and month, kept as a table, and told at home', async () => {
  const context = await ground.browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, ground.heron, 'Counter');
  const id = await makeBot(page, 'Counted');
  await makeBot(page, 'Idle');
  await page.goto(`${ground.heron.url}/bot/${id}/`);
  await page.getByRole('tab', { name: 'Results' }).click();
  await page.getByText('No curve yet').waitFor();
  await page.getByText('No results yet').waitFor();
  await look(page, 'desktop-results-empty');

  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  await trade(page, id, 'buy');
  await page.locator('[data-testid=position][data-open=true]').waitFor();
  await trade(page, id, 'sell');
  await page.locator('[data-testid=position][data-open=false]').waitFor();
  const results = page.getByTestId('results');
  const months = results.getByRole('region', { name: 'By month' });
  await months.getByText('1 lost').or(months.getByText('1 won')).waitFor();
  expect(await results.getByTestId('result-row').count()).toBe(3);
  await results.getByRole('region', { name: 'By pair' }).getByText('2 trades').waitFor();
  await results.getByRole('region', { name: 'By reason' }).getByText('by hand').waitFor();
  await results.getByRole('img', { name: /^Equity from .* greatest drawdown/ }).waitFor();
  await results.getByRole('radio', { name: 'All' }).check({ force: true });
  await results.getByRole('img', { name: /^Equity from/ }).hover();
  await look(page, 'desktop-results');

  const download = page.waitForEvent('download');
  await results.getByRole('button', { name: 'Download trades (CSV)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`heron-${id}-trades.csv`);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(',BTC-USDT,entry,buy,manual,');

  const [{ width, height }] = SCREENS;
  const chinese = await ground.browser.newContext({
    ...{ locale: 'zh-CN', colorScheme: 'dark', viewport: { width, height } },
    storageState: await context.storageState(),
  });
  const phone = await chinese.newPage();
  phone.setDefaultTimeout(90_000);
  await phone.goto(`${ground.heron.url}/bot/${id}/`);
  await phone.getByRole('tab', { name: '收益' }).click();
  await phone
    .getByTestId('results')
    .getByRole('img', { name: /的权益：从/ })
    .waitFor();
  await phone.getByTestId('results').scrollIntoViewIfNeeded();
  await look(phone, 'phone-results');

  for (const [screen, name, day, since] of [
    [page, 'desktop', /^Profit over 24 hours/, /^[-+]?[\d.]+ USDTsince /],
    [phone, 'phone', /^近 24 小时收益/, /^[-+]?[\d.]+ USDT自 /],
  ] as const) {
    await screen.goto(`${ground.heron.url}/bots/`);
    const card = screen.getByTestId('bot-card').filter({ hasText: 'Counted' });
    await card.getByRole('img', { name: day }).waitFor();
    const today = await card.getByTestId('card-today').textContent();
    expect(today).toMatch(since);
    // The other one was never seen at work.
    const idle = screen.getByTestId('bot-card').filter({ hasText: 'Idle' });
    expect(await idle.getByTestId('card-today').textContent()).toBe('0.00 USDT');
    const all = await screen.getByTestId('totals-today').textContent();
    expect(today?.startsWith(all ?? 'nothing')).toBe(true);
    await look(screen, `${name}-home-profit`);
  }
  await chinese.close();
  await context.close();
});
