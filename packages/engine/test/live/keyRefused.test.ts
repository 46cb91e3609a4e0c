import { expect, test } from 'vitest';
import { Line } from './line.ts';

const pairOf = ({ state }: Line) => state.bot.pairs[0] as NonNullable<(typeof state.bot.pairs)[0]>;
const recorded = ({ journal }: Line) => journal.filter(({ kind }) => kind === 'external').map(({ data }) => data.what);
const openStops = ({ exchange }: Line) =>
  [...exchange.orders.values()].filter(({ status, ticket }) => status === 'open' && ticket.trigger !== undefined);

/** The exchange refuses what is sent, because it does not accept the key. */
function refuse(line: Line): void {
  line.key('refused');
  while (line.outgoing.length > 0) line.perform(0, 'refused', 1);
  line.hearAll();
}

test('a key that is refused blocks entries, is recorded once, and a sale by hand meanwhile is refused at once', () => {
  const line = new Line({ maker: false, share: null, stop: 'market' });
  line.buy(1_000);
  line.settle();
  line.journal.length = 0;
  line.buy(500);
  refuse(line);
  expect(recorded(line)).toEqual(['key_refused']);
  expect(line.buy(500)).toMatchObject({ ok: false, gate: 'key_refused' });
  expect(line.sell(100)).toMatchObject({ ok: false, gate: 'key_refused' });
  expect(line.outgoing).toEqual([]);
  line.key('refused');
  line.crash();
  expect(line.buy(500)).toMatchObject({ ok: false, gate: 'key_refused' });
  line.key('fine');
  expect(line.buy(500)).toMatchObject({ ok: true });
  line.settle();
  expect(recorded(line)).toEqual(['key_refused', 'key_accepted']);
});

test('a sale by hand that the exchange refuses for its key is given up: it is not made minutes later', () => {
  const line = new Line({ maker: false, share: null, stop: 'market' });
  line.buy(1_000);
  line.settle();
  const { held } = line.exchange;
  line.sell(100);
  // The stop is cancelled first; then the key is revoked.
  line.perform(0, 'both', 1);
  line.hearAll();
  expect(line.outgoing.length).toBeGreaterThan(0);
  refuse(line);
  expect(pairOf(line).exit).toBeNull();
  const ends = line.journal.filter(({ kind, data }) => kind === 'intent_end' && data.reason === 'manual');
  expect(ends.at(-1)).toMatchObject({ data: { how: 'rejected', filled: '0' } });
  line.key('fine');
  line.settle();
  expect([line.exchange.held, openStops(line).length]).toEqual([held, 1]);
});

test('a stop and an exit that were refused for the key are sent again as soon as it is accepted', () => {
  const line = new Line({ maker: false, share: null, stop: 'market' });
  line.buy(1_000);
  line.perform(0, 'both', 1);
  line.hearAll();
  for (let refusal = 0; refusal < 8; refusal++) {
    refuse(line);
    line.wait(2_000 * 2 ** refusal);
  }
  refuse(line);
  expect(recorded(line).filter((what) => what === 'order_refused')).toEqual([]);
  expect(line.outgoing).toEqual([]);
  line.key('fine');
  expect(line.outgoing).toMatchObject([{ type: 'place', ticket: { type: 'stop_market' } }]);
  line.fall(0.02);
  line.quote(0);
  line.settle();
  expect(pairOf(line).position).toBeNull();
});
