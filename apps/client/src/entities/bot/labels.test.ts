import { type JournalEntry, journalEntry, pairView, refusal } from '@heron/contract/bots/entities.ts';
import { ALARMS } from '@heron/contract/bots/notifications.ts';
import { EXTERNAL_CHANGES } from '@heron/engine/live/externalChange.ts';
import { STOP_GAPS } from '@heron/engine/state/protectiveStopState.ts';
import { describe, expect, test } from 'vitest';
import type { Locale } from '../../lib/preferences.ts';
import { journalSentence } from './journalSentence.ts';
import { pausedSentence, reasonLabel, refusalSentence } from './labels.ts';
import { planNameOf } from './planName.ts';
import { refusalInputs } from './refusalInputs.ts';
import { strategyTitle } from './strategyTitle.ts';
import { chinese, english } from './testLocales.ts';

const DATA: Record<JournalEntry['kind'], JournalEntry['data']> = {
  command: { command: 'start' },
  status: { from: 'preparing', to: 'working' },
  signal: { side: 'buy', close: '67000.5' },
  refusal: { gate: 'pair_limit', open: 3, limit: 3 },
  intent: { id: '1', kind: 'entry', side: 'buy', reason: 'signal', quantity: '0.5', price: '100' },
  order: { clientOrderId: 'x', type: 'limit_maker', side: 'sell', price: '100', quantity: '0.5', status: 'open' },
  fill: {
    id: 'f',
    side: 'sell',
    quantity: '0.5',
    price: '100',
    fee: '0.05',
    feeAsset: 'USDT',
    liquidity: 'maker',
    reason: 'stop_sell',
  },
  intent_end: { id: '1', how: 'opposite_signal', filled: '0.25' },
  position_closed: { net: '-24.18', returnPercent: -1.21 },
  funding: { position: 'p1', amount: '-1.0065', ratePercent: '0.01', mark: '61000' },
  liquidation: { position: 'p1', direction: 'long', price: '54000', realised: '-1980', fee: '0' },
  ladder: { what: 'cell_closed', cell: 3, low: '98', high: '100', cycles: 4, realised: '1.73' },
  leverage: { asked: 50, leverage: 20 },
  suspension: { status: 'cancel_only' },
  volume: { low: true, volume24h: 48_211.5, limit: 50_000 },
  phase: { from: 'idle', to: 'buying' },
  alarm: { what: 'exit_not_filled' },
  external: { what: 'foreign', surplus: '0.5' },
};

const entry = (kind: JournalEntry['kind'], data: JournalEntry['data']): JournalEntry => ({
  seq: 1,
  at: 0,
  pair: 'BTC-USDT',
  kind,
  data,
});

