import { expect, test } from 'vitest';
import { appTestbed, register } from './appTestbed.ts';
import { makeBot, startBot } from './botRequests.ts';
import { openContext } from './browser.ts';
import { checkPage } from './checkPage.ts';

const testbed = appTestbed();
const WAIT = { timeout: 30_000 };

/** Sends a signal as TradingView does: as text. */
async function signal(url: string, body: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

test.each([
  { name: 'phone', viewport: { width: 360, height: 640 }, colorScheme: 'dark', locale: 'zh-CN' },
  { name: 'desktop', viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'en' },
] as const)(
  'a signal is previewed, then executed once by a running bot, on a $name',
  async ({ name, locale, ...screen }) => {
    const isChinese = locale === 'zh-CN';
    const say = (en: string, zh: string) => (isChinese ? zh : en);
    const context = await openContext(testbed.browser, { ...screen, locale });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await register(page, testbed.heron, `Signaller_${name}`, say('No bots yet', '还没有机器人'));
    const bot = await makeBot(page, 'Follower', { watch_pairs: 'BTC-USDT', strategy: 'manual' });
    await startBot(page, bot);
    await page.goto(`${testbed.heron.url}/bot/${bot}/`);
    await page.getByRole('tab', { name: say('Setup', '配置'), exact: true }).click();
    await page.getByRole('button', { name: say('Create address', '创建地址') }).click();
    const url = (await page.getByTestId('signal-url').textContent())?.trim() ?? '';
    await checkPage(page, `${name}-signal-address`);
    const buy = { action: 'buy', pair: 'BINANCE:BTCUSDT', amount: '60' };
    await expect
      .poll(() => signal(url, { ...buy, id: `${Math.random()}` }), WAIT)
      .toMatchObject({ outcome: 'dry', detail: '' });

    await page.getByLabel(say('Dry run', '试运行'), { exact: true }).uncheck();
    await page.getByRole('button', { name: say('Save', '保存'), exact: true }).click();
    await page.getByText(say('Saved', '已保存'), { exact: true }).waitFor();
    expect(await signal(url, { ...buy, id: 'first' })).toMatchObject({ status: 200, outcome: 'placed' });
    expect(await signal(url, { ...buy, id: 'first' })).toMatchObject({ status: 200, outcome: 'repeated' });
    expect(await signal(url, { ...buy, time: '2020-01-01T00:00:00Z' })).toMatchObject({
      outcome: 'refused',
      reason: 'old',
    });
    await page.getByText(say('Buy BTC-USDT 60 USDT', '买入 BTC-USDT 60 USDT')).first().waitFor();
    await page.getByText(say('Order placed', '已下单')).waitFor();
    await page.getByText(say('Repeated, ignored', '重复，已忽略')).waitFor();
    await page.getByTestId('signals').scrollIntoViewIfNeeded();
    await checkPage(page, `${name}-signal-log`);
    await page.getByRole('tab', { name: say('Journal', '日志'), exact: true }).click();
    await page
      .getByText(isChinese ? /^BTC-USDT 买入 .+ · 外部信号$/ : /^BTC-USDT Bought .+ – External signal$/)
      .waitFor();
    const trades = async () => {
      const response = await page.request.get(`${testbed.heron.url}/bot/bots/${bot}/trades`);
      return ((await response.json()) as { trades: { side: string }[] }).trades.map(({ side }) => side);
    };
    await expect.poll(trades, WAIT).toEqual(['buy']);
    await context.close();
  },
);
