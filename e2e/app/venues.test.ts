import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { appTestbed, field, register } from './appTestbed.ts';
import { makeBot, post, saveDemoKey } from './botRequests.ts';
import { openContext, SCREENS } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { startHeron } from './heron.ts';

const testbed = appTestbed();

async function newcomer(name: string, screen: (typeof SCREENS)[number]): Promise<Page> {
  const context = await openContext(testbed.browser, {
    viewport: screen,
    hasTouch: screen.width < 800,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await register(page, testbed.heron, name);
  return page;
}

const venueText = (page: Page) => page.getByTestId('venue-text');

describe.each(SCREENS)('venues, on a $name', (screen) => {
  test('show the price source of each and why one is unreachable, while demo works', async () => {
    const page = await newcomer(`Looker_${screen.name}`, screen);
    await page.goto(`${testbed.heron.url}/exchange-index/`);
    const card = (venue: string) => page.locator(`[data-venue="${venue}"]`);
    await card('binance-demo').getByTestId('exchange-health').getByText('Receiving prices').waitFor();
    for (const venue of ['binance', 'binanceusdm', 'mexc', 'binance-testnet', 'binanceusdm-testnet']) {
      await card(venue).getByTestId('exchange-health').getByText('Cannot be reached').waitFor();
      await card(venue).getByText('The proxy http://127.0.0.1:1 cannot be reached').waitFor();
    }
    await checkPage(page, `${screen.name}-venues`);
    await page.context().close();
  });

  test('a location gets market data only, and clock differences are shown', async () => {
    const page = await newcomer(`Blocked_${screen.name}`, screen);
    // The bot host responds like this in a blocked location; e2e/real-hosts plays the hosts themselves.
    const blocked = { zh: '地区受限', en: 'The exchange does not serve this location (451).' };
    const clock = { zh: '时间不一致', en: 'The clocks of this machine and of the exchange differ by 5.0 s.' };
    const states = new Map([
      ['binance', { reachable: true, trading: false, problem: blocked }],
      ['mexc', { reachable: true, trading: true, problem: clock }],
    ]);
    await page.route('**/bot/exchanges*', async (route) => {
      const answer = await route.fetch();
      const { exchanges } = await answer.json();
      const json = { exchanges: exchanges.map((each: { venue: string }) => ({ ...each, ...states.get(each.venue) })) };
      await route.fulfill({ response: answer, json });
    });
    await page.goto(`${testbed.heron.url}/exchange-index/`);
    const card = (venue: string) => page.locator(`[data-venue="${venue}"]`);
    await card('binance').getByTestId('exchange-health').getByText('Market data only').waitFor();
    await card('binance').getByText('cannot trade here from this location. The exchange does not serve').waitFor();
    await card('mexc').getByTestId('exchange-health').getByText('Receiving prices').waitFor();
    await card('mexc').getByText('differ by 5.0 s').waitFor();
    await checkPage(page, `${screen.name}-venues-blocked`);

    await page.goto(`${testbed.heron.url}/bot-add/`);
    await page.getByRole('radio', { name: 'Real prices' }).check();
    expect(await page.getByRole('combobox', { name: 'Exchange' }).inputValue()).toBe('binance');
    await venueText(page).getByText('Real prices, paper money').waitFor();
    // Paper bots only need market data.
    expect(await page.getByTestId('venue-problem').count()).toBe(0);
    await page.getByRole('radio', { name: 'Live' }).check();
    await page.getByTestId('venue-problem').getByText('cannot trade here from this location').waitFor();
    await checkPage(page, `${screen.name}-new-bot-blocked`);
    await page.context().close();
  });

  test('start on the demo market, name money plainly, and keep the last choice', async () => {
    const page = await newcomer(`Chooser_${screen.name}`, screen);
    await page.goto(`${testbed.heron.url}/bot-add/`);
    expect(await page.getByRole('radio', { name: 'Demo market' }).isChecked()).toBe(true);
    expect(await venueText(page).textContent()).toBe('Demo market: invented prices, paper money.');
    await page.getByRole('radio', { name: 'Real prices' }).check();
    expect(await venueText(page).textContent()).toBe('Real prices, paper money. Nothing can be lost.');
    await page.getByText('The proxy http://127.0.0.1:1 cannot be reached').waitFor();
    await checkPage(page, `${screen.name}-new-bot-real`);
    await page.getByRole('radio', { name: 'Live' }).check();
    expect(await venueText(page).textContent()).toContain('Real money');
    await page.getByRole('radio', { name: 'Testnet' }).check();
    expect(await venueText(page).textContent()).toContain('without real money');
    await field(page, 'Name').fill('never sent');

    const id = await makeBot(page, 'Steady', { exchange: 'mexc' });
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${testbed.heron.url}/bot/${id}/`);
    await page.locator('.tag-real').locator('visible=true').first().waitFor();
    expect(await page.getByText('Demo market').count()).toBe(0);
    await page.goto(`${testbed.heron.url}/bots/`);
    await page.getByTestId('bot-card').locator('.tag', { hasText: 'Real market' }).waitFor();
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${testbed.heron.url}/bot-add/`);
    await page.getByRole('radio', { name: 'Real prices' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Exchange' }).inputValue()).toBe('mexc');
    await page.context().close();
  });
});

describe('a start without one of the venues', () => {
  test('shows its bots as not running on list and page, and alerts owners of live bots', async () => {
    const page = await newcomer('Left_out', SCREENS[0]);
    const key = await saveDemoKey(page, testbed.installation);
    const id = await makeBot(page, 'Left alone', { mode: 'live' }, { key, allotment: '1000' });
    await post(page, `/bot/bots/${id}/start`, { confirm: 'Left alone' });
    await page.goto(`${testbed.heron.url}/bot/${id}/`);
    await page.getByTestId('bot-status').getByText('Running').waitFor();
    await testbed.heron.stop();
    testbed.heron = await startHeron(testbed.installation, { HERON_VENUES: 'mexc-demo' });
    await page.reload();
    await page.getByTestId('bot-status').getByText('Not running').waitFor();
    await page.getByText('binance-demo is not enabled. Nothing watches its positions').waitFor();
    // The alert appears some seconds after the start.
    await vi.waitFor(
      async () => {
        await page.goto(`${testbed.heron.url}/bots/`);
        await page.getByTestId('card-status').getByText('Not running').waitFor({ timeout: 5_000 });
        await page.getByText('the venue is not enabled; the bot is not running').waitFor({ timeout: 5_000 });
      },
      { timeout: 60_000 },
    );
    await checkPage(page, 'phone-venue-left-out');
    await page.goto(`${testbed.heron.url}/bot/${id}/`);
    await page.getByText('binance-demo is not enabled').waitFor();
    await page.locator('.chart-card').getByText('This venue is not enabled').waitFor();
    await checkPage(page, 'phone-bot-left-out');
    expect(testbed.heron.output()).toContain('their venues are not enabled');
    await page.context().close();
  });
});
