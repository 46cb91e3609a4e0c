import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Installation } from './heron.ts';

/** Sends a request to the bot host in the session of the page, and returns the response. */
export async function post<Answer>(page: Page, path: string, body: object): Promise<Answer> {
  const { status, answer } = await page.evaluate(
    async ([to, sent]) => {
      const headers = { 'content-type': 'application/json' };
      const got = await fetch(to, { method: 'POST', headers, body: sent });
      return { status: got.status, answer: await got.json() };
    },
    [path, JSON.stringify(body)] as const,
  );
  expect(status, JSON.stringify(answer)).toBe(200);
  return answer as Answer;
}

/**
 * Creates a paper bot for manual trading on BTC-USDT; `options` and `account` override that, also for a live bot. Returns its
 * ID.
 */
export async function makeBot(page: Page, name: string, options: object = {}, account: object = {}): Promise<string> {
  const usual = { exchange: 'binance-demo', watch_pairs: 'BTC-USDT', strategy: 'manual' };
  const bot = { name, options: { ...usual, ...options }, params: {}, ...account };
  const { id } = await post<{ id: string }>(page, '/bot/bots', bot);
  return id;
}

/** Saves the key of the demo account on Binance spot. Returns its ID. */
export async function saveDemoKey(page: Page, { dataFolder }: Installation): Promise<string> {
  const file = path.join(dataFolder, 'sandbox', 'keys.json');
  const { key, secret } = JSON.parse(await readFile(file, 'utf8')) as { key: string; secret: string };
  while (!(await post<{ ready: boolean }>(page, '/bot/keys/prepare', { venue: 'binance-demo' })).ready);
  const account = { venue: 'binance-demo', label: 'Demo account', key, secret };
  const { id } = await post<{ id: string }>(page, '/bot/keys', account);
  return id;
}

export async function startBot(page: Page, id: string): Promise<void> {
  await post(page, `/bot/bots/${id}/start`, {});
}

/** Buys BTC-USDT for 500 at market, or sells the whole position. */
export async function trade(page: Page, id: string, side: 'buy' | 'sell'): Promise<void> {
  const how = side === 'buy' ? { value: '500' } : { percent: 100 };
  const requestId = crypto.randomUUID();
  await post(page, `/bot/bots/${id}/orders`, { requestId, pair: 'BTC-USDT', side, type: 'taker', ...how });
}

/**
 * Waits for the exchange's answer to a key that was sent. The exchange has eight seconds; where a busy machine needs more, the
 * form says so, and the key is sent again as it asks.
 */
export async function answerToKey(page: Page, answer: Locator): Promise<void> {
  const late = page.getByText('Cannot reach the exchange. Try again shortly');
  for (;;) {
    await answer.or(late).first().waitFor({ timeout: 120_000 });
    if (await answer.isVisible()) return;
    await page.getByRole('button', { name: 'Test and save' }).click();
    await late.waitFor({ state: 'detached' });
  }
}
