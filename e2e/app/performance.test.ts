import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { appTestbed, register } from './appTestbed.ts';
import { makeBot, trade } from './botRequests.ts';
import { openContext, SCREENS } from './browser.ts';
import { checkPage } from './checkPage.ts';

const testbed = appTestbed();

test('results are charted, explained by pair, reason and month, and shown at home', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Counter');
  const id = await makeBot(page, 'Counted');
  await makeBot(page, 'Idle');
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  await page.getByRole('tab', { name: 'Results' }).click();
  await page.getByText('No curve yet').waitFor();
  await page.getByText('No results yet').waitFor();
  await checkPage(page, 'desktop-results-empty');

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
  await results.getByRole('region', { name: 'By pair' }).getByText('2 filled orders').waitFor();
  await results.getByRole('region', { name: 'By reason' }).getByText('Manual').waitFor();
  await results.getByRole('img', { name: /^Equity from .* maximum drawdown/ }).waitFor();
  await results.getByRole('radio', { name: 'All' }).check({ force: true });
  await results.getByRole('img', { name: /^Equity from/ }).hover();
  await checkPage(page, 'desktop-results');

  const download = page.waitForEvent('download');
  await results.getByRole('button', { name: 'Download trades (CSV)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`heron-${id}-binance-demo-paper-trades.csv`);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(',BTC-USDT,binance-demo,"paper, demo market",entry,buy,manual,');

  // The chart reads a page of orders. A page of one stands for a bot with more orders than that.
  await page.route(/\/trades\?.*limit=200/, (route) =>
    route.continue({ url: route.request().url().replace('limit=200', 'limit=1') }),
  );
  await page.reload();
  await page.getByText('Marks show the fills of the 1 newest order.').waitFor();
  await checkPage(page, 'desktop-chart-marks-of');

  const [{ width, height }] = SCREENS;
  const chinese = await openContext(testbed.browser, {
    ...{ locale: 'zh-CN', colorScheme: 'dark', viewport: { width, height } },
    storageState: await context.storageState(),
  });
  const phone = await chinese.newPage();
  phone.setDefaultTimeout(90_000);
  await phone.goto(`${testbed.heron.url}/bot/${id}/`);
  await phone.getByRole('tab', { name: '收益' }).click();
  await phone
    .getByTestId('results')
    .getByRole('img', { name: /的权益：从/ })
    .waitFor();
  await phone.getByTestId('results').scrollIntoViewIfNeeded();
  await checkPage(phone, 'phone-results');

  for (const [screen, name, day, since] of [
    [page, 'desktop', /^Profit over 24 hours/, /^[-+]?[\d.]+ USDTsince /],
    [phone, 'phone', /^近 24 小时收益/, /^[-+]?[\d.]+ USDT自 /],
  ] as const) {
    await screen.goto(`${testbed.heron.url}/bots/`);
    const card = screen.getByTestId('bot-card').filter({ hasText: 'Counted' });
    await card.getByRole('img', { name: day }).waitFor();
    const today = await card.getByTestId('card-today').textContent();
    expect(today).toMatch(since);
    // The other bot has never run.
    const idle = screen.getByTestId('bot-card').filter({ hasText: 'Idle' });
    expect(await idle.getByTestId('card-today').textContent()).toBe('0.00 USDT');
    const all = await screen.getByTestId('totals-today').textContent();
    expect(today?.startsWith(all ?? 'nothing')).toBe(true);
    await checkPage(screen, `${name}-home-profit`);
  }

  // After a reset the trades stay visible, and the figures start at zero.
  await phone.goto(`${testbed.heron.url}/bot/${id}/`);
  await phone.getByRole('tab', { name: '配置' }).click();
  await phone.getByRole('button', { name: '重置模拟账户' }).click();
  const question = phone.getByRole('alertdialog', { name: '重置 Counted 的模拟账户？' });
  await question.getByText('账户将以 10,000.00 USDT 重新开始').waitFor();
  await checkPage(phone, 'phone-reset');
  await question.getByRole('button', { name: '重置模拟账户' }).click();
  await phone.getByTestId('equity').getByText('10,000.00 USDT').waitFor();
  await phone.getByRole('tab', { name: '收益' }).click();
  await phone.getByText(/^账户已于 .* 重新开始/).waitFor();
  await phone.getByText('还没有收益记录').waitFor();
  await checkPage(phone, 'phone-results-reset');
  await phone.getByRole('tab', { name: '成交' }).click();
  await phone.getByTestId('trades').getByRole('listitem').nth(1).waitFor();
  await chinese.close();
  await context.close();
});
