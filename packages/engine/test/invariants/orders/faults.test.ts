import { floorStep, notional } from '@heron/engine/market/market.ts';
import type { OrderEvent } from '@heron/engine/state/botEvents.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { altMarket } from '../../arbitraries.ts';
import type { Generated } from '../../generated.ts';
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
  undelivered: number;
}

interface Message {
  order: Booked;
  event: OrderEvent;
  delivered: boolean;
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
        this.orders.push({ asked, state: 'sent', rest: asked.quantity, cancelled: false, undelivered: 0 });
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
        this.queueMessage(order, { type: 'opened', at: this.wire.now, clientOrderId: order.asked.clientOrderId });
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
      this.queueMessage(order, fill);
    }
    if (order.rest === 0) this.end(order, 'filled');
    else if (order.asked.order !== 'limit_maker') this.end(order, 'expired');
  }

  /** Delivers one message; with `again` it remains and is delivered again. */
  deliver(which: number, again: boolean): void {
    const ready = this.messages.filter(
      ({ event, order, delivered }) => event.type !== 'ended' || delivered || order.undelivered === 1,
    );
    const message = ready[which % Math.max(1, ready.length)];
    if (message === undefined) return;
    if (!message.delivered) message.order.undelivered -= 1;
    message.delivered = true;
    if (!again) this.messages.splice(this.messages.indexOf(message), 1);
    this.wire.deliver(message.event);
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
    this.queueMessage(order, { type: 'ended', at: this.wire.now, clientOrderId: order.asked.clientOrderId, how });
  }

  private queueMessage(order: Booked, event: OrderEvent): void {
    order.undelivered += 1;
    this.messages.push({ order, event, delivered: false });
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

type Step = Generated<typeof STEP>;

const STOPS = { stop_sell: [{ profit: 1, stop: 60 }], profit_win: [{ profit: 1, stop: 50 }], profit_callback: [] };

/** A bot that trades on a faulty exchange by a script. */
class FaultyTrading {
  readonly wire: Wire;
  readonly exchange: FaultyExchange;
  private readonly direction: 1 | -1;
  private ticks = 10_000;

  constructor({ future, short }: { future: boolean; short: boolean }) {
    const kind = future ? { exchange: 'binanceusdm', market: 'both', leverage: 3 } : {};
    this.wire = new Wire(ALT, { ...kind, ...STOPS, max_slippage_pct: 2 });
    this.exchange = new FaultyExchange(this.wire);
    this.direction = future && short ? -1 : 1;
    this.quote(1_000);
  }

  run(step: Step): void {
    this.act(step);
    this.exchange.receive();
  }

  /** Stops the bot and delivers every message. */
  end(): void {
    this.wire.command({ type: 'stop' });
    this.exchange.settle();
  }

  private act({ what, which, part, move }: Step): void {
    const { wire, exchange } = this;
    const order = part % 2 === 0 ? 'maker' : 'taker';
    switch (what) {
      case 'work':
        exchange.work(which, part);
        break;
      case 'deliver':
        exchange.deliver(which, part % 4 === 0);
        break;
      case 'wait':
        wire.wait(part * 100);
        break;
      case 'enter':
        wire.enter(500 + part * 10, order, this.direction);
        break;
      case 'sell':
        wire.command({ type: 'sell', pair: ALT.pair, order, percent: 1 + part, requestId: `s${wire.notes.length}` });
        break;
      case 'quote':
        this.ticks = Math.max(1_000, this.ticks + move);
        this.quote(500);
        break;
    }
  }

  private quote(after: number): void {
    this.wire.quote(this.ticks * ALT.tick, (this.ticks + 1) * ALT.tick, after);
  }
}

/** Expects the exchange to have at most one unfinished order of each parent order. */
function expectOneOrderPerParent({ orders }: FaultyExchange): void {
  const live = orders.filter(({ state }) => state !== 'over');
  const parents = live.map(({ asked }) => asked.clientOrderId.split('-')[1]);
  if (new Set(parents).size !== parents.length) expect(parents).toEqual([...new Set(parents)]);
}

/** Returns the signed quantity, the cash and the fees that the fills give, independently of the ledger. */
function sumsOf(fills: readonly Filled[]): { quantity: number; cash: number; fees: number } {
  const sums = { quantity: 0, cash: 0, fees: 0 };
  for (const { side, price, quantity, fee, feeAsset } of fills) {
    const inBase = feeAsset === ALT.base;
    const sign = side === 'buy' ? 1 : -1;
    sums.quantity += sign * quantity - (inBase ? fee : 0);
    sums.cash -= sign * notional(ALT, price, quantity) + (inBase ? 0 : fee);
    sums.fees += inBase ? notional(ALT, price, fee) : fee;
  }
  return sums;
}

/** Expects no open parent order, and a wallet and a holding that equal the fills of the exchange. */
function expectStateOfExchange({ bot, pair }: Wire, { fills }: FaultyExchange): void {
  const { holding, entry, exit } = pair;
  expect([entry, exit]).toEqual([null, null]);
  const { quantity, cash, fees } = sumsOf(fills);
  expect(holding.side * holding.quantity + 0).toBe(quantity + 0);
  expect(holding.fees).toBe(fees);
  const { wallet } = bot.state;
  // The wallet of a futures account still contains the cost of its open position.
  const openCost = bot.rules.future ? holding.side * holding.cost : 0;
  expect(wallet.quote - openCost).toBe(wallet.start + cash);
}

/** Expects no order to have reached the exchange twice. */
function expectDistinctOrders({ orders }: FaultyExchange): void {
  expect(new Set(orders.map(({ asked }) => asked.clientOrderId)).size).toBe(orders.length);
}

test("I-25: lost, late, repeated and reordered responses end in the exchange's state", () => {
  let filled = 0;
  fc.assert(
    fc.property(scripts, ({ steps, ...account }) => {
      const trading = new FaultyTrading(account);
      const { wire, exchange } = trading;
      for (const step of steps) {
        trading.run(step);
        expectOneOrderPerParent(exchange);
      }
      trading.end();
      filled += exchange.fills.length;
      expectStateOfExchange(wire, exchange);
      expectDistinctOrders(exchange);
    }),
    { numRuns: RUNS },
  );
  expect(filled).toBeGreaterThan(RUNS);
});
