import { floorTick } from '@heron/engine/market/market.ts';
import { mulDiv, SCALE, toUnits } from '@heron/engine/money/units.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS } from '../invariants/runs.ts';
import { CAPITAL, Line, MARKET, MOVE, type Move } from './line.ts';

const STORY = fc.array(MOVE, { minLength: 30, maxLength: 250, size: 'max' });

test('whatever has happened, a position has exactly one stop of the right size and price once everything has arrived, or says why not', () => {
  let stops = 0;
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.constantFrom(null, CAPITAL / 2),
      fc.constantFrom('market' as const, 'limit' as const),
      STORY,
      (maker, share, stop, moves) => {
        const line = new Line({ maker, share, stop });
        for (const move of moves) line.move(move);
        const state = line.settle();
        const { exchange, market } = line;
        const [pair] = state.bot.pairs;
        const resting = [...exchange.orders.values()].filter(
          ({ status, ticket }) => status === 'open' && ticket.trigger,
        );
        const gap = state.stops[market.pair]?.gap ?? null;
        const { position, holding } = pair as NonNullable<typeof pair>;
        if (position === null) {
          expect(resting).toEqual([]);
          return;
        }
        if (resting.length === 0) {
          const rows = state.bot.options.stop_sell;
          expect(['no_row', 'row_fired', 'below_minimum']).toContain(gap);
          if (gap === 'no_row') expect(rows).toEqual([]);
          if (gap === 'row_fired') expect(position.fired.stopSell).toBeGreaterThan(0);
          return;
        }
        stops += 1;
        expect(gap).toBeNull();
        expect(resting).toHaveLength(1);
        const { ticket, filled } = resting[0] as (typeof resting)[number];
        const rows = [...state.bot.options.stop_sell].sort((a, b) => b.profit - a.profit);
        const outermost = rows[0]?.profit ?? 0;
        const level = mulDiv(holding.entryPrice, SCALE - toUnits(outermost / 100), SCALE, 'down');
        expect(ticket.trigger).toEqual({ price: floorTick(market, level), by: 'last' });
        expect(exchange.price).toBeGreaterThan(ticket.trigger?.price ?? 0);
        const rest = ticket.quantity - filled;
        expect(rest).toBeLessThanOrEqual(exchange.held);
        if (rows.length === 1) expect(rest).toBe(Math.floor(exchange.held / market.step) * market.step);
      },
    ),
    { numRuns: RUNS / 2 },
  );
  expect(stops).toBeGreaterThan(RUNS / 50);
});

test('a position above the greatest order is protected in part, which is told, and the bot sells the rest itself', () => {
  const most = toUnits(0.005, MARKET.assetDecimals);
  const line = new Line({ maker: false, share: null, stop: 'market', most });
  for (let i = 0; i < 2; i++) {
    line.buy(290);
    line.settle();
  }
  const { exchange, market } = line;
  expect(exchange.held).toBeGreaterThan(most);
  const [stop] = [...exchange.orders.values()].filter(({ status }) => status === 'open');
  expect(stop?.ticket.quantity).toBe(most);
  const told = line.journal.filter(({ data }) => data.what === 'stop_in_part');
  const held = Math.floor(exchange.held / market.step) * market.step;
  // Once, when it grew beyond; how much it is by now is shown.
  expect(told).toMatchObject([{ data: { quantity: '0.005' } }]);
  expect(line.state.stops[market.pair]).toMatchObject({ gap: null, lacking: held - most });
  line.fall(0.02);
  expect(exchange.held).toBeGreaterThan(0);
  const after = line.settle();
  expect(after.bot.pairs[0]?.position).toBeNull();
  expect(exchange.held).toBeLessThan(market.step);
});

test('a stop that the bot should know and does not is taken up as a stop: it is asked for and cancelled as one', () => {
  const line = new Line({ maker: false, share: null, stop: 'market' });
  line.buy(500);
  line.settle();
  line.state.orders.length = 0;
  line.look();
  expect(line.journal.filter(({ data }) => data.what === 'adopted')).toHaveLength(1);
  expect(line.state.orders).toMatchObject([{ type: 'stop_market', trigger: { by: 'last' } }]);
  line.sell(100);
  expect(line.outgoing).toMatchObject([{ type: 'cancel', kind: 'stop' }]);
  expect(line.settle().bot.pairs[0]).toMatchObject({ position: null, stop: null });
});

const LADDERS = [
  { id: 'grid', params: { levels: 6, range_pct: 2 } },
  { id: 'dca', params: { start: 'now', step: 0.5, take_profit: 0.6, pause: 0 } },
  { id: 'dca', params: { start: 'now', step: 0.5, take_profit: 0.6, pause: 0, trailing: 0.3 } },
] as const;

