import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { MarketTerms } from '@heron/contract/bots/entities.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { BacktestDocument } from '@heron/engine/report/document.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { appTestbed, field, register } from './appTestbed.ts';
import { makeBot } from './botRequests.ts';
import { openContext, screens } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { button } from './pageTestbed.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const testbed = appTestbed();

/** Returns the backtest result on the screen, from its downloaded file. */
async function saved(page: Page, labels: Labels): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, labels.save).click()]);
  expect(file.suggestedFilename()).toMatch(/\.binance(usdm)?-demo\.backtest\.json$/);
  return readFile(await file.path(), 'utf8');
}

/** Runs the same backtest on the command line, over the candles that the bot host has stored. */
async function byCommand(page: Page, document: BacktestDocument): Promise<string> {
  const { exchange } = document.options;
  const pairs = document.pair.split(',');
  const span = { from: document.from, to: document.to };
  const flags: string[] = [];
  for (const pair of pairs) {
    const { market, funding } = await page.evaluate(
      async ([venue, name, { from, to }]) => {
        const query = new URLSearchParams({ venue, pair: name, from: String(from), to: String(to) });
        return (await (await fetch(`/bot/markets/terms?${query}`)).json()) as MarketTerms;
      },
      [exchange, pair, span] as const,
    );
    const file = path.join(testbed.installation.dataFolder, 'candles-of-market', exchange, `${pair}-1m.arrow`);
    flags.push('--candles', `${pair}=${file}`);
    flags.push('--tick', `${pair}=${formatUnits(market.tick)}`);
    flags.push('--step', `${pair}=${formatUnits(market.step, market.assetDecimals)}`);
    flags.push('--min-notional', `${pair}=${formatUnits(market.minNotional)}`);
    if (funding === null) continue;
    const paid = path.join(testbed.installation.dataFolder, `${pair}.csv`);
    await writeFile(paid, funding.time.map((at, i) => `${at},${funding.rate[i]},${funding.mark[i]}\n`).join(''));
    flags.push('--funding', `${pair}=${paid}`);
  }
  for (const [name, value] of Object.entries(document.options)) {
    if (name === 'watch_pairs' || name === 'strategy' || name === 'product_currency') continue;
    flags.push('--option', `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  }
  for (const [name, value] of Object.entries(document.params)) flags.push('--param', `${name}=${value}`);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['apps/cli/src/main.ts', 'backtest', '--strategy', document.strategy, '--json', ...flags],
      ...['--from', new Date(document.from).toISOString(), '--to', new Date(document.to).toISOString()],
    ],
    { cwd: ROOT, maxBuffer: 1 << 28 },
  );
  return stdout;
}

test.for(screens('phone'))(
  'a set-up is backtested before it trades, with progress and result, on a $name',
  async ({ name, width, height }) => {
    const labels: Labels = name === 'phone' ? CHINESE : ENGLISH;
    const first = await openContext(testbed.browser, { viewport: { width, height } });
    const visitor = await first.newPage();
    visitor.setDefaultTimeout(90_000);
    await register(visitor, testbed.heron, `Tester_${name}`);
    const context = await openContext(testbed.browser, {
      ...{ viewport: { width, height }, hasTouch: name === 'phone' },
      ...labels.display,
      storageState: await first.storageState(),
    });
    await first.close();
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await page.goto(`${testbed.heron.url}/bot-add/`);
    await field(page, labels.name).fill('Past');
    await page.getByRole('combobox', { name: labels.strategy, exact: true }).selectOption('ema_cross');
    await page.getByRole('combobox', { name: labels.period, exact: true }).selectOption('15m');
    await button(page, labels.open).click();
    const sheet = page.getByTestId('backtest');
    await sheet.getByText(labels.text).waitFor();
    await checkPage(page, `${name}-backtest`);

    // The page does not block on missing candles: the run can be stopped and started again.
    let venue: 'silent' | 'away' | 'held' | 'there' = 'silent';
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/bot\/candles\/past\?/, async (route) => {
      const error = { code: 'exchange_unreachable', message: '' };
      if (venue === 'away') await route.fulfill({ status: 503, json: { error } });
      else if (venue === 'held') await released.then(() => route.continue());
      else if (venue === 'there') await route.continue();
    });
    await button(page, labels.start).click();
    await sheet.getByText(labels.fetching).waitFor();
    await checkPage(page, `${name}-backtest-fetching`);
    await button(page, labels.cancel).click();
    await sheet.and(page.locator('[data-step=idle]')).waitFor();
    venue = 'away';
    await button(page, labels.start).click();
    await sheet.getByRole('alert').getByText(labels.away).waitFor();
    await checkPage(page, `${name}-backtest-away`);
    // The run continues while the sheet is closed.
    venue = 'held';
    await sheet.getByRole('radio', { name: labels.week, exact: true }).check({ force: true });
    await button(page, labels.again).click();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: labels.going }).scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-backtest-going`);
    await page.getByRole('button', { name: labels.going }).click();
    await sheet.getByText(labels.fetching).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    venue = 'there';
    const finished = page.getByText(labels.ready).waitFor();
    release();
    await finished;
    await button(page, labels.result).click();
    expect(await sheet.getByRole('radio', { name: labels.week, exact: true }).isChecked()).toBe(true);
    const report = page.getByTestId('backtest-report');
    await report.waitFor();
    await report.getByTestId('backtest-trade').nth(3).waitFor();
    await report.getByRole('img', { name: labels.curve }).waitFor();
    await checkPage(page, `${name}-backtest-result`);
    await report.getByText(labels.noPromise).scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-backtest-trades`);

    const document: BacktestDocument = JSON.parse(await saved(page, labels));
    expect(document.money).toBe('backtest, invented prices of the demo market, simulated money');
    expect(await report.getByTestId('backtest-money').textContent()).toContain(labels.money);
    expect(document).toMatchObject({ pair: 'BTC-USDT,ETH-USDT', strategy: 'ema_cross', period: '15m', detail: true });
    expect(document.to - document.from).toBeGreaterThan(7 * 86_400_000);
    expect(await report.getByTestId('backtest-trades').textContent()).toBe(String(document.metrics.trades));

    // The demo market's history is shorter than a quarter.
    await sheet.getByRole('radio', { name: labels.quarter, exact: true }).check({ force: true });
    await button(page, labels.again).click();
    await report.getByText(labels.begins).first().waitFor();
    await checkPage(page, `${name}-backtest-young`);
    const compared = page.getByTestId('backtest-compare');
    expect(await compared.getByRole('columnheader').count()).toBe(2);
    await compared.getByText(labels.sameSetup).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await field(page, labels.name).inputValue()).toBe('Past');

    // Another configuration is listed beside the previous ones, and a bot can be started from here.
    await page.getByRole('combobox', { name: labels.period, exact: true }).selectOption('1h');
    await button(page, labels.open).click();
    await button(page, labels.start).click();
    await compared.getByRole('row', { name: new RegExp(`^${labels.period}`) }).waitFor();
    const row = compared.getByRole('row', { name: new RegExp(`^${labels.period}`) });
    expect(await row.getByRole('cell').allTextContents()).toEqual(['1h', '15m', '15m']);
    await compared.scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-backtest-compared`);
    await sheet.getByRole('button', { name: labels.createAndStart }).click();
    await page.waitForURL(/\/bot\/\w+\/$/);
    await page.getByTestId('bot-status').waitFor();
    await context.close();
  },
);

