import { expect, test } from 'vitest';
import { Line } from './line.ts';

const pairOf = ({ state }: Line) => state.bot.pairs[0] as NonNullable<(typeof state.bot.pairs)[0]>;
const recorded = ({ journal }: Line) => journal.filter(({ kind }) => kind === 'external').map(({ data }) => data.what);
const openStops = ({ exchange }: Line) =>
  [...exchange.orders.values()].filter(({ status, ticket }) => status === 'open' && ticket.trigger !== undefined);

function bought(): Line {
  const line = new Line({ maker: false, share: null, stop: 'market' });
  line.buy(1_000);
  line.settle();
  line.journal.length = 0;
  return line;
}

function ban(line: Line): void {
  line.pause(60_000, true);
}

function refuseAll(line: Line): void {
  while (line.outgoing.length > 0) line.perform(0, 'refused', 1);
  line.hearAll();
}

test('during a ban nothing is sent or asked for: orders by hand are refused, the stop stays, and the journal says so once', () => {
  const line = bought();
  const [stop] = openStops(line);
  const until = line.pause(60_000, true);
  line.pause(60_000, true);
  expect(line.buy(500)).toMatchObject({ ok: false, gate: 'exchange_paused', inputs: { until } });
  expect(line.sell(100)).toMatchObject({ ok: false, gate: 'exchange_paused' });
  line.crash();
  for (let seconds = 0; seconds < 50; seconds++) line.wait(1_000);
  expect(line.outgoing).toEqual([]);
  expect(openStops(line)).toEqual([stop]);
  expect(recorded(line)).toEqual(['address_banned']);
  line.wait(15_000);
  line.quote(0);
  expect(recorded(line)).toEqual(['address_banned', 'ban_over']);
  expect(line.buy(500)).toMatchObject({ ok: true });
});

test('two answers that round the end of one ban differently make one line, a ban that is made longer another', () => {
  const line = bought();
  line.pause(60_000, true);
  const until = line.pause(61_000, true);
  expect(recorded(line)).toEqual(['address_banned']);
  expect(line.buy(500)).toMatchObject({ ok: false, inputs: { until } });
  line.pause(120_000, true);
  expect(recorded(line)).toEqual(['address_banned', 'address_banned']);
});

test('an exit that is due during a ban leaves the stop at the exchange in force, and is sent when the ban ends', () => {
  const line = bought();
  line.pause(60_000, true);
  line.halt(true);
  for (let seconds = 0; seconds < 50; seconds++) line.wait(1_000);
  expect([line.outgoing, openStops(line).length]).toEqual([[], 1]);
  line.wait(15_000);
  line.quote(0);
  line.settle();
  expect(pairOf(line).position).toBeNull();
  expect(openStops(line)).toEqual([]);
});

test('a stop that a ban has kept from being placed is placed as soon as the ban ends, however often it was tried', () => {
  const line = new Line({ maker: false, share: null, stop: 'market' });
  line.buy(1_000);
  line.perform(0, 'both', 1);
  // Its fill is heard; the stop is refused again and again for the ban.
  line.hearAll();
  for (let refusal = 0; refusal < 8; refusal++) {
    while (line.outgoing.length > 0) line.perform(0, 'refused', 1);
    line.hearAll();
    line.wait(2_000 * 2 ** refusal);
  }
  line.pause(60_000, true);
  while (line.outgoing.length > 0) line.perform(0, 'refused', 1);
  line.hearAll();
  line.wait(59_000);
  expect([line.outgoing, openStops(line)]).toEqual([[], []]);
  line.wait(2_000);
  line.quote(0);
  line.settle();
  expect(openStops(line)).toHaveLength(1);
});

test('a pause that is lifted early, as by another proxy, ends at once', () => {
  const line = bought();
  line.pause(3_600_000, true);
  expect(line.buy(500)).toMatchObject({ ok: false });
  line.pause(0, false);
  expect(line.buy(500)).toMatchObject({ ok: true });
  expect(recorded(line)).toEqual(['address_banned', 'ban_over']);
});

test('a short pause stops orders as well, and is not worth a line in the journal', () => {
  const line = bought();
  line.pause(5_000, false);
  expect(line.buy(500)).toMatchObject({ ok: false, gate: 'exchange_paused' });
  line.wait(6_000);
  line.quote(0);
  expect(line.buy(500)).toMatchObject({ ok: true });
  expect(recorded(line)).toEqual([]);
});

test.each([
  { first: 'the refusal', steps: [refuseAll, ban] },
  { first: 'the ban', steps: [ban, refuseAll, (line: Line) => line.wait(2_000)] },
])('a sale by hand that is refused for a ban is not made afterwards, when $first is told first', ({ steps }) => {
  const line = new Line({ maker: false, share: null, stop: null });
  line.buy(1_000);
  line.settle();
  const { held } = line.exchange;
  line.sell(100);
  for (const step of steps) step(line);
  expect(pairOf(line).exit).toBeNull();
  line.wait(61_000);
  line.quote(0);
  line.settle();
  expect([held > 0, line.exchange.held]).toEqual([true, held]);
});