test('beside the orders of a ladder no coin is offered twice, and what they do not hold has its stop', () => {
  let [stops, sales] = [0, 0];
  fc.assert(
    fc.property(fc.boolean(), fc.constantFrom(...LADDERS), STORY, (maker, strategy, moves) => {
      const stopSell = [{ profit: 3, stop: 100 }];
      const line = new Line({ maker, share: null, stop: 'market', stopSell, strategy });
      line.minutePasses();
      // By hand a ladder is ended.
      for (const move of moves) if (move.what !== 'sell' && move.what !== 'buy') line.move(move);
      const state = line.settle();
      const { exchange } = line;
      expect(exchange.oversold).toBe(0);
      const open = [...exchange.orders.values()].filter(
        ({ status, ticket }) => status === 'open' && ticket.side === 'sell',
      );
      const waiting = open.filter(({ waits }) => waits);
      if (open.length > waiting.length) sales += 1;
      if (waiting.length > 0) {
        stops += 1;
        expect(waiting).toHaveLength(1);
        expect(state.bot.pairs[0]?.position).not.toBeNull();
      } else if (state.bot.pairs[0]?.position) {
        expect(['ladder_sells', 'no_row', 'row_fired', 'below_minimum']).toContain(state.stops[line.market.pair]?.gap);
      }
    }),
    { numRuns: RUNS / 4 },
  );
  expect(Math.min(stops, sales)).toBeGreaterThan(RUNS / 500);
});

/** Seed 875129439: the base order is filled in part, its stop is cancelled by hand, the safety orders are open. */
const STOP_GONE_BESIDE_ENTRIES: readonly Move[] = [
  ...(['perform', 'hear', 'quote', 'quote', 'quote'] as const).map((what) => ({ what, n: 0 })),
  ...[224, 619].map((n) => ({ what: 'fill' as const, n })),
  ...(['perform', 'quote', 'hear', 'hear'] as const).map((what) => ({ what, n: 990 })),
];

test('a stop cancelled by hand beside the safety orders of a deal is back after a minute, whatever else the bot does', () => {
  const strategy = { id: 'dca', params: { start: 'now', step: 0.5, take_profit: 0.6, pause: 0, trailing: 0.3 } };
  const line = new Line({ maker: true, share: null, stop: 'market', strategy });
  line.minutePasses();
  for (const move of STOP_GONE_BESIDE_ENTRIES) line.move(move);
  while (resting(line).length === 0) line.settle(1);
  line.cancelStopByHand();
  line.hearAll();
  const goneAt = line.state.now;
  expect([gapOf(line), told(line, 'stop_gone').length]).toEqual(['cancelled', 1]);
  while (resting(line).length === 0 && line.state.now < goneAt + 120_000) line.settle(1);
  expect(line.state.orders.filter(({ side }) => side === 'buy').length).toBeGreaterThan(0);
  expect([gapOf(line), resting(line).length]).toEqual([null, 1]);
  expect(line.state.now - goneAt).toBeLessThan(62_000);
});

/** A bot that has bought at 60,000 and whose stop rests. */
function holding(given: Partial<ConstructorParameters<typeof Line>[0]> = {}): Line {
  const line = new Line({ maker: false, share: null, stop: 'market', ...given });
  line.buy(1_000);
  line.settle();
  return line;
}

const pairOf = ({ state }: Line) => state.bot.pairs[0] as NonNullable<(typeof state.bot.pairs)[0]>;
const resting = ({ exchange }: Line) =>
  [...exchange.orders.values()].filter(({ status, ticket }) => status === 'open' && ticket.trigger !== undefined);
const gapOf = ({ state, market }: Line) => state.stops[market.pair]?.gap ?? null;
const told = (line: Line, what: string) => line.journal.filter(({ data }) => data.what === what || data.why === what);

