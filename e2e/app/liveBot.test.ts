import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appTestbed, field, register } from './appTestbed.ts';
import { answerToKey, makeBot } from './botRequests.ts';
import { openContext, screens } from './browser.ts';
import { checkPage } from './checkPage.ts';

const testbed = appTestbed();

interface Pair {
  readonly key: string;
  readonly secret: string;
}

/** Reads key and secret of the demo market's account from the file that the screen names. */
async function demoKey(page: Page): Promise<Pair & { ed25519: Pair }> {
  const text = await page.getByText('This is the demo market').textContent();
  const file = /sandbox\/[\w/]*keys\.json/.exec(text ?? '')?.[0] ?? '';
  return JSON.parse(await readFile(path.join(testbed.installation.dataFolder, file), 'utf8'));
}

/** Runs in the page: returns the id of the user's only key. */
const firstKey = async () => (await (await fetch('/bot/keys')).json()).keys[0].id as string;

/** Runs in the page: starts a live bot. */
async function startLive({ id, name }: { id: string; name: string }) {
  const response = await fetch(`/bot/bots/${id}/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ confirm: name }),
  });
  return { status: response.status, answer: await response.json() };
}

/** Runs in the page: deletes a bot. */
const removeBot = async (id: string) => (await fetch(`/bot/bots/${id}`, { method: 'DELETE' })).status;

describe.each(screens('desktop'))('the owner of an account, on a $name', ({ name, width, height }) => {
  let context: BrowserContext;
  let chinese: BrowserContext;
  let page: Page;
  const failures: string[] = [];
  const addresses: string[] = [];

  beforeAll(async () => {
    const screen = { viewport: { width, height }, hasTouch: name === 'phone' };
    context = await openContext(testbed.browser, screen);
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => failures.push(error.message));
    page.on('request', (request) => addresses.push(request.url()));
    await register(page, testbed.heron, `Owner_${name}`);
    chinese = await openContext(testbed.browser, {
      ...screen,
      ...{ locale: 'zh-CN', colorScheme: 'dark', storageState: await context.storageState() },
    });
  });

  afterAll(async () => {
    await context?.close();
    await chinese?.close();
  });

  /** Checks the same page in Chinese and in the dark theme. */
  async function checkInChinese(picture: string, text: string): Promise<void> {
    const other = await chinese.newPage();
    other.setDefaultTimeout(60_000);
    await other.goto(page.url());
    await other.getByText(text).first().waitFor();
    await checkPage(other, `${name}-${picture}-zh-dark`);
    await other.close();
  }

  async function addKey(exchange: string, label: string): Promise<{ key: string; secret: string }> {
    await page.getByRole('combobox', { name: 'Exchange' }).selectOption(exchange);
    const own = await demoKey(page);
    await field(page, 'Label').fill(label);
    await field(page, 'API key').fill(own.key);
    await field(page, 'Secret').fill(own.secret);
    return own;
  }

  /** Copies a text and pastes it into a field, as a user does with the content of a file. */
  async function paste(into: Locator, text: string): Promise<void> {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await into.focus();
    await page.keyboard.press('ControlOrMeta+V');
  }

  async function remove(row: Locator, label: string): Promise<void> {
    await row.getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('alertdialog', { name: `Remove ${label}?` });
    await question.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
  }

  async function testAndKeep(answer: Locator): Promise<void> {
    await page.getByRole('button', { name: 'Test and save' }).click();
    await answerToKey(page, answer);
  }

  test('adds a key, sees its permissions, and sees why the exchange rejects a key', async () => {
    await page.getByRole('link', { name: 'Exchanges' }).locator('visible=true').click();
    await page.getByText('No exchange keys yet').waitFor();
    await checkPage(page, `${name}-keys-empty`);
    await checkInChinese('keys-empty', '还没有交易所密钥');
    await page.getByRole('link', { name: 'Add key' }).click();
    await page.getByRole('button', { name: 'Test and save' }).click();
    await page.getByText('Enter a label for the key').waitFor();
    const named = field(page, 'Label');
    await expect
      .poll(() => named.evaluate((input) => input === document.activeElement), { timeout: 30_000 })
      .toBe(true);
    await checkPage(page, `${name}-key-add`);

    const own = await addKey('binance-demo', 'Demo account');
    await field(page, 'Secret').fill('x'.repeat(64));
    await testAndKeep(page.getByText('The exchange rejects this key'));
    await field(page, 'Secret').fill(own.secret);
    const row = page.getByTestId('key-row').filter({ hasText: 'Demo account' });
    await testAndKeep(row.getByText('Withdrawals disabled'));
    expect(await row.textContent()).toContain(`····${own.key.slice(-4)}`);
    await row.getByText('Set an IP allow-list').waitFor();
    await row.getByRole('button', { name: 'Test' }).click();
    await page.getByText('Demo account works').waitFor();

    // MEXC does not report a key's permissions, so the owner must confirm them.
    await page.getByRole('link', { name: 'Add a key for MEXC spot (demo market)' }).click();
    const mexc = await addKey('mexc-demo', 'Other account');
    await page.getByRole('button', { name: 'Test and save' }).click();
    await page.getByText('Check at the exchange, then confirm').waitFor();
    await checkPage(page, `${name}-key-add-mexc`);
    await page.getByRole('checkbox', { name: /cannot withdraw/ }).check();
    const other = page.getByTestId('key-row').filter({ hasText: 'Other account' });
    await testAndKeep(other.getByText('Withdrawals unknown'));
    await checkPage(page, `${name}-keys`);
    await remove(other, 'Other account');

    // The secrets are only on the server.
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
    const seen = [kept, await page.content(), ...addresses, testbed.heron.output()].join('\n');
    for (const secret of [own.secret, mexc.secret, own.key, mexc.key]) expect(seen).not.toContain(secret);
    expect(failures).toEqual([]);
  });

  test('accepts an Ed25519 private key with line breaks where the exchange has such keys', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: testbed.heron.url });
    await page.goto(`${testbed.heron.url}/exchange-add/`);
    await page.getByRole('combobox', { name: 'Exchange' }).selectOption('mexc-demo');
    await page.getByText('HMAC keys only').waitFor();
    expect(await page.getByText('openssl').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Exchange' }).selectOption('binanceusdm-demo');
    await page.getByText('Recommended: an Ed25519 key').waitFor();
    await page.getByText('An HMAC key works too').waitFor();
    await page.getByRole('button', { name: 'Use the demo key' }).click();
    const demo = page.getByRole('region', { name: 'Binance USD-M futures (demo' }).getByTestId('key-row');
    await demo.getByText('Withdrawals disabled').waitFor();
    await remove(demo, 'Demo');
    await page.goto(`${testbed.heron.url}/exchange-add/binanceusdm-demo/`);
    const { ed25519 } = await demoKey(page);
    expect(ed25519.secret.trim().split('\n')).toHaveLength(3);
    await field(page, 'Label').fill('By Ed25519');
    await paste(field(page, 'API key'), ed25519.key);
    await paste(field(page, 'Secret'), ed25519.secret);
    await page.getByRole('button', { name: 'Show secret' }).click();
    await checkPage(page, `${name}-key-add-ed25519`);
    await checkInChinese('key-add-guide', '添加交易所密钥');
    const row = page.getByTestId('key-row').filter({ hasText: 'By Ed25519' });
    await testAndKeep(row.getByText('Withdrawals disabled'));
    await remove(row, 'By Ed25519');
    const seen = [await page.content(), ...addresses, testbed.heron.output()].join('\n');
    for (const line of ed25519.secret.split('\n').filter((one) => !one.startsWith('-----') && one !== ''))
      expect(seen).not.toContain(line);
    expect(failures).toEqual([]);
  });

  test('starts a live bot by typing its name, sees its fill, and uses the kill switch', async () => {
    await page.goto(`${testbed.heron.url}/bot-add/`);
    await field(page, 'Name').fill('Careful');
    await page.getByRole('radio', { name: 'Live' }).check();
    await page.getByRole('combobox', { name: 'Strategy' }).selectOption('manual');
    await page.getByRole('combobox', { name: 'Timeframe' }).selectOption('1m');
    // The only key is chosen. Its balance limits the amount.
    const balance = page.getByText(/^Unallocated: [\d,]+\.\d\d USDT/);
    await balance.waitFor();
    const available = Number(/[\d,.]+\d/.exec((await balance.textContent()) ?? '')?.[0].replaceAll(',', ''));
    const amount = field(page, 'Allocated amount');
    for (const tooMuch of ['900,000', '99,999,999']) {
      await amount.fill(tooMuch);
      await page.getByRole('button', { name: 'Create and start' }).click();
      await page
        .getByRole('alert')
        .getByText(/^Only [\d,.]+ USDT is unallocated$/)
        .waitFor();
    }
    await checkPage(page, `${name}-live-add`);
    await page.getByRole('group', { name: 'Share of what is unallocated' }).getByText('50%').click();
    expect(Number(await amount.inputValue())).toBeCloseTo(available / 2, 1);
    await amount.fill('2,000');
    await page.getByRole('button', { name: 'Create and start' }).click();
    const question = page.getByRole('alertdialog', { name: 'Start Careful live?' });
    await question.getByText('2,000.00 USDT').waitFor();
    await question.getByRole('textbox').fill('careless');
    await question.getByRole('button', { name: 'Start live' }).click();
    await question.getByText('This is not the name').waitFor();
    await checkPage(page, `${name}-live-confirm`);
    await question.getByRole('textbox').fill('Careful');
    await page.keyboard.press('Enter');

    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    await page.getByTestId('account-connection').and(page.locator('[data-connection=streaming]')).waitFor();
    await page.getByText('Live, demo money').locator('visible=true').first().waitFor();

    // The money of a bot is not available to the next one, and more than the rest is refused at the start.
    const account = { key: await page.evaluate(firstKey), allotment: String(available - 1_000) };
    const second = await makeBot(page, 'Greedy', { mode: 'live' }, account);
    expect(await page.evaluate(startLive, { id: second, name: 'Greedy' })).toMatchObject({
      status: 422,
      answer: { error: { code: 'allotment_too_large', details: { available: String(available - 2_000) } } },
    });
    expect(await page.evaluate(removeBot, second)).toBe(200);

    await page.getByRole('button', { name: 'Buy', exact: true }).locator('visible=true').click();
    await field(page, 'Amount').fill('500');
    await page.getByRole('button', { name: 'Review buy' }).click();
    await page.getByRole('button', { name: 'Confirm buy' }).click();
    await page.locator('[data-testid=position][data-open=true]').waitFor();
    await page.getByTestId('trade-row').filter({ hasText: 'Manual' }).first().waitFor();
    await checkPage(page, `${name}-live-bot`);

    // A key cannot be removed while a bot uses it.
    await page.goto(`${testbed.heron.url}/exchange-index/`);
    await page.getByTestId('key-row').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alert').getByText('1 bot belongs to it, Careful').waitFor();
    await checkPage(page, `${name}-key-in-use`);
    await page.goto(`${testbed.heron.url}/bots/`);
    const card = page.getByTestId('bot-card');
    await card.getByText('Live, demo money').waitFor();
    await checkPage(page, `${name}-live-list`);
    await card.getByRole('link').first().click();

    // The list also has a kill switch, for all bots.
    await page.waitForURL(/\/bot\//);
    await page.locator('.page:not([inert])').getByRole('button', { name: 'Kill switch' }).click();
    const sheet = page.getByRole('dialog', { name: 'Kill switch' });
    await sheet.getByRole('radio', { name: 'Cancel and sell' }).check();
    await checkPage(page, `${name}-kill`);
    await sheet.getByRole('button', { name: 'Sell now' }).click();
    await sheet.getByText('The exchange has confirmed: everything is cancelled and sold.').waitFor();
    await checkPage(page, `${name}-killed`);
    await sheet.getByRole('button', { name: 'Close' }).first().click();
    await page.locator('[data-testid=position][data-open=false]').waitFor();
    await page.getByTestId('paused').getByText('You used the kill switch.').waitFor();
    await checkPage(page, `${name}-live-halted`);
    await checkInChinese('live-halted', '您使用了紧急停止');
    expect(failures).toEqual([]);
  });

  test('stops and deletes the bot, and only then removes the key', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByTestId('bot-status').and(page.locator('[data-status=finished]')).waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Start Careful live?' });
    await question.getByText('Demo account').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Setup' }).click();
    await page.getByRole('button', { name: 'Delete bot' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete bot' }).click();
    await page.getByText('No bots yet').waitFor();
    await page.getByRole('link', { name: 'Exchanges' }).locator('visible=true').click();
    await page.getByTestId('key-row').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No exchange keys yet').waitFor();
    expect(failures).toEqual([]);
  });
});
