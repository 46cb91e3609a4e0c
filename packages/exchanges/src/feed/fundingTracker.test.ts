import { toUnits } from '@heron/engine/money/units.ts';
import { expect, test } from 'vitest';
import { ExchangeUnreachable } from '../errors.ts';
import type { FundingPayment, PublicFutures } from '../exchange.ts';
import { MARKET, scriptedExchange } from '../testing/scriptedExchange.ts';
import { type FundingEvent, openFundingTracker } from './fundingTracker.ts';

const HOUR = 3_600_000;
const START = 1_700_000_000_000 - (1_700_000_000_000 % HOUR) + HOUR / 2;

/** A watch on a venue that pays each hour and writes a payment down `late` ms after its time. */
function watching(late: number) {
  let at = START;
  const received: FundingEvent[] = [];
  let asked = 0;
  /** Requests to which the venue does not respond. */
  const fail = { funding: false, payments: new Set<string>() };
  const paymentsUntil = (time: number): FundingPayment[] =>
    Array.from({ length: 100 }, (_, i) => START - HOUR / 2 + (i - 10) * HOUR)
      .filter((due) => due + late <= time)
      .map((time) => ({ time, rate: 0.0001, mark: toUnits(1_000) }));
  const exchange: PublicFutures = {
    ...scriptedExchange(() => at),
    async funding(pairs = [MARKET.pair]) {
      if (fail.funding) throw new ExchangeUnreachable('scripted', 'no answer');
      const nextAt = (Math.floor(at / HOUR) + 1) * HOUR;
      return pairs.map((pair) => ({ pair, mark: toUnits(1_001), index: toUnits(1_000), rate: 0.0002, nextAt }));
    },
    async fundingHistory(pair, from, to) {
      asked += 1;
      if (fail.payments.has(pair)) throw new ExchangeUnreachable('scripted', 'no answer');
      return paymentsUntil(at).filter(({ time }) => time >= from && time < to);
    },
  };
  const watch = openFundingTracker(
    exchange,
    () => at,
    (event) => received.push(event),
    () => {},
  );
  return {
    ...{ watch, fail },
    times: () => received.map(({ id }) => Number(id)),
    asked: () => asked,
    /** Lets time pass without anybody looking. */
    sleep(ms: number) {
      at += ms;
    },
    async pass(ms: number, pairs = [MARKET.pair]) {
      for (const end = at + ms; at < end; at += 1_000) {
        watch.check(pairs);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

const FIRST = START + HOUR / 2;

test('each payment is reported once, as soon as the venue lists it', async () => {
  const { times, pass, asked, watch } = watching(8_000);
  await pass(HOUR / 2 + 5_000);
  expect(times()).toEqual([]);
  await pass(10_000);
  expect(times()).toEqual([FIRST]);
  await pass(2 * HOUR);
  expect(times()).toEqual([FIRST, FIRST + HOUR, FIRST + 2 * HOUR]);
  expect(asked()).toBeLessThan(20);
  expect(watch.mark(MARKET.pair)).toBe(toUnits(1_001));
});

test('a payment that falls due before the first response is reported', async () => {
  const { times, pass, sleep, watch } = watching(0);
  sleep(HOUR / 2 - 10);
  watch.check([]);
  sleep(20);
  await pass(5_000);
  expect(times()).toEqual([FIRST]);
});

test('a payment that was due but not listed at first is reported when it is listed', async () => {
  const { times, pass, sleep } = watching(10_000);
  sleep(HOUR / 2 + 1_000);
  await pass(8_000);
  expect(times()).toEqual([]);
  await pass(60_000);
  expect(times()).toEqual([FIRST]);
});

test('contracts get marks and payments although the payments of another cannot be read', async () => {
  const { watch, fail, pass, times, asked } = watching(0);
  fail.payments.add('ETH-USDT');
  const pairs = ['ETH-USDT', MARKET.pair];
  await pass(HOUR / 2 + 5_000, pairs);
  expect(pairs.map(watch.mark)).toEqual([toUnits(1_001), toUnits(1_001)]);
  expect(times()).toEqual([FIRST]);
  // The contract is not asked for at each check.
  const before = asked();
  await pass(30_000, pairs);
  expect(asked() - before).toBeLessThanOrEqual(11);
  fail.payments.clear();
  await pass(5_000, pairs);
  expect(times()).toEqual([FIRST, FIRST]);
});

test('a mark price of more than ten seconds ago is none', async () => {
  const { watch, fail, pass } = watching(0);
  await pass(5_000);
  fail.funding = true;
  await pass(7_000);
  expect(watch.mark(MARKET.pair)).toBe(toUnits(1_001));
  await pass(5_000);
  expect(watch.mark(MARKET.pair)).toBe(0);
  fail.funding = false;
  await pass(5_000);
  expect(watch.mark(MARKET.pair)).toBe(toUnits(1_001));
});
