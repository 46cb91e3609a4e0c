import { beforeAll, describe, expect, test } from 'vitest';
import { setupDraft } from '../../../entities/bot/setup/setupDraft.ts';
import { formatters } from '../../../lib/format.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import { loadTexts } from '../../../locales/loadTexts.ts';
import { translator } from '../../../locales/texts.ts';
import { setupSentences } from './setupSentences.ts';

describe('the summary of a setup', () => {
  let english: Preferences;

  beforeAll(async () => {
    const t = translator(await loadTexts('en', 'all'), 'en');
    english = { t, format: formatters('en'), language: 'en' } as Preferences;
  });

  function summary(options: Record<string, unknown>, amount: number | null = 10_000): Record<string, string> {
    const parts = setupSentences(setupDraft({ options, params: {} }), { amount }, english);
    return Object.fromEntries(parts.map(({ part, sentences }) => [part, sentences.join(' ')]));
  }

  test('says on spot what is at stake and every exit', () => {
    expect(summary({ strategy: 'ema_cross', profit_win: [] })).toMatchObject({
      market: 'Paper trading on Binance spot (demo market).',
      pairs: 'BTC-USDT, ETH-USDT',
      strategy: 'EMA cross on closed 30m candles. Fast: 10 · Slow: 21 · Band %: 0',
      money:
        '10,000 USDT of paper money. Each entry uses 20% of the free balance: at first about 2,000 USDT. At most 10 open positions.',
      exits:
        'An exit signal closes 100%. Stop-loss: 5% against the entry price closes 100%. Trailing take-profit: from 5% profit, a fall to 60% of its peak closes 100%.',
      fees: 'Maker 0.1%, taker 0.1% of the order value.',
    });
  });

  test('says on futures the direction, the leverage and the order value', () => {
    const future = { exchange: 'binanceusdm', market: 'both', leverage: 5, margin_mode: 'cross', mode: 'live' };
    const { market, money } = summary(future, 500);
    expect(market).toBe(
      'Live trading on Binance USD-M futures. Opens long and short positions. 5× leverage, cross: every position risks the whole balance.',
    );
    expect(money).toContain(
      '500 USDT of the account. Each entry uses 20% of the free balance: at first about 100 USDT.',
    );
    expect(money).toContain('With leverage that is an order value of about 500 USDT.');
  });

  test('names no amount that is unknown, limited or entered by hand', () => {
    expect(summary({ mode: 'live' }, null).money).toMatch(
      /^All USDT of the account\. Each entry uses 20% of the free balance\./,
    );
    expect(summary({}, Number.NaN).money).toMatch(/^— USDT of paper money\. Each entry uses 20% of the free balance\./);
    expect(summary({ max_buy_size: 300 }).money).toContain('An order is worth 300 USDT at most.');
    expect(summary({ buy_pct: 0 }).money).toContain('No automatic entries.');
    expect(summary({ strategy: 'manual' }).money).toBe('10,000 USDT of paper money. You open positions by hand.');
  });

  test('says of recurring buys the fixed amount, and that all exits act', () => {
    const setup = setupDraft({ options: { strategy: 'dca' }, params: { mode: 'periodic', amount: 50 } });
    const parts = setupSentences(setup, { amount: 1_000 }, english);
    const text = (name: string) => parts.find(({ part }) => part === name)?.sentences.join(' ');
    expect(text('money')).toContain('1,000 USDT of paper money. Each entry is worth 50 USDT.');
    expect(text('exits')).toMatch(/^Stop-loss: 5% .* Take-profit: 20% profit closes 50%\.$/);
  });

  test('says of a grid only the exits that act on it, and that a stop-loss is missing', () => {
    const grid = { strategy: 'grid', trailing_stop: [{ profit: 5, stop: 100 }] };
    expect(summary(grid).exits).toBe(
      'The plan sells by its own orders. Stop-loss: 5% against the entry price closes 100%.',
    );
    expect(summary({ ...grid, stop_sell: [] }).exits).toBe('The plan sells by its own orders. No stop-loss is set.');
    expect(summary(grid).strategy).toMatch(/^Grid /);
  });
});
