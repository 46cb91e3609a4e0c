import { floorStep, notional } from '@heron/engine/market/market.ts';
import type { OrderEvent } from '@heron/engine/state/botEvents.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { altMarket } from '../../arbitraries.ts';
import { type RequestedOrder, Wire } from '../../wire.ts';
import { RUNS } from '../runs.ts';

const ALT = altMarket();

/** State of an order at the exchange. */
interface Booked {
  asked: RequestedOrder;
  /** In flight, on the book, finished. */
  state: 'sent' | 'open' | 'over';
  rest: number;
  cancelled: boolean;
  /** Number of its messages that have not been delivered yet. */
  unheard: number;
}

interface Message {
  order: Booked;
  event: OrderEvent;
  heard: boolean;
}

type Filled = Extract<OrderEvent, { type: 'filled' }>;

/**
 * An exchange whose messages arrive late, twice, and out of order. Responses may be lost, so that the bot must query the order. An
 * order ends only after all its fills, since the adapter waits for them (docs/orders.md#unknown-outcome).
 */
class FaultyExchange {
  readonly orders: Booked[] = [];
  readonly fills: Filled[] = [];
  private readonly wire: Wire;
  private messages: Message[] = [];
  private taken = 0;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  /** Receives the requests of the bot since the last call. */
  receive(): void {
    for (const asked of this.wire.asked.slice(this.taken)) {
      if (asked.type === 'place') {
        this.orders.push({ asked, state: 'sent', rest: asked.quantity, cancelled: false, unheard: 0 });
      } else {
        const order = this.orders.find(({ asked: { clientOrderId } }) => clientOrderId === asked.clientOrderId);
        if (order) order.cancelled = true;
      }
    }
    this.taken = this.wire.asked.length;
  }

  /** Changes the state of one unfinished order. */
  work(which: number, part: number): void {
    const active = this.orders.filter(({ state }) => state !== 'over');
    const order = active[which % Math.max(1, active.length)];
    if (order === undefined) return;
    if (order.state === 'sent') {
      // Some orders never arrive or would cross: the query after the timeout reports no such order.
      if (part % 8 === 0) {
        this.end(order, order.asked.order === 'limit_maker' ? 'post_only_rejected' : 'rejected');
      } else {
        order.state = 'open';
        this.say(order, { type: 'opened', at: this.wire.now, clientOrderId: order.asked.clientOrderId });
      }
    } else if (order.cancelled && part % 2 === 0) {
      // A cancel may lose the race against a fill.
      this.end(order, 'canceled');
    } else {
      this.fill(order, part);
    }
  }

  private fill(order: Booked, part: number): void {
    const quantity = part % 3 === 0 ? order.rest : floorStep(ALT, (order.rest * (1 + (part % 90))) / 100);
    if (quantity > 0) {
      order.rest -= quantity;
      const fill = this.wire.fillOf(order.asked, quantity, order.asked.price || this.wire.pair.mark) as Filled;
      this.fills.push(fill);
      this.say(order, fill);
    }
    if (order.rest === 0) this.end(order, 'filled');
    else if (order.asked.order !== 'limit_maker') this.end(order, 'expired');
  }

  /** Delivers one message; with `again` it remains and is delivered again. */
  deliver(which: number, again: boolean): void {
    const ready = this.messages.filter(
      ({ event, order, heard }) => event.type !== 'ended' || heard || order.unheard === 1,
    );
    const message = ready[which % Math.max(1, ready.length)];
    if (message === undefined) return;
    if (!message.heard) message.order.unheard -= 1;
    message.heard = true;
    if (!again) this.messages.splice(this.messages.indexOf(message), 1);
    this.wire.tell(message.event);
  }

  /** Ends all orders and delivers all messages. */
  settle(): void {
    for (let i = 0; i < 2_000; i++) {
      this.receive();
      for (const order of this.orders) if (order.state !== 'over') this.end(order, 'canceled');
      if (this.messages.length === 0) return;
      this.deliver(i * 7, false);
    }
    throw new Error('it never comes to rest');
  }

