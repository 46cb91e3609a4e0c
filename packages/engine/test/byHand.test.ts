import { strategyExit } from '@heron/engine/exits/strategyExit.ts';
import { percentRatio } from '@heron/engine/money/units.ts';
import { restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { isEnding } from '@heron/engine/state/botStatus.ts';
import { signalExit } from '@heron/engine/state/exitSignal.ts';
import { turnOf } from '@heron/engine/state/turn.ts';
import { describe, expect, test } from 'vitest';
import { Desk, kindsOf, sizedQuote } from './harness.ts';

const PAIR = 'BTC-USDT';
const TWO_PERCENT = percentRatio(2);

describe('a manual order', () => {
  test('is filled within its own slippage of the mid, whatever the slippage of the bot', () => {
    const desk = new Desk({ max_slippage_pct: 0.5, avg_slippage_pct: 0 });
    // The best ask is 1 % above the mid price.
    desk.quote(59_400, 60_600);
    desk.buy(1_000);
    expect(desk.fills()).toEqual([]);
    const buy = { type: 'buy', pair: PAIR, order: 'taker', value: 1_000e8, requestId: 'far' } as const;
    desk.command({ ...buy, slippage: TWO_PERCENT });
    desk.wait(100);
    expect(desk.fills().map(({ data }) => data.price)).toEqual(['60600']);
  });

  test('during a reload of the pair is filled from the first quote, within its limit', () => {
    const desk = new Desk({ max_slippage_pct: 0.5, avg_slippage_pct: 0 });
    const order = (requestId: string) => {
      desk.quote(59_999.99, 60_000);
      desk.command({ type: 'buy', pair: PAIR, order: 'taker', value: 1_000e8, requestId });
      desk.feed({ type: 'history', at: desk.now, market: desk.market, candles: [] });
      desk.wait(5_000);
    };
    order('near');
    expect(desk.fills()).toEqual([]);
    desk.quote(60_099.99, 60_100);
    // Its first limit is just above the ask that it was sized for; the next one follows the ask.
    desk.wait(2_000);
    expect(desk.fills().map(({ data }) => data.price)).toEqual(['60100']);
    order('far');
    desk.quote(60_499.99, 60_500);
    desk.wait(2_000);
    expect(desk.fills()).toHaveLength(1);
    expect([desk.pair.entry, desk.session.state.exchange.orders]).toEqual([null, []]);
  });

  test('of a signal from outside is recorded with its source, and fills as any other', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
    desk.quote(59_999.99, 60_000);
    desk.command({ type: 'buy', pair: PAIR, order: 'taker', value: 1_000e8, requestId: 'a', source: 'signal' });
    desk.wait(100);
    desk.command({ type: 'sell', pair: PAIR, order: 'taker', percent: 100, requestId: 'b', source: 'signal' });
    desk.wait(100);
    desk.buy(1_000);
    const commands = desk.notes.filter(({ kind }) => kind === 'command').map(({ data }) => data);
    expect(commands.filter(({ command }) => command !== 'start')).toEqual([
      { command: 'buy', value: '1000', order: 'taker', source: 'signal' },
      { command: 'sell', percent: 100, order: 'taker', source: 'signal' },
      { command: 'buy', value: '1000', order: 'taker' },
    ]);
    expect(desk.fills()).toHaveLength(3);
  });

  test('sells no lower than its slippage allows, and the rest stays', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.quote(58_000, 62_000);
    const sell = { type: 'sell', pair: PAIR, order: 'taker', percent: 100, requestId: 'low' } as const;
    desk.command({ ...sell, slippage: TWO_PERCENT });
    desk.wait(60_000);
    expect(desk.fills()).toHaveLength(1);
    expect(desk.pair).toMatchObject({ exit: null, phase: 'bought' });
    desk.quote(59_000, 61_000);
    desk.command({ ...sell, slippage: TWO_PERCENT, requestId: 'near' });
    desk.wait(100);
    expect(desk.fills().map(({ data }) => data.price)).toEqual(['60000', '59000']);
    expect(desk.pair.position).toBeNull();
  });

  test('does not limit a stop that is already working', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [{ profit: 5, stop: 100 }] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    // The stop-loss has triggered, and its order is in flight.
    desk.quote(50_000, 60_000);
    expect(desk.pair.exit).toMatchObject({ reason: 'stop_sell' });
    desk.command({ type: 'sell', pair: PAIR, order: 'taker', percent: 10, requestId: 'too', slippage: TWO_PERCENT });
    expect(desk.pair.exit?.slippage).toBeUndefined();
    desk.wait(2_000);
    expect(desk.pair.position).toBeNull();
  });

  test.each([
    ['a table’s', { profit_win: [{ profit: 1, stop: 100 }] }, (desk: Desk) => sizedQuote(desk, 61_000, 61_010, 0.001)],
    ['the kill switch’s', {}, (desk: Desk) => desk.command({ type: 'halt', pair: PAIR, close: true })],
  ])('loses its limit when %s sale joins it', (_, given, join) => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [], ...given });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.command({ type: 'sell', pair: PAIR, order: 'maker', percent: 50, requestId: 'half' });
    desk.wait(200);
    desk.command({ type: 'sell', pair: PAIR, order: 'taker', percent: 50, requestId: 'now', slippage: 1 });
    expect(desk.pair.exit?.slippage).toBe(1);
    join(desk);
    expect(desk.pair.exit?.slippage).toBeUndefined();
  });

  test('gets no limit any more once a working sale of the strategy has joined it', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [], order_type: 'maker' });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.command({ type: 'sell', pair: PAIR, order: 'maker', percent: 50, requestId: 'half' });
    desk.wait(200);
    desk.pair.exitSignal = signalExit(null, 0);
    strategyExit(turnOf({ bot: desk.session.bot, at: desk.now, effects: [] }, desk.pair));
    expect(desk.pair.exit).toMatchObject({ all: true, reason: 'signal', urgency: 'maker' });
    desk.command({ type: 'sell', pair: PAIR, order: 'taker', percent: 10, requestId: 'now', slippage: 1 });
    expect(desk.pair.exit).toMatchObject({ all: true, urgency: 'taker' });
    expect(desk.pair.exit?.slippage).toBeUndefined();
  });

  test('keeps its limit when another manual sale joins it, and applies the newest', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.command({ type: 'sell', pair: PAIR, order: 'maker', percent: 50, requestId: 'rests' });
    desk.wait(200);
    desk.command({ type: 'sell', pair: PAIR, order: 'taker', percent: 50, requestId: 'now', slippage: 1 });
    desk.command({ type: 'sell', pair: PAIR, order: 'maker', percent: 60, requestId: 'more' });
    expect(desk.pair.exit?.slippage).toBe(1);
    desk.command({ type: 'sell', pair: PAIR, order: 'taker', percent: 70, requestId: 'wider', slippage: TWO_PERCENT });
    expect(desk.pair.exit?.slippage).toBe(TWO_PERCENT);
  });

  test('loses its limit when a stop takes it over', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [{ profit: 5, stop: 100 }], max_slippage_pct: 2 });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.command({ type: 'sell', pair: PAIR, order: 'maker', percent: 50, requestId: 'half' });
    desk.wait(200);
    desk.command({ type: 'sell', pair: PAIR, order: 'taker', percent: 50, requestId: 'now', slippage: 1 });
    desk.quote(50_000, 60_000);
    desk.wait(2_000);
    expect(desk.pair.position).toBeNull();
  });
});

