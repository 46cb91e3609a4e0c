import type { AccountSnapshot, ExecutionEvent, LiveRequest } from '@heron/engine/live/executionEvent.ts';
import { createLiveSession, feedLive, nextLiveTimer, restoreLive } from '@heron/engine/live/liveSession.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import {
  addMarket,
  arrive,
  createPaperExchange,
  nextArrival,
  paperQuote,
  paperTrade,
  sendCancel,
  sendOrder,
} from '@heron/engine/paper/paperExchange.ts';
import { createPaperSession, feedSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { MarketEvent, OrderEvent } from '@heron/engine/state/botEvents.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type World, worlds } from '../invariants/world.ts';

const ID = 'abc123';

function paperNotes({ options, params, events }: World): Note[] {
  const notes: Note[] = [];
  let session = createPaperSession({ id: ID, options, params });
  for (const event of events) {
    if (event.type === 'restart') session = restoreSession(saveSession(session));
    else notes.push(...feedSession(session, event).notes);
  }
  return notes;
}

/**
 * Runs the same bot live, with the simulated exchange behind a connection.
 *
 * @returns null when a cancel had to wait for the arrival of its order, which the simulated exchange does not require
 */
function liveNotes({ options, params, events }: World): Note[] | null {
  const notes: Note[] = [];
  const exchange = createPaperExchange();
  let waited = false;
  const placed = new Map<string, OrderRequest & { filled: number }>();
  let session = createLiveSession({ id: ID, options, params, allotment: null });

  const feed = (event: MarketEvent | ExecutionEvent): void => {
    const output = feedLive(session, event);
    notes.push(...output.notes.filter(({ kind }) => kind !== 'external'));
    waited ||= session.state.orders.some(({ cancel }) => cancel === 'wanted');
    perform(output.requests, session.state.now);
  };
  const perform = (requests: readonly LiveRequest[], at: number): void => {
    for (const request of requests) {
      if (request.type === 'place') {
        const { type: order, clientOrderId, pair, side, price, quantity } = request.order;
        placed.set(clientOrderId, { ...request.order, filled: 0 });
        sendOrder(exchange, { clientOrderId, pair, side, order, price, quantity }, at);
      } else if (request.type === 'cancel') sendCancel(exchange, request.clientOrderId, at);
    }
  };
  const toExecutionEvent = (event: OrderEvent): ExecutionEvent => {
    const { at, clientOrderId } = event;
    const request = placed.get(clientOrderId) as OrderRequest & { filled: number };
    const report = { ...request, at, status: 'open' as const };
    switch (event.type) {
      case 'opened':
        return { type: 'order_report', at, report };
      case 'filled': {
        request.filled += event.quantity;
        const { type: _, ...fill } = event;
        return { type: 'fills', at, fills: [{ ...fill, pair: request.pair, exit: request.exit }] };
      }
      case 'ended':
        return event.how === 'post_only_rejected' || event.how === 'rejected'
          ? { type: 'rejected', at, clientOrderId, how: event.how, why: '' }
          : { type: 'order_report', at, report: { ...report, status: event.how } };
    }
  };
  const feedOrderEvents = (given: readonly OrderEvent[]) => given.map(toExecutionEvent).forEach(feed);
  const advance = (at: number): void => {
    for (;;) {
      const arrival = nextArrival(exchange);
      const due = nextLiveTimer(session) ?? 0;
      const next = arrival > 0 && (due === 0 || arrival <= due) ? arrival : due;
      if (next === 0 || next > at) return;
      if (next === arrival) feedOrderEvents(arrive(exchange, session.bot.rules, next));
      else feed({ type: 'timer', at: next });
    }
  };
  const applySnapshot = (at: number): void => {
    const { opened, bot } = session.state;
    const cash = opened ? bot.wallet.quote : toUnits(options.currency_capital);
    const account: AccountSnapshot = {
      ...{ askedAt: at, cash, free: cash, otherBots: [], fills: [], cursors: {}, openOrders: [], pairs: [] },
      incomes: [],
      incomesSince: 0,
      settled: false,
    };
    feed({ type: 'account_snapshot', at, account });
  };

  let first = true;
  for (const given of events) {
    // An event from the past gets the current time.
    const event = { ...given, at: Math.max(given.at, session.state.now) };
    advance(event.at);
    if (event.type === 'restart') {
      session = restoreLive(JSON.parse(JSON.stringify(session.state)) as LiveState);
      feed({ type: 'resumed', at: event.at });
      applySnapshot(event.at);
      continue;
    }
    if (event.type === 'history') addMarket(exchange, event.market);
    const { rules } = session.bot;
    if (event.type === 'quote') feedOrderEvents(paperQuote(exchange, rules, event.pair, event));
    if (event.type === 'trade') {
      feedOrderEvents(paperTrade(exchange, rules, event));
    }
    feed(event);
    if (first) applySnapshot(event.at);
    first = false;
  }
  return waited ? null : notes;
}

test('a live bot on an exchange that acts like the simulation equals the paper bot', () => {
  let fills = 0;
  fc.assert(
    fc.property(worlds({ future: false, maxPairs: 3 }), (world) => {
      const live = liveNotes(world);
      if (live === null) return;
      const paper = paperNotes(world);
      expect(live).toEqual(paper);
      fills += paper.filter(({ kind }) => kind === 'fill').length;
    }),
    { numRuns: 300 },
  );
  expect(fills).toBeGreaterThan(300);
});