describe('a stop at the exchange', () => {
  test('stands where the outermost row sells, for what all rows would have sold by then', () => {
    const stopSell = [
      { profit: 1, stop: 50 },
      { profit: 3, stop: 80 },
    ];
    const line = holding({ stop: 'limit', stopSell });
    const [stop] = resting(line);
    const { entryPrice, quantity } = pairOf(line).holding;
    const { step, tick } = line.market;
    expect(stop?.ticket.trigger?.price).toBe(floorTick(line.market, mulDiv(entryPrice, 97, 100, 'down')));
    // A tenth is left: half of it, and a fifth of that.
    expect(stop?.ticket.quantity).toBe(Math.floor((quantity * 0.9) / step) * step);
    const limit = (stop?.ticket.trigger?.price ?? 0) * 0.95;
    expect(stop?.ticket.type).toBe('stop_limit');
    expect(limit - (stop?.ticket.price ?? 0)).toBeGreaterThanOrEqual(0);
    expect(limit - (stop?.ticket.price ?? 0)).toBeLessThan(tick);
  });

  test('is taken back before the bot sells, and what is left has one again in the same moment', () => {
    const line = holding();
    const before = resting(line)[0]?.ticket.clientOrderId;
    line.sell(40);
    expect(line.outgoing).toMatchObject([{ type: 'cancel', clientOrderId: before, kind: 'stop' }]);
    line.perform(0, 'both', 1);
    line.hearAll();
    expect(line.outgoing).toMatchObject([
      { type: 'place', ticket: { type: 'market', side: 'sell' } },
      { type: 'place', ticket: { type: 'stop_market', side: 'sell' } },
    ]);
    const [sale, stop] = line.outgoing.flatMap((request) =>
      request.type === 'place' ? [request.ticket.quantity] : [],
    );
    expect((sale ?? 0) + (stop ?? 0)).toBeLessThanOrEqual(line.exchange.held);
    expect(line.exchange.held - (sale ?? 0) - (stop ?? 0)).toBeLessThan(line.market.step);
  });

  test('that sells while the host is dead is booked once, with its own reason, and the bot sells nothing more', () => {
    const line = holding();
    line.fall(0.02);
    line.crash();
    line.settle();
    expect(line.exchange.held).toBeLessThan(line.market.step);
    expect(pairOf(line).position).toBeNull();
    const exits = line.journal.filter(({ kind, data }) => kind === 'fill' && data.side === 'sell');
    expect(exits.length).toBeGreaterThan(0);
    expect(exits.every(({ data }) => data.reason === 'exchange_stop')).toBe(true);
    expect(new Set(exits.map(({ data }) => data.id)).size).toBe(exits.length);
    expect(line.state.bot.wallet.quote).toBe(line.exchange.cash);
    expect(resting(line)).toEqual([]);
  });

  test('that is refused is told with an alarm once, and tried again until it rests', () => {
    const line = new Line({ maker: false, share: null, stop: 'market' });
    line.buy(1_000);
    line.perform(0, 'both', 1);
    line.hearAll();
    for (let refusal = 0; refusal < 4; refusal++) {
      expect(line.outgoing).toMatchObject([{ type: 'place', ticket: { type: 'stop_market' } }]);
      line.perform(0, 'refused', 1);
      line.hearAll();
      expect([gapOf(line), line.outgoing]).toEqual(['refused', []]);
      line.wait(1_000 * 2 ** refusal);
    }
    expect(told(line, 'stop_refused')).toHaveLength(1);
    expect(told(line, 'no')).toHaveLength(4);
    line.settle();
    expect([gapOf(line), resting(line).length]).toEqual([null, 1]);
  });

  test('that somebody else has cancelled is told, and another is placed a minute later', () => {
    const line = holding();
    const [before] = resting(line);
    line.cancelByHand(0);
    line.hearAll();
    expect(told(line, 'stop_gone')).toHaveLength(1);
    line.wait(59_000);
    expect([gapOf(line), line.outgoing.length]).toEqual(['cancelled', 0]);
    line.wait(2_000);
    line.settle();
    const [after] = resting(line);
    expect(after?.ticket).toMatchObject({ trigger: before?.ticket.trigger, quantity: before?.ticket.quantity });
    expect(after?.ticket.clientOrderId).not.toBe(before?.ticket.clientOrderId);
  });

  test('that the exchange has let expire is back after five seconds', () => {
    const line = holding();
    line.expireStop();
    line.hearAll();
    line.wait(4_000);
    expect([gapOf(line), line.outgoing.length]).toEqual(['cancelled', 0]);
    line.wait(1_500);
    expect(line.outgoing).toMatchObject([{ type: 'place', ticket: { type: 'stop_market' } }]);
  });

  test('that somebody else has cancelled leaves the bot on guard: it sells by itself where the stop would have', () => {
    const line = holding();
    line.cancelStopByHand();
    line.hearAll();
    expect([gapOf(line), resting(line)]).toEqual(['cancelled', []]);
    line.fall(0.02);
    line.quote(0);
    line.wait(1_000);
    expect(line.outgoing).toMatchObject([{ type: 'place', ticket: { type: 'market', side: 'sell' } }]);
    line.settle();
    expect([pairOf(line).position, line.exchange.held < line.market.step]).toEqual([null, true]);
  });

  test('follows stop_sell, and is taken back where that is switched off', () => {
    const line = holding();
    line.change({ stop_sell: [{ profit: 4, stop: 100 }] });
    line.settle();
    const level = mulDiv(pairOf(line).holding.entryPrice, 96, 100, 'down');
    expect(resting(line).map(({ ticket }) => ticket.trigger?.price)).toEqual([floorTick(line.market, level)]);
    line.change({ stop_sell: [] });
    line.settle();
    expect([resting(line), gapOf(line)]).toEqual([[], 'no_row']);
    expect(told(line, 'no_row')).toHaveLength(1);
  });

  test('goes with a bot that is stopped, and stays with a position that the kill switch keeps', () => {
    const line = holding();
    line.halt(false);
    line.settle();
    expect(resting(line)).toHaveLength(1);
    line.halt(true);
    line.settle();
    expect([resting(line), pairOf(line).position]).toEqual([[], null]);
    const stopped = holding();
    const { bot, orders } = stopped.end();
    expect([bot.status, orders, resting(stopped), gapOf(stopped)]).toEqual(['finished', [], [], 'not_running']);
    expect(pairOf(stopped).position).not.toBeNull();
  });

  test('is not there where the exchange has none, which the journal says once for each position', () => {
    const line = holding({ stop: null });
    line.buy(500);
    line.settle();
    expect([line.exchange.orders.size, gapOf(line)]).toEqual([2, 'venue']);
    expect(told(line, 'venue')).toHaveLength(1);
  });
});
