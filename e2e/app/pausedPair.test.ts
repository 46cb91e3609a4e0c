import { expect, test } from 'vitest';
import { appTestbed, choose, field, register } from './appTestbed.ts';
import { makeBot } from './botRequests.ts';
import { openContext, SCREENS } from './browser.ts';
import { checkPage } from './checkPage.ts';

const testbed = appTestbed();

test('a manual sale pauses the grid of its pair until the user resumes it by keyboard', async () => {
  const context = await openContext(testbed.browser);
  const [phone, desktop] = await Promise.all(
    SCREENS.map(async ({ width, height }) => {
      const page = await context.newPage();
      page.setDefaultTimeout(90_000);
      await page.setViewportSize({ width, height });
      return page;
    }),
  );
  if (!phone || !desktop) throw new Error('two screens are needed');
  await register(desktop, testbed.heron, 'Netter');
  await desktop.getByRole('link', { name: 'New bot' }).click();
  await field(desktop, 'Name').fill('Net');
  await desktop.getByRole('combobox', { name: 'Strategy' }).selectOption('grid');
  await desktop.getByRole('combobox', { name: 'Timeframe' }).selectOption('1m');
  await desktop.getByRole('checkbox', { name: /BTC-USDT/ }).check();
  await desktop.getByRole('button', { name: 'Create and start' }).click();
  await desktop.getByTestId('bot-status').and(desktop.locator('[data-status=working]')).waitFor();

  // The grid starts with a purchase.
  await desktop.locator('[data-testid=position][data-open=true]').waitFor({ timeout: 150_000 });
  await phone.goto(desktop.url());
  await phone.locator('[data-testid=position][data-open=true]').waitFor();
  await desktop.getByRole('button', { name: 'Sell', exact: true }).locator('visible=true').click();
  await desktop.getByRole('button', { name: 'Review sell' }).click();
  await desktop.getByRole('button', { name: 'Confirm sell' }).click();

  for (const [page, name] of [
    [phone, 'phone'],
    [desktop, 'desktop'],
  ] as const) {
    const notice = page.getByTestId('paused');
    await notice.getByText('You sold manually or used the kill switch, which ended the grid or DCA deal.').waitFor();
    await page.getByRole('button', { name: /BTC-USDT.*Paused/s }).waitFor();
    await page.locator('[data-testid=position][data-open=false]').waitFor();
    expect(await page.getByRole('button', { name: 'Buy', exact: true }).locator('visible=true').isDisabled()).toBe(
      true,
    );
    await checkPage(page, `${name}-paused`);
  }

  await desktop.getByTestId('paused').getByRole('button', { name: 'Resume' }).focus();
  await desktop.keyboard.press('Enter');
  const question = desktop.getByRole('alertdialog', { name: 'Resume BTC-USDT?' });
  await question.waitFor();
  await checkPage(desktop, 'desktop-resume');
  await question.getByRole('button', { name: 'Resume' }).focus();
  await desktop.keyboard.press('Enter');
  for (const page of [desktop, phone]) await page.getByTestId('paused').waitFor({ state: 'detached' });
  await desktop.getByRole('tab', { name: 'Journal' }).click();
  await desktop.getByTestId('journal').getByText('Command: resume the pair.').waitFor();
  await context.close();
});

test('a short is opened and orders are cancelled manually, and the bot ends once flat', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Bear');
  const id = await makeBot(page, 'By hand', {
    exchange: 'binanceusdm-demo',
    watch_pairs: 'BTC-USDT',
    strategy: 'manual',
    markdown_buy_pct: 2,
  });
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).locator('visible=true').click();

  await press('Open');
  await choose(page, 'Chase');
  await field(page, 'Amount').fill('500');
  await press('Review');
  await press('Open position');
  await press('Cancel order');
  await page.getByTestId('orders').getByText('No open orders.').waitFor();

  await press('Open');
  await choose(page, 'Short');
  await field(page, 'Amount').fill('500');
  await field(page, 'Maximum slippage').fill('70');
  await press('Review');
  await page.getByText('Enter a percentage from 0.1 to 50').waitFor();
  await field(page, 'Maximum slippage').fill('1');
  await checkPage(page, 'desktop-open-short');
  await press('Review');
  await page.getByText(/^Go short in BTC-USDT with 500\.00 USDT of margin at the market price, now\./).waitFor();
  await press('Open position');
  await page.locator('[data-testid=position][data-open=true]').getByText('Short').waitFor();

  // The reviewed order adds to a short. If the short is closed meanwhile, the order must not open a long.
  await press('Open');
  await field(page, 'Amount').fill('200');
  await field(page, 'Maximum slippage').fill('２');
  await press('Review');
  await page.getByText('at most 2% away').waitFor();
  await page.evaluate(async (bot) => {
    const headers = { 'content-type': 'application/json' };
    const order = { requestId: crypto.randomUUID(), pair: 'BTC-USDT', side: 'sell', type: 'taker', percent: 100 };
    await fetch(`/bot/bots/${bot}/orders`, { method: 'POST', headers, body: JSON.stringify(order) });
  }, id);
  await page.getByText('The position in BTC-USDT has changed since you reviewed this order.').waitFor();
  await checkPage(page, 'desktop-order-overtaken');
  expect(await page.getByRole('button', { name: 'Open position' }).count()).toBe(0);
  await choose(page, 'Short');
  await press('Review');
  await press('Open position');
  await page.locator('[data-testid=position][data-open=true]').getByText('Short').waitFor();

  await press('Stop');
  const question = page.getByRole('alertdialog', { name: 'Stop By hand?' });
  await question.waitFor();
  await checkPage(page, 'desktop-stop-or-drain');
  await question.getByRole('button', { name: 'Stop when flat' }).click();
  await page.getByTestId('bot-status').getByText('Stops when flat').waitFor();
  expect(await page.getByRole('button', { name: 'Open', exact: true }).locator('visible=true').isDisabled()).toBe(true);
  await press('Stop');
  await question.waitFor();
  await question.getByRole('button', { name: 'Close positions and stop' }).click();
  await page.getByTestId('bot-status').and(page.locator('[data-status=finished]')).waitFor();
  await context.close();
});