test('a backtest in the browser and on the command line give identical results', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Bookkeeper');
  const runs = [
    { options: { exchange: 'binance-demo', watch_pairs: 'BTC-USDT,ETH-USDT', period: '5m', order_type: 'taker' } },
    { options: { exchange: 'binanceusdm-demo', watch_pairs: 'ETH-USDT,BTC-USDT', period: '15m', market: 'both' } },
  ];
  for (const { options } of runs) {
    const id = await makeBot(page, options.exchange, { ...options, strategy: 'ema_cross' });
    await page.goto(`${testbed.heron.url}/bot/${id}/`);
    await page.getByRole('tab', { name: 'Setup' }).click();
    await button(page, ENGLISH.open).click();
    await page.getByRole('radio', { name: ENGLISH.week, exact: true }).check({ force: true });
    await button(page, ENGLISH.start).click();
    await page.locator('[data-testid=backtest][data-step=done], [data-testid=backtest][data-step=failed]').waitFor();
    expect(await page.getByTestId('backtest').getByRole('alert').allTextContents()).toEqual([]);
    const text = await saved(page, ENGLISH);
    const document: BacktestDocument = JSON.parse(text);
    expect(document.fills.length).toBeGreaterThan(10);
    expect(document.funding.length > 0).toBe(options.exchange === 'binanceusdm-demo');
    expect(text).toBe(await byCommand(page, document));
  }
  const refused = await page.evaluate(async () => {
    const ask = async (query: string) => (await fetch(`/bot/candles/past?${query}`)).status;
    return [
      await ask('venue=binance-demo&pair=NOPE-USDT&period=1h&from=0&to=1'),
      await ask('venue=binance-demo&pair=BTC-USDT&period=3m&from=0&to=1'),
      await ask('venue=nowhere&pair=BTC-USDT&period=1h&from=0&to=1'),
      await ask('venue=binance-demo&pair=BTC-USDT&period=1h&from=-1&to=1'),
      await ask('venue=binance-demo&pair=BTC-USDT&period=1h&from=5&to=1'),
      await ask('venue=binance-demo&pair=BTC-USDT&period=1d&from=0&to=9007199254740991'),
    ];
  });
  expect(refused).toEqual([422, 422, 422, 422, 200, 200]);
  await context.close();
});