describe('a journal sentence', () => {
  test('names a signal from outside as the source of an order', () => {
    const bought = { command: 'buy', value: '50', order: 'taker' };
    expect(journalSentence(entry('command', { ...bought, source: 'signal' }), english)).toBe(
      'External signal: buy at market.',
    );
    expect(journalSentence(entry('command', { command: 'sell', source: 'signal' }), chinese)).toBe(
      '外部信号：市价卖出。',
    );
    expect(journalSentence(entry('command', bought), english)).toBe('Command: buy manually.');
  });

  test('is different for every alarm and external change, in both languages', () => {
    for (const locale of [english, chinese]) {
      const sentences = [
        ...ALARMS.map((what) => journalSentence(entry('alarm', { what }), locale)),
        ...EXTERNAL_CHANGES.map((what) => journalSentence(entry('external', { what }), locale)),
      ];
      expect(new Set(sentences).size).toBe(sentences.length);
      const unknown = [entry('alarm', { what: '' }), entry('external', { what: '' })];
      for (const each of unknown) expect(sentences).not.toContain(journalSentence(each, locale));
      for (const sentence of sentences) expect(sentence).not.toMatch(/undefined|NaN|null|\{|_/);
    }
  });

  test.each(journalEntry.shape.kind.options)('exists for every %s in both languages', (kind) => {
    for (const locale of [english, chinese]) {
      const sentence = journalSentence(entry(kind, DATA[kind]), locale);
      expect(sentence).not.toMatch(/undefined|NaN|null|\{|_/);
      expect(sentence).toMatch(/[.。)）]$/);
    }
  });

  test('contains the limit of a filled order and the price at which it was filled', () => {
    const order = { type: 'limit_ioc', side: 'buy', price: '102712.14', quantity: '0.00972', status: 'filled' };
    const filled = { ...order, filled: '0.00972', averagePrice: '100743.5' };
    expect(journalSentence(entry('order', filled), english)).toBe(
      'Filled: limit IOC order, buy 0.00972, limit 102,712.14, filled at 100,743.50.',
    );
    expect(journalSentence(entry('order', order), english)).toContain('buy 0.00972 at 102,712.14');
    const market = { ...filled, type: 'market', side: 'sell', price: null };
    expect(journalSentence(entry('order', market), english)).toContain('sell 0.00972 at 100,743.50');
  });

  test('contains the trigger price of a stop order, or the reason why there is none', () => {
    const order = { type: 'stop_market', side: 'sell', price: null, trigger: '57000', quantity: '0.5', status: 'open' };
    expect(journalSentence(entry('order', order), english)).toContain(
      'sell 0.5 once the price has fallen to 57,000.00',
    );
    expect(journalSentence(entry('order', order), chinese)).toContain('价格跌到 57,000.00 时卖出 0.5');
    for (const why of STOP_GAPS) {
      for (const locale of [english, chinese]) {
        expect(journalSentence(entry('external', { what: 'no_stop', why }), locale)).not.toMatch(
          new RegExp(`[:：] ?${why}[.。]$`),
        );
      }
    }
  });

  test('contains the payer and all digits of funding, and the side of a liquidation', () => {
    const funding = (amount: string, ratePercent: string) =>
      journalSentence(entry('funding', { amount, ratePercent, mark: '61000' }), english);
    expect(funding('-0.00610012', '0.0001')).toBe('Paid funding of 0.00610012, rate 0.0001%, mark price 61,000.00.');
    expect(funding('6.1', '-0.01')).toBe('Received funding of 6.1, rate -0.01%, mark price 61,000.00.');
    expect(journalSentence(entry('funding', { amount: '-1', ratePercent: '0.01', mark: '61000' }), chinese)).toBe(
      '支付资金费 1，费率 0.01%，标记价格 61,000.00。',
    );
    const liquidated = { direction: 'short', price: '66000', realised: '-100' };
    expect(journalSentence(entry('liquidation', liquidated), english)).toBe(
      'The exchange liquidated the short at 66,000.00, net -100.00 USDT. The pair is paused.',
    );
    expect(journalSentence(entry('liquidation', liquidated), chinese)).toBe(
      '空仓被交易所强制平仓，价格 66,000.00，净盈亏 -100.00 USDT，该交易对已暂停。',
    );
  });

  test('exists for every cause of a pause', () => {
    for (const by of pairView.shape.pausedBy.unwrap().options) {
      for (const locale of [english, chinese]) expect(pausedSentence(by, true, locale)).toMatch(/^[^_{]+[.。]$/);
    }
    expect(pausedSentence('stop_sell', true, english)).toBe(
      'The stop-loss has closed its position and ended the grid or DCA deal.',
    );
  });

  test.each(journalEntry.shape.kind.options)('of a %s ignores unknown data and tolerates missing data', (kind) => {
    const sentence = journalSentence(entry(kind, { ...DATA[kind], later: 'more', nothing: null, yes: true }), english);
    expect(sentence).not.toMatch(/undefined|NaN|null/);
    expect(journalSentence(entry(kind, {}), chinese)).not.toMatch(/undefined|NaN/);
  });

  test('contains prices, fees and results in the language of the user', () => {
    const read = (kind: JournalEntry['kind'], locale: Locale) => journalSentence(entry(kind, DATA[kind]), locale);
    expect(read('fill', english)).toBe('Sold 0.5 at 100.00 as maker, fee 0.05 USDT.');
    expect(read('fill', chinese)).toBe('卖出 0.5，成交价 100.00（挂单），手续费 0.05 USDT。');
    expect(read('refusal', english)).toBe(
      'The maximum number of open positions is reached. (Open positions 3, Limit 3)',
    );
    expect(read('position_closed', chinese)).toBe('平仓，净收益 -24.18 USDT（-1.21%）。');
    expect(read('ladder', english)).toBe('Grid level 3 completed cycle 4, net result so far +1.73 USDT.');
    const laid = { what: 'grid_laid', cells: 8, lower: '99492.22', upper: '103553.12', budget: '9990.01' };
    expect(journalSentence(entry('ladder', laid), chinese)).toBe(
      '已布置 8 格网格，区间 99,492.22 至 103,553.12，资金 9,990.01 USDT。',
    );
    expect(read('intent_end', english)).toBe('Done: an opposite signal came. Filled 0.25.');
  });

  test('shows a code of a newer host that this client does not know', () => {
    expect(journalSentence(entry('alarm', { what: 'moon_full' }), english)).toBe('Alarm: moon_full.');
  });
});

describe('a journal sentence about a change', () => {
  const change = (data: JournalEntry['data'], locale = english) =>
    journalSentence(entry('command', { command: 'change', acts: 'reload', ...data }), locale);

  test('shows parameters by the texts of their strategy, also those with the name of an option', () => {
    const mode = { option: 'mode', strategy: 'dca', from: 'averaging', to: 'periodic' };
    expect(change(mode)).toBe('Mode changed from DCA to Recurring buy. The strategy was reloaded.');
    expect(change(mode, chinese)).toContain('方式由 补仓 改为 定投');
    expect(change({ option: 'initial_buy', strategy: 'grid', from: 'true', to: 'false' })).toContain(
      'Initial buy changed from on to off',
    );
    expect(change({ option: 'levels', strategy: 'macd', from: '', to: '10' })).toContain('levels changed from — to 10');
  });

  test('shows options as the form does', () => {
    const rows = JSON.stringify([{ profit: 5, stop: 100 }]);
    expect(change({ option: 'stop_sell', from: '[]', to: rows, acts: 'now' })).toContain(
      'Stop-loss changed from off to 5% → 100%',
    );
    expect(change({ option: 'order_type', from: 'maker', to: 'taker', acts: 'next_entry' })).toMatch(
      /Maker.* to Taker/,
    );
  });

  test('of an older version, without a strategy, shows a parameter by its name and by when it acts', () => {
    expect(change({ option: 'levels', from: '10', to: '20' })).toContain('Grids changed from 10 to 20');
    expect(change({ option: 'mode', from: 'averaging', to: 'periodic' })).toContain('Mode changed from');
    expect(change({ option: 'fast', from: '12', to: '' })).toMatch(/changed from 12 to —/);
    expect(change({ option: 'min_periods', from: '32', to: '{' })).toContain('to {');
  });
});

describe('a blocked entry', () => {
  test.each(refusal.options)('by the gate %s has a sentence in both languages', (gate) => {
    expect(refusalSentence(gate, english)).toMatch(/\.$/);
    expect(refusalSentence(gate, chinese)).toMatch(/。$/);
  });

  test('shows its inputs with labels, and unknown ones by their names', () => {
    expect(refusalInputs({ held: 12, needed: 63, odd_thing: 'x' }, english)).toEqual([
      { name: 'Candles so far', value: '12' },
      { name: 'Candles needed', value: '63' },
      { name: 'odd_thing', value: 'x' },
    ]);
  });

  test('shows what is in progress, its side and the delay of the signal', () => {
    const inputs = { intent: 7, kind: 'exit', direction: -1, late: 95_000, quantity: '0.0125' };
    expect(refusalInputs(inputs, english).map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'Order: 7',
      'In progress: an exit',
      'Side: Short',
      'Late by: 95 s',
      'Quantity: 0.0125',
    ]);
    expect(refusalInputs({ kind: 'grid', direction: 1 }, chinese)).toEqual([
      { name: '进行中', value: '网格' },
      { name: '方向', value: '做多' },
    ]);
  });

  test('shows a limit of pairs as a count and a limit of price as a price', () => {
    expect(refusalInputs({ limit: 3 }, english)[0]?.value).toBe('3');
    expect(refusalInputs({ limit: '66862.1' }, english)[0]?.value).toBe('66,862.10');
  });

  test('distinguishes a missing quote from an old one', () => {
    expect(refusalInputs({ age: -1 }, english)[0]?.value).toBe('none yet');
    expect(refusalInputs({ age: 8000 }, chinese)[0]?.value).toBe('8 秒');
  });
});

test('strategies have titles in the language of the user', () => {
  expect(strategyTitle('ema_cross', chinese)).toBe('均线交叉');
  expect(strategyTitle('unknown_one', english)).toBe('unknown_one');
});

test('orders of a plan are named after it: grid, DCA or periodic', () => {
  const name = (strategy: string, params = {}) => {
    const plan = planNameOf(strategy, params);
    return [english, chinese].map((locale) => reasonLabel('ladder', { ...locale, plan }));
  };
  expect(name('grid')).toEqual(['Grid', '网格']);
  expect(name('dca', { mode: 'averaging' })).toEqual(['DCA', '补仓']);
  expect(name('dca', { mode: 'periodic' })).toEqual(['Recurring buy', '定投']);
  expect(name('macd')).toEqual(['Grid or DCA', '网格或补仓']);
  expect(reasonLabel('stop_sell', { ...english, plan: 'grid' })).toBe('Stop-loss');
});
