import { expect, test } from 'vitest';
import { LiveHarness } from './liveHarness.ts';

const pairOf = ({ state }: LiveHarness) => state.bot.pairs[0] as NonNullable<(typeof state.bot.pairs)[0]>;
const recorded = ({ journal }: LiveHarness) =>
  journal.filter(({ kind }) => kind === 'external').map(({ data }) => data.what);
const openStops = ({ exchange }: LiveHarness) =>
  [...exchange.orders.values()].filter(({ status, request }) => status === 'open' && request.trigger !== undefined);

function bought(): LiveHarness {
  const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
  harness.buy(1_000);
  harness.settle();
  harness.journal.length = 0;
  return harness;
}

function ban(harness: LiveHarness): void {
  harness.pause(60_000, true);
}

function refuseAll(harness: LiveHarness): void {
  while (harness.outgoing.length > 0) harness.perform(0, 'refused', 1);
  harness.deliverAll();
}

test('a ban stops requests, rejects manual orders, keeps the stop, is recorded once', () => {
  const harness = bought();
  const [stop] = openStops(harness);
  const until = harness.pause(60_000, true);
  harness.pause(60_000, true);
  expect(harness.buy(500)).toMatchObject({ ok: false, gate: 'exchange_paused', inputs: { until } });
  expect(harness.sell(100)).toMatchObject({ ok: false, gate: 'exchange_paused' });
  harness.crash();
  for (let seconds = 0; seconds < 50; seconds++) harness.wait(1_000);
  expect(harness.outgoing).toEqual([]);
  expect(openStops(harness)).toEqual([stop]);
  expect(recorded(harness)).toEqual(['address_banned']);
  harness.wait(15_000);
  harness.quote(0);
  expect(recorded(harness)).toEqual(['address_banned', 'ban_over']);
  expect(harness.buy(500)).toMatchObject({ ok: true });
});

test('two roundings of one ban end make one journal entry, a longer ban another', () => {
  const harness = bought();
  harness.pause(60_000, true);
  const until = harness.pause(61_000, true);
  expect(recorded(harness)).toEqual(['address_banned']);
  expect(harness.buy(500)).toMatchObject({ ok: false, inputs: { until } });
  harness.pause(120_000, true);
  expect(recorded(harness)).toEqual(['address_banned', 'address_banned']);
});

test('an exit due during a ban keeps the stop at the exchange, and is sent afterwards', () => {
  const harness = bought();
  harness.pause(60_000, true);
  harness.halt(true);
  for (let seconds = 0; seconds < 50; seconds++) harness.wait(1_000);
  expect([harness.outgoing, openStops(harness).length]).toEqual([[], 1]);
  harness.wait(15_000);
  harness.quote(0);
  harness.settle();
  expect(pairOf(harness).position).toBeNull();
  expect(openStops(harness)).toEqual([]);
});

test('a stop that a ban prevents is placed right after the ban, whatever the retries', () => {
  const harness = new LiveHarness({ maker: false, share: null, stop: 'market' });
  harness.buy(1_000);
  harness.perform(0, 'both', 1);
  // The bot receives the fill; the ban rejects its protective stop repeatedly.
  harness.deliverAll();
  for (let refusal = 0; refusal < 8; refusal++) {
    while (harness.outgoing.length > 0) harness.perform(0, 'refused', 1);
    harness.deliverAll();
    harness.wait(2_000 * 2 ** refusal);
  }
  harness.pause(60_000, true);
  while (harness.outgoing.length > 0) harness.perform(0, 'refused', 1);
  harness.deliverAll();
  harness.wait(59_000);
  expect([harness.outgoing, openStops(harness)]).toEqual([[], []]);
  harness.wait(2_000);
  harness.quote(0);
  harness.settle();
  expect(openStops(harness)).toHaveLength(1);
});

test('a pause that is lifted early, as by another proxy, ends at once', () => {
  const harness = bought();
  harness.pause(3_600_000, true);
  expect(harness.buy(500)).toMatchObject({ ok: false });
  harness.pause(0, false);
  expect(harness.buy(500)).toMatchObject({ ok: true });
  expect(recorded(harness)).toEqual(['address_banned', 'ban_over']);
});

test('a short pause stops orders as well, without a journal entry', () => {
  const harness = bought();
  harness.pause(5_000, false);
  expect(harness.buy(500)).toMatchObject({ ok: false, gate: 'exchange_paused' });
  harness.wait(6_000);
  harness.quote(0);
  expect(harness.buy(500)).toMatchObject({ ok: true });
  expect(recorded(harness)).toEqual([]);
});

test.each([
  { first: 'the refusal', steps: [refuseAll, ban] },
  { first: 'the ban', steps: [ban, refuseAll, (harness: LiveHarness) => harness.wait(2_000)] },
])('a manual sale rejected by a ban is not sent later, when $first arrives first', ({ steps }) => {
  const harness = new LiveHarness({ maker: false, share: null, stop: null });
  harness.buy(1_000);
  harness.settle();
  const { held } = harness.exchange;
  harness.sell(100);
  for (const step of steps) step(harness);
  expect(pairOf(harness).exit).toBeNull();
  harness.wait(61_000);
  harness.quote(0);
  harness.settle();
  expect([held > 0, harness.exchange.held]).toEqual([true, held]);
});