test('a backtest between two days shows figures, sources and trades on a chart, on a desktop', async () => {
  const context = await openContext(testbed.browser, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await register(page, testbed.heron, 'Historian');
  const options = { exchange: 'binance-demo', watch_pairs: 'BTC-USDT,ETH-USDT', period: '15m', strategy: 'ema_cross' };
  const id = await makeBot(page, 'Dated', options);
  await page.goto(`${testbed.heron.url}/bot/${id}/`);
  await page.getByRole('tab', { name: 'Setup' }).click();
  await button(page, ENGLISH.open).click();
  const sheet = page.getByTestId('backtest');
  await sheet.getByRole('radio', { name: 'Dates', exact: true }).check({ force: true });
  const days = [7, 3].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
  const [firstDay = '', lastDay = ''] = days;
  await sheet.getByLabel('First day').fill(lastDay);
  await sheet.getByLabel('Last day').fill(firstDay);
  await sheet.getByText('at least one candle between them').waitFor();
  expect(await button(page, ENGLISH.start).isDisabled()).toBe(true);
  await sheet.getByLabel('First day').fill(firstDay);
  await sheet.getByLabel('Last day').fill(lastDay);
  await button(page, ENGLISH.start).click();
  const report = page.getByTestId('backtest-report');
  await report.waitFor();
  const document: BacktestDocument = JSON.parse(await saved(page, ENGLISH));
  // The candles before the first day warm the strategy up.
  const [begin, end] = [Date.parse(`${firstDay}T00:00`), Date.parse(`${lastDay}T00:00`) + 86_400_000];
  expect(document.from).toBeLessThanOrEqual(begin);
  expect(document.to).toBe(end);
  expect(document.fills.every(({ time }) => time >= begin && time < end)).toBe(true);

  const factor = await report.getByTestId('backtest-profit-factor').textContent();
  expect(factor).toBe(document.metrics.profitFactor === null ? '—' : document.metrics.profitFactor.toFixed(2));
  const rows = report.getByRole('region', { name: 'By pair' }).getByTestId('result-row');
  expect(await rows.count()).toBe(2);
  const chart = report.getByTestId('backtest-chart');
  await chart.locator('canvas').first().waitFor();
  await checkPage(page, 'desktop-backtest-dates');
  // Pair and time of an older trade come into view.
  const older = report.getByTestId('backtest-trade').last();
  const pair = (await older.locator('strong').textContent()) ?? '';
  await older.getByRole('button', { name: /^Show on chart: / }).click();
  await chart.locator('[data-position]').waitFor();
  expect(await chart.getByRole('combobox', { name: 'Pair on the chart' }).inputValue()).toBe(pair);
  await expect.poll(() => chart.evaluate((section) => section.getBoundingClientRect().bottom > 0)).toBe(true);
  await checkPage(page, 'desktop-backtest-trade');

  await context.close();
});

const ENGLISH = {
  display: { locale: 'en-US' },
  name: 'Name',
  strategy: 'Strategy',
  period: 'Timeframe',
  open: 'Backtest',
  text: 'Runs exactly this setup over past candles',
  start: 'Run backtest',
  again: 'Run again',
  fetching: 'Fetching candles',
  cancel: 'Cancel',
  away: 'Cannot reach the exchange',
  going: /^Backtest: \d+%$/,
  ready: 'The backtest of “Past” has finished.',
  result: 'Backtest: see result',
  week: '7 days',
  quarter: '90 days',
  curve: /^Equity from/,
  begins: /^The candles of .* begin on/,
  money: 'Binance spot (demo market): backtest, invented prices of the demo market, simulated money.',
  noPromise: 'do not guarantee',
  save: 'Download result (JSON)',
  sameSetup: 'These runs have the same options.',
  createAndStart: 'Create and start',
} as const;

const CHINESE = {
  display: { locale: 'zh-CN', colorScheme: 'dark' },
  name: '名称',
  strategy: '策略',
  period: 'K线周期',
  open: '回测',
  text: '按当前配置跑一遍历史 K 线',
  start: '开始回测',
  again: '重新回测',
  fetching: '正在获取 K 线',
  cancel: '取消',
  away: '暂时无法连接交易所',
  going: /^回测：\d+%$/,
  ready: '“Past”的回测已完成。',
  result: '回测：查看结果',
  week: '7 天',
  quarter: '90 天',
  curve: /权益/,
  begins: /的 K 线从 .* 才开始/,
  money: '币安现货（演示市场）：回测，演示市场的虚构行情，模拟资金。',
  noPromise: '历史表现不代表未来收益',
  save: '下载结果文件',
  sameSetup: '这几次回测的选项相同。',
  createAndStart: '创建并启动',
} as const;

type Labels = typeof ENGLISH | typeof CHINESE;
