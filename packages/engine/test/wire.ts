import { handle } from '@heron/engine/bot/handle.ts';
import { nextDue } from '@heron/engine/bot/onTimer.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { type Price, type Quantity, toUnits } from '@heron/engine/money/units.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { feeOf } from '@heron/engine/paper/paperExchange.ts';
import { createJournalObserver, type Note } from '@heron/engine/session/journal.ts';
import { type Bot, createBot } from '@heron/engine/state/bot.ts';
import type { Command, Effect, OrderEnd, OrderEvent } from '@heron/engine/state/botEvents.ts';
import { createBotState, type PairState } from '@heron/engine/state/botState.ts';
import { clientOrderId, type LiveOrder } from '@heron/engine/state/parentOrder.ts';
import { options, START } from './harness.ts';

/** A request of the bot to its exchange. */
export interface RequestedOrder {
  type: Effect['type'];
  clientOrderId: string;
  side: 'buy' | 'sell';
  order: LiveOrder['type'];
  price: Price;
  quantity: Quantity;
}

/** A bot on one market. The test plays the exchange: it receives the requests and sends the results. */
export class Wire {
  readonly bot: Bot;
  readonly market: Market;
  readonly notes: Note[] = [];
  readonly asked: RequestedOrder[] = [];
  now = START;
  private fills = 0;

  constructor(market: Market, given: Partial<Record<keyof BotOptions, unknown>> = {}) {
    this.market = market;
    const checked = options({ watch_pairs: market.pair, strategy: 'manual', poll_scan_time: 1_000, ...given });
    const state = createBotState('abc123', checked, {});
    this.bot = createBot(
      state,
      createJournalObserver(state.id, this.notes, () => {}),
    );
    this.command({ type: 'start' });
    handle(this.bot, { type: 'history', at: this.now, market, candles: [] }, []);
  }

  get pair(): PairState {
    return this.bot.state.pairs[0] as PairState;
  }

  command(command: Command): void {
    this.act((effects) => handle(this.bot, { type: 'command', at: this.now, command }, effects));
  }

  quote(bid: Price, ask: Price, after: number): void {
    this.wait(after);
    const quote = { at: this.now, bid, bidSize: 0, ask, askSize: 0, last: bid };
    this.act((effects) => handle(this.bot, { type: 'quote', pair: this.market.pair, ...quote }, effects));
  }

  /** Advances the time, with every timer at its own time. */
  wait(ms: number): void {
    const end = this.now + ms;
    for (let due = nextDue(this.bot); due > 0 && due <= end; due = nextDue(this.bot)) {
      this.now = Math.max(due, this.now);
      this.act((effects) => handle(this.bot, { type: 'timer', at: this.now }, effects));
    }
    this.now = end;
  }

  deliver(event: OrderEvent): void {
    this.act((effects) => handle(this.bot, event, effects));
  }

  opened({ clientOrderId: name }: RequestedOrder): void {
    this.deliver({ type: 'opened', at: this.now, clientOrderId: name });
  }

  /** Creates a fill of `asked` without sending it. */
  fillOf({ clientOrderId: name, side, order, price }: RequestedOrder, quantity: Quantity, at = price): OrderEvent {
    const liquidity = order === 'limit_maker' ? 'maker' : 'taker';
    const inBase = side === 'buy' && !this.bot.rules.future;
    const rate = liquidity === 'maker' ? this.bot.rules.makerFee : this.bot.rules.takerFee;
    this.fills += 1;
    return {
      type: 'filled',
      at: this.now,
      clientOrderId: name,
      id: `t${this.fills}`,
      side,
      price: at,
      quantity,
      fee: feeOf(this.market, inBase, at, quantity, rate),
      feeAsset: inBase ? this.market.base : this.market.quote,
      liquidity,
    };
  }

  ended({ clientOrderId: name }: RequestedOrder, how: OrderEnd): void {
    this.deliver({ type: 'ended', at: this.now, clientOrderId: name, how });
  }

  /** Enters manually for `value` of the quote currency; `direction` −1 opens a short. */
  enter(value: number, order: 'maker' | 'taker', direction: 1 | -1 = 1): void {
    const requestId = `r${this.notes.length}`;
    const short = direction === -1 ? ({ short: true } as const) : {};
    this.command({ type: 'buy', pair: this.market.pair, order, value: toUnits(value), requestId, ...short });
  }

  /** Returns the orders placed so far. */
  placed(): RequestedOrder[] {
    return this.asked.filter(({ type }) => type === 'place');
  }

  private act(what: (effects: Effect[]) => unknown): void {
    const effects: Effect[] = [];
    what(effects);
    for (const { type, parent, order } of effects) {
      const { side } = parent;
      const name = clientOrderId(this.bot.state.id, parent, order);
      this.asked.push({
        type,
        clientOrderId: name,
        side,
        order: order.type,
        price: order.price,
        quantity: order.quantity,
      });
    }
  }
}