  private end(order: Booked, how: Extract<OrderEvent, { type: 'ended' }>['how']): void {
    order.state = 'over';
    this.say(order, { type: 'ended', at: this.wire.now, clientOrderId: order.asked.clientOrderId, how });
  }

  private say(order: Booked, event: OrderEvent): void {
    order.unheard += 1;
    this.messages.push({ order, event, heard: false });
  }
}

const STEP = fc.record({
  what: fc.constantFrom('work', 'work', 'work', 'deliver', 'deliver', 'deliver', 'quote', 'wait', 'enter', 'sell'),
  which: fc.nat(9),
  part: fc.nat(99),
  move: fc.integer({ min: -80, max: 80 }),
});
const scripts = fc.record({
  future: fc.boolean(),
  short: fc.boolean(),
  steps: fc.array(STEP, { minLength: 20, maxLength: 90, size: 'max' }),
});

test("I-25: lost, late, repeated and reordered responses end in the exchange's state", () => {
  let filled = 0;
  fc.assert(
    fc.property(scripts, ({ future, short, steps }) => {
      const stops = {
        stop_sell: [{ profit: 1, stop: 60 }],
        profit_win: [{ profit: 1, stop: 50 }],
        profit_callback: [],
      };
      const wire = new Wire(ALT, {
        ...(future ? { exchange: 'binanceusdm', market: 'both', leverage: 3 } : {}),
        ...stops,
        max_slippage_pct: 2,
      });
      const exchange = new FaultyExchange(wire);
      const direction = future && short ? -1 : 1;
      let ticks = 10_000;
      const quote = (after: number) => wire.quote(ticks * ALT.tick, (ticks + 1) * ALT.tick, after);
      quote(1_000);
      for (const { what, which, part, move } of steps) {
        if (what === 'work') exchange.work(which, part);
        else if (what === 'deliver') exchange.deliver(which, part % 4 === 0);
        else if (what === 'wait') wire.wait(part * 100);
        else if (what === 'enter') wire.enter(500 + part * 10, part % 2 === 0 ? 'maker' : 'taker', direction);
        else if (what === 'sell') {
          const order = part % 2 === 0 ? 'maker' : 'taker';
          wire.command({ type: 'sell', pair: ALT.pair, order, percent: 1 + part, requestId: `s${wire.notes.length}` });
        } else {
          ticks = Math.max(1_000, ticks + move);
          quote(500);
        }
        exchange.receive();
        // The exchange never has two orders of one parent order.
        const live = exchange.orders.filter(({ state }) => state !== 'over');
        const intents = live.map(({ asked }) => asked.clientOrderId.split('-')[1]);
        if (new Set(intents).size !== intents.length) expect(intents).toEqual([...new Set(intents)]);
      }
      wire.command({ type: 'stop' });
      exchange.settle();
      filled += exchange.fills.length;
      const { wallet, pairs } = wire.bot.state;
      const { holding, entry, exit } = pairs[0] as (typeof pairs)[number];
      expect([entry, exit]).toEqual([null, null]);
      let quantity = 0;
      let cash = wallet.start;
      let fees = 0;
      for (const fill of exchange.fills) {
        const inBase = fill.feeAsset === ALT.base;
        const sign = fill.side === 'buy' ? 1 : -1;
        quantity += sign * fill.quantity - (inBase ? fill.fee : 0);
        cash -= sign * notional(ALT, fill.price, fill.quantity) + (inBase ? 0 : fill.fee);
        fees += inBase ? notional(ALT, fill.price, fill.fee) : fill.fee;
      }
      expect(holding.side * holding.quantity + 0).toBe(quantity + 0);
      expect(holding.fees).toBe(fees);
      // The wallet of a futures account still contains the cost of its open position.
      expect(wallet.quote - (future ? holding.side * holding.cost : 0)).toBe(cash);
      expect(new Set(exchange.orders.map(({ asked }) => asked.clientOrderId)).size).toBe(exchange.orders.length);
    }),
    { numRuns: RUNS },
  );
  expect(filled).toBeGreaterThan(RUNS);
});
