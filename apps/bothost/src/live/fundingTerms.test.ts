import type { OwnIncome } from '@heron/engine/live/report.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import type { FundingPayment, PublicFutures } from '@heron/exchanges/exchange.ts';
import { expect, test } from 'vitest';
import { createFundingTerms } from './fundingTerms.ts';

/** A pair whose payments cannot be read. */
const REFUSED = 'ETH-USDT';
const EIGHT_HOURS = 28_800_000;

const paid = (pair: string, at: number): OwnIncome => ({ type: 'funding', id: `${at}`, at, pair, amount: -1 });

/** Creates a venue with some payments. Implements only the calls that these tests need. */
function venue(payments: readonly FundingPayment[]) {
  const requests: string[] = [];
  const exchange = {
    time: () => 3 * EIGHT_HOURS,
    async fundingHistory(pair: string, from: number, to: number) {
      requests.push(pair);
      if (pair === REFUSED) throw new ExchangeUnreachable('binanceusdm', 'too many questions');
      return payments.filter(({ time }) => time >= from && time < to);
    },
  } as unknown as PublicFutures;
  return { requests, exchange };
}

test('payments of a month get rates and marks by one request per pair, made once', async () => {
  const payments = Array.from({ length: 90 }, (_, n) => ({
    time: n * EIGHT_HOURS,
    rate: n / 1e6,
    mark: toUnits(n + 1),
  }));
  const { requests, exchange } = venue(payments);
  const attachFundingTerms = createFundingTerms(exchange);
  // Incomes are recorded a moment after their payments.
  const incomes = payments.map(({ time }) => paid('BTC-USDT', time + 900));
  const { incomes: received } = await attachFundingTerms(
    [...incomes, paid('ETH-USDT', EIGHT_HOURS)],
    new Set(['BTC-USDT']),
  );
  expect(received.slice(0, 90).map(({ terms }) => terms)).toEqual(
    payments.map(({ rate, mark }) => ({ rate: Math.round(rate * 1e8), mark })),
  );
  expect(received[90]).toEqual(paid('ETH-USDT', EIGHT_HOURS));
  await attachFundingTerms(incomes, new Set(['BTC-USDT']));
  expect(requests).toEqual(['BTC-USDT']);
});

test('a payment that the venue does not list yet, and a clearance, stay unchanged', async () => {
  const { requests, exchange } = venue([{ time: EIGHT_HOURS, rate: 0.0001, mark: 1 }]);
  const incomes: OwnIncome[] = [
    paid('BTC-USDT', 2 * EIGHT_HOURS),
    { ...paid('BTC-USDT', EIGHT_HOURS), type: 'clearance' },
  ];
  const attachFundingTerms = createFundingTerms(exchange);
  expect(await attachFundingTerms(incomes, new Set(['BTC-USDT']))).toEqual({ incomes, later: [] });
  await attachFundingTerms(incomes, new Set(['BTC-USDT']));
  expect(requests).toHaveLength(2);
});

test('bots that need terms at the same moment share one request', async () => {
  const { requests, exchange } = venue([{ time: EIGHT_HOURS, rate: 0.0001, mark: 1 }]);
  const attachFundingTerms = createFundingTerms(exchange);
  const ask = () => attachFundingTerms([paid('BTC-USDT', EIGHT_HOURS)], new Set(['BTC-USDT']));
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(requests).toHaveLength(1);
  for (const { incomes } of answers) expect(incomes[0]).toHaveProperty('terms');
});

test('a payment whose venue is unreachable is completed later and delays no other', async () => {
  const { exchange } = venue([]);
  const pairs = new Set(['BTC-USDT', REFUSED]);
  const now = 3 * EIGHT_HOURS;
  const [received, later] = [paid('BTC-USDT', now), paid(REFUSED, now - 60_000)];
  const attachFundingTerms = createFundingTerms(exchange);
  expect(await attachFundingTerms([later, received], pairs)).toEqual({ incomes: [received], later: [later] });
  // An income of this age is not postponed, because its fills are soon no longer read.
  await expect(attachFundingTerms([paid(REFUSED, now - 540_000), received], pairs)).rejects.toMatchObject({
    kind: 'unreachable',
  });
});