describe('a manual cancel', () => {
  test('ends a working entry or exit, and nothing else', () => {
    const desk = new Desk({ stop_sell: [] });
    desk.quote(60_000);
    desk.buy(1_000, 'maker');
    const entry = desk.pair.entry?.id ?? -1;
    for (const other of [`abc123-${entry + 1}-1`, `other1-${entry}-1`, '', 'abc123']) {
      desk.command({ type: 'cancel', clientOrderId: other });
      expect(desk.pair.entry).toMatchObject({ id: entry, afterCancel: null });
    }
    // The command may name any child order, since the order may have been replaced at a new price.
    desk.command({ type: 'cancel', clientOrderId: `abc123-${entry}-7` });
    desk.wait(1_000);
    expect(desk.pair).toMatchObject({ entry: null, phase: 'idle' });
    expect(kindsOf(desk, 'intent_end')).toMatchObject([{ how: 'cancelled' }]);
    desk.buy(1_000);
    desk.sell(50, 'maker');
    desk.command({ type: 'cancel', clientOrderId: `abc123-${desk.pair.exit?.id}-1` });
    desk.wait(1_000);
    expect(desk.pair).toMatchObject({ exit: null, phase: 'bought' });
  });

  test('ignores a sale of an exit table: its row would not trigger again', () => {
    const desk = new Desk({ profit_win: [{ profit: 1, stop: 50 }], min_buy_size: 0, markup_sell_pct: 0 });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    sizedQuote(desk, 61_000, 61_010, 0.001);
    desk.wait(200);
    const exit = desk.pair.exit?.id ?? -1;
    desk.command({ type: 'cancel', clientOrderId: `abc123-${exit}-1` });
    expect(desk.pair.exit).toMatchObject({ id: exit, afterCancel: null });
  });
});

