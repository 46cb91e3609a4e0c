import { toUnits } from '@heron/engine/money/units.ts';
import { expect, test } from 'vitest';
import type { ExchangeName } from '../src/liveCheck/openVenue.ts';
import { reportText, STEPS } from '../src/liveCheck/report.ts';
import { LiveCheckStage, PAIR } from './liveCheckStage.ts';

/** A request of a check; `skip` counts the earlier requests with the same pattern. */
interface Request {
  readonly match: string;
  readonly skip: number;
}

/** Number of the order that buys: an order away from the market and its replacement precede it. */
const BUY = 3;

/**
 * Returns the requests whose loss is tested: the order away from the market, the buy, the stop, the sale, and each cancel.
 */
function requestsOf(exchange: ExchangeName): Request[] {
  const order = exchange === 'binanceusdm' ? '/fapi/v1/order' : '/api/v3/order';
  const stops: Readonly<Record<ExchangeName, Request[]>> = {
    binance: [
      { match: `POST ${order}`, skip: 4 },
      { match: `DELETE ${order}`, skip: 2 },
    ],
    binanceusdm: [
      { match: 'POST /fapi/v1/algoOrder', skip: 0 },
      { match: 'DELETE /fapi/v1/algoOrder', skip: 0 },
    ],
    mexc: [],
  };
  return [
    ...[0, 2, 3].map((skip) => ({ match: `POST ${order}`, skip })),
    ...[0, 1].map((skip) => ({ match: `DELETE ${order}`, skip })),
    ...stops[exchange],
  ];
}

/** Registers the tests of a live check at one exchange. */
export function testLiveCheckOn(exchange: ExchangeName): LiveCheckStage {
  const stage = new LiveCheckStage(exchange);

  test('it runs every step, its balances match exactly, and its report has no secret', async () => {
    const report = await stage.leavesNothing({ timeoutMs: 20_000 });
    expect(report.steps.map(({ name, status }) => `${name} ${status}`)).toEqual(
      STEPS.map((name) => `${name} ${name === 'stop' && exchange === 'mexc' ? 'not_applicable' : 'passed'}`),
    );
    expect(report).toMatchObject({ passed: true, interrupted: false });
    expect(report.balances.map(({ verdict }) => verdict)).not.toContain('differs');
    expect(report.balances.find(({ asset }) => asset === 'USDT')).toMatchObject({ difference: '0', verdict: 'exact' });
    expect(report.orders.every(({ status, streamMs }) => status !== 'unknown' && streamMs !== null)).toBe(true);
    const free = (await stage.trading.balances()).find(({ asset }) => asset === 'USDT')?.free ?? 'none';
    for (const text of [JSON.stringify(report), reportText(report)]) {
      for (const hidden of [stage.keys.key, stage.keys.secret, free]) expect(text).not.toContain(hidden);
    }
  });

  test.each(
    requestsOf(exchange).flatMap((request) => (['before', 'after'] as const).map((at) => ({ ...request, at }))),
  )('a loss of $match number $skip, $at it is carried out, leaves nothing behind', async ({ match, skip, at }) => {
    await stage.fault({ kind: 'drop', at, match, skip, count: 1 });
    const report = await stage.leavesNothing();
    expect(report.passed).toBe(false);
    expect(report.steps.filter(({ status }) => status === 'failed')).toHaveLength(1);
  });

  test('an exchange that is unavailable for a while after the buy is waited for', async () => {
    let orders = 0;
    const report = await stage.leavesNothing({
      trading: {
        ...stage.trading,
        async place(ticket) {
          const placed = await stage.trading.place(ticket);
          orders += 1;
          // A number of requests, because a check that waits for its request limit could outlast a number of seconds.
          if (orders === BUY) await stage.fault({ kind: 'answer', status: 503, match: '*', count: 4 });
          return placed;
        },
      },
    });
    expect(report.passed).toBe(false);
    expect(orders).toBeGreaterThanOrEqual(BUY);
  });

  test('a partial fill is sold, or reported as too small to sell', async () => {
    const before = await stage.account();
    await stage.fault({ kind: 'partial', part: 0.5, match: 'BTCUSDT', count: 2 });
    const report = await stage.check();
    if (report.left.length === 0) await stage.expectUnchanged(before);
    else {
      expect(exchange).not.toBe('binanceusdm');
      expect(report.left).toHaveLength(1);
      expect(report.left[0]?.what).toMatch(/^Up to 0\.\d+ BTC bought .*too small to sell/);
      expect((await stage.account()).orders).toBe(before.orders);
    }
  });

  test.each(STEPS)('interrupted after the step %s, it leaves nothing behind', async (step) => {
    const interrupt = new AbortController();
    const report = await stage.leavesNothing({
      ...{ signal: interrupt.signal, timeoutMs: 20_000 },
      onStep({ name }) {
        if (name === step) interrupt.abort();
      },
    });
    expect(report.interrupted).toBe(true);
    const done = report.steps.filter(({ status }) => status === 'passed' || status === 'not_applicable');
    expect(done.map(({ name }) => name)).toEqual(STEPS.slice(0, STEPS.indexOf(step) + 1));
  });

  test.each([1, 2, 3, 4, 5])('interrupted while order %i is being sent, it leaves nothing behind', async (nth) => {
    const interrupt = new AbortController();
    let orders = 0;
    const report = await stage.leavesNothing({
      signal: interrupt.signal,
      trading: {
        ...stage.trading,
        place(ticket) {
          orders += 1;
          if (orders === nth) interrupt.abort();
          return stage.trading.place(ticket);
        },
      },
    });
    expect(report.interrupted).toBe(orders >= nth);
  });

  test('an unreachable exchange is reported with what may remain and how to close it', async () => {
    const before = await stage.account();
    const report = await stage.check({
      cleanUpMs: 1_000,
      trading: {
        ...stage.trading,
        // The fault starts before the response returns, so that every request after the order fails.
        async place(ticket) {
          const placed = await stage.trading.place(ticket);
          await stage.fault({ kind: 'drop', match: '*' });
          return placed;
        },
      },
    });
    expect(report.passed).toBe(false);
    const [order] = report.orders;
    expect(report.left[0]?.what).toContain(order?.clientOrderId);
    expect(report.left[0]?.what).toContain(order?.quantity);
    expect(report.left[0]?.howTo).toContain('cancel');
    expect(reportText(report)).toContain('LEFT AT THE EXCHANGE');
    await stage.clearFaults();
    await stage.trading.cancel(PAIR, order?.clientOrderId ?? '');
    await stage.expectUnchanged(before);
  });

  test('a limit below the smallest order ends it before anything is sent', async () => {
    const report = await stage.leavesNothing({ limit: toUnits(0.5) });
    expect(report.orders).toEqual([]);
    expect(report.steps[1]).toMatchObject({ name: 'account', status: 'failed' });
    expect(report.steps[1]?.notes[0]).toContain('more than the limit');
  });

  return stage;
}
