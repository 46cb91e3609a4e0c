import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import { feedSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { pairView, pairViews } from '@heron/engine/session/sessionView.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import { equityOf } from '@heron/engine/state/equity.ts';
import { describe, expect, test } from 'vitest';
import { altMarket } from './arbitraries.ts';
import { Desk } from './harness.ts';

const A = altMarket('AAA');
const B = altMarket('BBB');
const AVERAGES = {
  strategy: 'ema_cross',
  period: '5m',
  min_periods: 18,
  order_type: 'taker',
  avg_slippage_pct: 0,
  max_buy_loss_pct: 0,
};
const START = { params: { fast: 2, slow: 3, band: 0 }, history: 100 };

function change(
  desk: Desk,
  options: Record<string, unknown>,
  params: Record<string, unknown> = {},
): { result: CommandResult | null; notes: readonly { data: Record<string, unknown> }[] } {
  const event = { type: 'command', at: desk.now, command: { type: 'change', options, params } } as const;
  desk.tape.push(event);
  const { result, notes } = feedSession(desk.session, event);
  desk.notes.push(...notes);
  return { result, notes };
}

/** Sends the pending history of a pair, as the host does. */
function load(desk: Desk, market = desk.market, price = 100, periodMs: number = PERIODS['5m']): void {
  const end = Math.floor(desk.now / periodMs) * periodMs;
  const candles: ClosedCandle[] = Array.from({ length: 100 }, (_, i) => {
    const time = end - (100 - i) * periodMs;
    return { time, open: price, high: price, low: price, close: price, volume: 1 };
  });
  desk.feed({ type: 'history', at: desk.now, market, candles });
}
const refusals = (desk: Desk) =>
  desk.notes.flatMap(({ kind, pair, data }) => (kind === 'refusal' ? [[pair, data.gate]] : []));

describe('a pair that is removed while held', () => {
  function removed() {
    const desk = new Desk(AVERAGES, A, { ...START, others: [B] });
    desk.close([102, 100]);
    expect([desk.on(A).pair.phase, desk.on(B).pair.phase]).toEqual(['bought', 'idle']);
    desk.notes.length = 0;
    const { result } = change(desk.on(A), { watch_pairs: 'BBB-USDT' });
    expect(result).toMatchObject({ ok: true, changes: [{ option: 'watch_pairs', acts: 'now', to: 'BBB-USDT' }] });
    return desk;
  }

  test('stays, managed by its tables, until it is flat, then leaves with its result kept', () => {
    const desk = removed();
    expect(pairView(desk.session, 'AAA-USDT', desk.now)).toMatchObject({ flag: 'removed', phase: 'bought' });
    desk.session = restoreSession(saveSession(desk.session));
    desk.on(A).quote(96);
    desk.wait(300);
    expect(desk.fills().map(({ pair, data }) => [pair, data.reason])).toEqual([['AAA-USDT', 'stop_sell']]);
    expect(pairViews(desk.session, desk.now).map(({ pair }) => pair)).toEqual(['BBB-USDT']);
    expect(pairView(desk.session, 'AAA-USDT', desk.now)).toBeNull();
    const { bot } = desk.session.state;
    const realised = bot.pairs.reduce((sum, { holding }) => sum + holding.realised, 0);
    const open = bot.pairs.reduce((sum, { holding }) => sum + holding.cost, 0);
    expect(realised).toBeLessThan(0);
    expect(bot.wallet.quote + open).toBe(bot.wallet.start + realised);
  });

  test('exits by its strategy and manually, but enters nothing', () => {
    const desk = removed();
    desk.on(A).buy(500);
    expect(refusals(desk)).toEqual([['AAA-USDT', 'not_ready']]);
    for (const price of [104, 106, 102.5]) desk.close([price, 100]);
    expect(desk.fills().map(({ data }) => [data.kind, data.reason])).toEqual([['exit', 'signal']]);
    desk.close([108, 100]);
    expect(desk.fills()).toHaveLength(1);
  });

  test('continues as before when it is added again', () => {
    const desk = removed();
    change(desk, { watch_pairs: 'AAA-USDT,BBB-USDT' });
    expect(pairView(desk.session, 'AAA-USDT', desk.now)).toMatchObject({ flag: null, phase: 'bought' });
    for (const price of [104, 106, 102.5]) desk.close([price, 100]);
    desk.close([108, 100]);
    expect(
      desk
        .on(A)
        .fills()
        .map(({ data }) => data.kind),
    ).toEqual(['exit', 'entry']);
  });

  test('has its entry cancelled at once, and its position stays managed', () => {
    const desk = new Desk({ ...AVERAGES, order_type: 'maker' }, A, { ...START, others: [B] });
    desk.close([102, 100]);
    expect(desk.pair.entry).not.toBeNull();
    change(desk, { watch_pairs: 'BBB-USDT' });
    desk.wait(200);
    expect(desk.notes.findLast(({ kind }) => kind === 'intent_end')?.data.how).toBe('cancelled');
    expect(pairView(desk.session, 'AAA-USDT', desk.now)).toBeNull();
  });

  test('that never had a position is removed at once', () => {
    const desk = new Desk(AVERAGES, A, { ...START, others: [B] });
    change(desk, { watch_pairs: 'AAA-USDT' });
    expect(desk.session.state.bot.pairs.map(({ pair }) => pair)).toEqual(['AAA-USDT']);
    expect(desk.session.candles).toHaveLength(1);
    desk.quote(100);
    expect(desk.pair.flag).toBeNull();
  });

  test('with a grid keeps its sell orders and loses its buy orders', () => {
    const desk = new Desk({ strategy: 'grid', order_type: 'taker', stop_sell: [] }, A, { history: 100, others: [B] });
    desk.close(100);
    expect(desk.pair.position).not.toBeNull();
    change(desk, { watch_pairs: 'BBB-USDT' });
    desk.quote(100);
    desk.wait(300);
    expect(desk.pair.planOrders.length).toBeGreaterThan(0);
    expect(new Set(desk.pair.planOrders.map(({ kind }) => kind))).toEqual(new Set(['exit']));
    desk.quote(150);
    desk.wait(500);
    expect([desk.pair.position, desk.pair.orderPlan, desk.pair.planOrders]).toEqual([null, null, []]);
    expect(pairView(desk.session, 'AAA-USDT', desk.now)).toBeNull();
  });
});

describe('watch_pairs and max_watch_size', () => {
  test('a pair that is added trades once its history has loaded, and others continue', () => {
    const desk = new Desk(AVERAGES, A, START);
    desk.close(102);
    change(desk, { watch_pairs: 'BBB-USDT,AAA-USDT' });
    expect(pairViews(desk.session, desk.now).map(({ pair, flag }) => [pair, flag])).toEqual([
      ['BBB-USDT', 'loading'],
      ['AAA-USDT', null],
    ]);
    desk.quote(96);
    desk.wait(300);
    expect(desk.fills().at(-1)?.data.reason).toBe('stop_sell');
    load(desk, B);
    expect(pairView(desk.session, 'BBB-USDT', desk.now)).toMatchObject({ flag: null, candlesHeld: 100 });
  });

  test.each([
    ['removed', { watch_pairs: 'AAA-USDT' }],
    ['beyond a smaller limit', { max_watch_size: 1 }],
  ])('a bot is ready once the only pair that still loads is %s', (_, options) => {
    const desk = new Desk(AVERAGES, A, START);
    desk.close(102);
    change(desk, { watch_pairs: 'AAA-USDT,BBB-USDT' });
    desk.command({ type: 'stop' });
    desk.command({ type: 'start' });
    expect(desk.session.state.bot.status).toBe('preparing');
    change(desk, options);
    expect(desk.session.state.bot.status).toBe('ready');
    desk.quote(96);
    desk.wait(300);
    expect(desk.fills().at(-1)?.data.reason).toBe('stop_sell');
  });

  test('a smaller limit keeps open positions and leaves out the rest in order', () => {
    const C = altMarket('CCC');
    const desk = new Desk(AVERAGES, A, { ...START, others: [B, C] });
    desk.close([100, 100, 102]);
    change(desk, { max_watch_size: 2 });
    const flags = () => pairViews(desk.session, desk.now).map(({ flag }) => flag);
    expect(flags()).toEqual([null, 'watch_limit', null]);
    change(desk, { max_watch_size: 3 });
    expect(flags()).toEqual([null, 'loading', null]);
  });
});

describe('when a change applies', () => {
  test('an exit table applies at once, and triggered rows stay triggered', () => {
    const desk = new Desk({ ...AVERAGES, stop_sell: [{ profit: 2, stop: 50 }] }, A, START);
    desk.close(102);
    const bought = desk.pair.holding.quantity;
    desk.quote(99.9);
    desk.wait(300);
    const half = desk.pair.holding.quantity;
    expect(half / bought).toBeCloseTo(0.5, 2);
    const { notes } = change(desk, {
      stop_sell: [
        { profit: 4, stop: 100 },
        { profit: 2, stop: 50 },
      ],
    });
    expect(notes[0]?.data).toMatchObject({ command: 'change', option: 'stop_sell', acts: 'now' });
    desk.quote(99.8);
    desk.wait(300);
    expect(desk.pair.holding.quantity).toBe(half);
    desk.quote(97.9);
    desk.wait(300);
    expect(desk.pair.position).toBeNull();
  });

  test('order_type applies to the next entry: a position exits by its old value', () => {
    const desk = new Desk({ ...AVERAGES, max_buy_loss_pct: 0 }, A, START);
    desk.close(102);
    change(desk, { order_type: 'maker' });
    desk.session = restoreSession(saveSession(desk.session));
    load(desk, A, 102);
    desk.quote(102);
    for (const price of [102, 103, 101]) desk.close(price);
    expect(desk.fills().map(({ data }) => [data.kind, data.liquidity])).toEqual([
      ['entry', 'taker'],
      ['exit', 'taker'],
    ]);
    desk.close(104);
    expect(desk.pair.entry?.urgency).toBe('maker');
  });

  test('leverage applies to the next entry', () => {
    const desk = new Desk(
      { ...AVERAGES, exchange: 'binanceusdm', leverage: 5, max_buy_loss_pct: 0, profit_callback: [] },
      A,
      START,
    );
    desk.close(102);
    change(desk, { leverage: 20, margin_mode: 'cross' });
    expect([desk.pair.holding.leverage, desk.pair.holding.isolated]).toEqual([5, true]);
    for (const price of [104, 106, 102.5, 108]) desk.close(price);
    expect([desk.pair.holding.leverage, desk.pair.holding.isolated]).toEqual([20, false]);
  });

  test('market applies to the next entry: an open short exits by its own signal', () => {
    const desk = new Desk(
      { ...AVERAGES, exchange: 'binanceusdm', market: 'only_short', leverage: 2, profit_callback: [] },
      A,
      START,
    );
    desk.close(98);
    expect(desk.pair.position?.direction).toBe(-1);
    change(desk, { market: 'only_long' });
    for (const price of [96, 94, 97.5]) desk.close(price);
    expect(desk.fills().at(-1)?.data).toMatchObject({ kind: 'exit', side: 'buy', reason: 'signal' });
    expect(desk.pair.position).toBeNull();
  });

  test('strategy and period apply by a reload: positions and tables stay, entries wait', () => {
    const desk = new Desk(AVERAGES, A, START);
    desk.close(102);
    const { holding } = desk.pair;
    const { result } = change(desk, { strategy: 'macd', period: '1h' });
    expect(result).toMatchObject({ ok: true });
    expect(desk.pair).toMatchObject({ flag: 'loading', candles: 0, holding });
    // A late candle of the old period does not count for the new one.
    desk.close(103);
    expect(desk.pair.candles).toBe(0);
    desk.quote(96);
    desk.wait(300);
    expect(desk.fills().at(-1)?.data.reason).toBe('stop_sell');
    load(desk, A, 100, PERIODS['1h']);
    expect(desk.pair).toMatchObject({ flag: null, candles: 100, reloading: false });
    expect(desk.session.bot.rules.periodMs).toBe(PERIODS['1h']);
  });

  test('currency and venue apply only when flat without orders, with a new account', () => {
    const desk = new Desk(AVERAGES, A, START);
    desk.close(102);
    const before = JSON.stringify(desk.session.state.bot);
    const refused = change(desk, { exchange: 'binanceusdm', buy_pct: 30 });
    expect(refused).toMatchObject({ notes: [], result: { ok: false, faults: [{ option: 'exchange' }] } });
    expect(JSON.stringify(desk.session.state.bot)).toBe(before);
    desk.sell(100);
    expect(change(desk, { exchange: 'binanceusdm', currency_capital: 20_000 }).result).toMatchObject({ ok: true });
    expect(desk.session.state.bot).toMatchObject({ wallet: { quote: 2e12, start: 2e12 }, trades: 0, nextIntent: 3 });
    expect(desk.pair).toMatchObject({ flag: 'loading', market: null });
    load(desk, A);
    desk.quote(100);
    desk.buy(100);
    expect(desk.pair.position).not.toBeNull();
  });

  test.each([
    ['venue', [{ exchange: 'binanceusdm' }]],
    ['currency', [{ product_currency: 'USDC' }, { product_currency: 'USDT' }]],
  ])('a new account after a change of the %s keeps paused pairs paused', (_, steps) => {
    const desk = new Desk(AVERAGES, A, START);
    desk.command({ type: 'halt', pair: A.pair, close: false });
    for (const options of steps) expect(change(desk, options).result).toMatchObject({ ok: true });
    load(desk);
    expect(pairView(desk.session, A.pair, desk.now)).toMatchObject({ flag: 'paused', pausedBy: 'manual' });
  });

  test('the case of product_currency does not matter, also in saved options', () => {
    const desk = new Desk(AVERAGES, A, START);
    desk.close(102);
    desk.sell(100);
    expect(change(desk, { product_currency: 'usdt' }).result).toMatchObject({ ok: true, changes: [] });
    const { bot } = desk.session.state;
    bot.options = { ...bot.options, product_currency: 'usdt' };
    expect(change(desk, { buy_pct: 30 }).result).toMatchObject({ changes: [{ option: 'buy_pct' }] });
    expect(bot).toMatchObject({ trades: 2, options: { product_currency: 'USDT' } });
  });

  test('currency_capital applies only when the paper account is reset', () => {
    const desk = new Desk(AVERAGES, A, START);
    const { result } = change(desk, { currency_capital: 20_000 });
    expect(result).toMatchObject({ changes: [{ option: 'currency_capital', acts: 'paper_reset' }] });
    expect(equityOf(desk.session.bot)).toBe(1e12);
  });

  test('run_for counts from the start of the bot, quarentine_time from the loss', () => {
    const desk = new Desk({ ...AVERAGES, quarentine_time: 60, max_sell_loss_pct: 0 }, A, START);
    const { startedAt } = desk.session.state.bot;
    change(desk, { run_for: 2 });
    expect(desk.session.state.bot.endsAt).toBe(startedAt + 2 * 3_600_000);
    desk.close(102);
    desk.close(99);
    const closedAt = desk.notes.findLast(({ kind }) => kind === 'position_closed')?.at ?? 0;
    change(desk, { quarentine_time: 10, run_for: 0 });
    expect([desk.pair.quarantineUntil, desk.session.state.bot.endsAt]).toEqual([closedAt + 600_000, 0]);
  });

  test('run_for applies at once also with a change that starts a new account', () => {
    const desk = new Desk(AVERAGES, A, START);
    const { startedAt } = desk.session.state.bot;
    change(desk, { run_for: 2, product_currency: 'USDC' });
    expect(desk.session.state.bot.endsAt).toBe(startedAt + 2 * 3_600_000);
  });
});

test('a repeated change acts once and returns the first result, also after a restart', () => {
  const desk = new Desk(AVERAGES, A, START);
  const changed = (requestId: string, sell_pct: number) => {
    const given = { options: { sell_pct }, params: {}, requestId };
    return feedSession(desk.session, { type: 'command', at: desk.now, command: { type: 'change', ...given } });
  };
  const { result } = changed('moved', 50);
  expect(result).toMatchObject({ ok: true, changes: [{ option: 'sell_pct', from: '100', to: '50' }] });
  desk.session = restoreSession(saveSession(desk.session));
  expect(changed('moved', 50)).toMatchObject({ result, notes: [] });
  // After a later change a repetition has nothing to list, and undoes nothing.
  changed('later', 70);
  expect(changed('moved', 50)).toEqual({ result: { ok: true, intentId: null, changes: [] }, notes: [], durable: true });
  expect(desk.session.state.bot.options.sell_pct).toBe(70);
});

test('a changed parameter names its strategy, because it can have the name of an option', () => {
  const desk = new Desk({ ...AVERAGES, strategy: 'dca' }, A, { history: 100 });
  const { result, notes } = change(desk, {}, { mode: 'periodic' });
  expect(result).toMatchObject({ changes: [{ option: 'mode', strategy: 'dca', from: 'averaging', to: 'periodic' }] });
  expect(notes[0]?.data).toMatchObject({ command: 'change', option: 'mode', strategy: 'dca', acts: 'reload' });
  const replaced = change(desk, { strategy: 'grid' });
  expect(replaced.result).toMatchObject({ ok: true });
  const strategies = Object.fromEntries(replaced.notes.map(({ data }) => [data.option, data.strategy]));
  expect(strategies).toMatchObject({ strategy: undefined, mode: 'dca', levels: 'grid' });
});

describe('a change that is rejected', () => {
  test.each([
    [{ buy_pct: 101 }, {}, { option: 'buy_pct', range: [0, 100] }],
    [{ no_such_option: 1 }, {}, { option: 'no_such_option' }],
    [{}, { fast: -1 }, { option: 'fast' }],
    [{ keep_lookback_periods: 50, min_periods: 60 }, {}, { option: 'keep_lookback_periods' }],
  ])('%j %j leaves everything unchanged', (options, params, fault) => {
    const desk = new Desk(AVERAGES, A, START);
    desk.close(102);
    const before = JSON.stringify(desk.session.state.bot);
    expect(change(desk, options, params)).toMatchObject({ notes: [], result: { ok: false, faults: [fault] } });
    expect(JSON.stringify(desk.session.state.bot)).toBe(before);
  });

  test('one that changes nothing is no change', () => {
    const desk = new Desk(AVERAGES, A, START);
    expect(change(desk, { buy_pct: 20 })).toMatchObject({ notes: [], result: { ok: true, changes: [] } });
  });
});