describe('a bot that is to close its positions and stop', () => {
  const sellsAll = (desk: Desk) => {
    expect(desk.pair).toMatchObject({ position: null, entry: null, exit: null, paused: null });
    expect(desk.session.state.bot.status).toBe('finished');
    expect(desk.fills().map(({ data }) => data.kind)).toEqual(['entry', 'exit']);
    expect(kindsOf(desk, 'intent').at(-1)).toMatchObject({ reason: 'run_end' });
  };

  test.each([
    ['while it works', []],
    ['while it drains already', [{ type: 'drain' }]],
    ['while the pair is paused', [{ type: 'halt', pair: PAIR, close: false }]],
  ] as const)('sells them at once and is finished: %s', (_when, before) => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.buy(500, 'maker');
    for (const command of before) desk.command(command);
    desk.wait(1_000);
    const notes = desk.command({ type: 'close' });
    expect(notes.filter(({ kind }) => kind === 'command').map(({ data }) => data.command)).toEqual(['close']);
    desk.wait(2_000);
    expect(desk.pair).toMatchObject({ position: null, entry: null, exit: null, exitSignal: null });
    expect(desk.session.state.bot.status).toBe('finished');
    expect(desk.fills().map(({ data }) => data.kind)).toEqual(['entry', 'exit']);
  });

  test('sells after a suspension of the pair', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    const ticker = { type: 'ticker', pair: PAIR, last: 60_000e8, volume24h: null } as const;
    desk.feed({ ...ticker, at: desk.now, suspended: 'halted' });
    desk.command({ type: 'close' });
    desk.wait(120_000);
    expect(desk.fills()).toHaveLength(1);
    desk.quote(58_000);
    desk.feed({ ...ticker, at: desk.now });
    desk.wait(3_000);
    sellsAll(desk);
  });

  test('sells after a restart, with the first quote', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.session = restoreSession(saveSession(desk.session));
    desk.feed({ type: 'history', at: desk.now, market: desk.market, candles: [] });
    desk.command({ type: 'close' });
    desk.session = restoreSession(saveSession(desk.session));
    desk.feed({ type: 'history', at: desk.now, market: desk.market, candles: [] });
    desk.wait(1_000);
    expect(desk.fills()).toHaveLength(1);
    desk.quote(58_000);
    desk.wait(2_000);
    sellsAll(desk);
  });

  test('makes a working take-profit urgent', () => {
    const desk = new Desk({
      avg_slippage_pct: 0,
      stop_sell: [],
      profit_win: [{ profit: 1, stop: 50 }],
      order_type: 'maker',
    });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.quote(61_000);
    desk.wait(100);
    expect(desk.pair.exit).toMatchObject({ urgency: 'maker', all: false });
    desk.command({ type: 'close' });
    desk.wait(3_000);
    expect(desk.pair).toMatchObject({ position: null, exit: null });
    expect(desk.session.state.bot.status).toBe('finished');
  });

  test.each([
    ['the kill switch', { type: 'halt', pair: PAIR, close: false }, 'stopping'],
    ['a stop', { type: 'stop' }, 'finished'],
  ] as const)('keeps the position after %s', (_name, command, status) => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.feed({ type: 'ticker', pair: PAIR, at: desk.now, last: 60_000e8, volume24h: null, suspended: 'halted' });
    desk.command({ type: 'close' });
    desk.command(command);
    desk.feed({ type: 'ticker', pair: PAIR, at: desk.now, last: 60_000e8, volume24h: null });
    desk.quote(59_000);
    desk.wait(5_000);
    expect(desk.session.state.bot.status).toBe(status);
    expect(desk.fills()).toHaveLength(1);
  });

  test('trades normally after the next start', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.command({ type: 'close' });
    desk.wait(2_000);
    desk.command({ type: 'start' });
    desk.quote(60_000);
    desk.buy(1_000);
    desk.quote(60_000);
    desk.wait(5_000);
    expect(desk.pair.position).not.toBeNull();
  });
});

describe('a bot that is to end when flat', () => {
  test('cancels entries, enters nothing more, keeps exits, ends with its last position', () => {
    const desk = new Desk({ avg_slippage_pct: 0, stop_sell: [{ profit: 2, stop: 100 }] });
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.buy(500, 'maker');
    desk.command({ type: 'drain' });
    desk.wait(1_000);
    expect(desk.pair.entry).toBeNull();
    expect(desk.session.state.bot.status).toBe('stopping');
    desk.buy(100);
    expect(desk.fills()).toHaveLength(1);
    desk.quote(58_000);
    desk.wait(2_000);
    expect(desk.pair.position).toBeNull();
    expect(desk.session.state.bot.status).toBe('finished');
  });

  test('without a position ends at once, and one that does not run stays unchanged', () => {
    const desk = new Desk();
    desk.quote(60_000);
    desk.command({ type: 'drain' });
    expect(desk.session.state.bot.status).toBe('finished');
    const notes = desk.command({ type: 'drain' });
    expect(notes).toEqual([]);
  });

  test('stops at once on a stop, which leaves the position', () => {
    const desk = new Desk();
    desk.quote(59_999.99, 60_000);
    desk.buy(1_000);
    desk.command({ type: 'drain' });
    desk.command({ type: 'stop' });
    desk.wait(1_000);
    expect(desk.session.state.bot.status).toBe('finished');
    expect(desk.pair.position).not.toBeNull();
  });

  test('ends after loading if it was set while pairs loaded, also if run_for changes', () => {
    const desk = new Desk();
    expect(isEnding(desk.session.state.bot, desk.now)).toBe(false);
    desk.command({ type: 'drain' });
    expect(isEnding(desk.session.state.bot, desk.now)).toBe(true);
    desk.command({ type: 'change', options: { run_for: '1d' }, params: {} });
    expect(isEnding(desk.session.state.bot, desk.now)).toBe(true);
    desk.quote(60_000);
    expect(desk.session.state.bot.status).toBe('finished');
  });
});
