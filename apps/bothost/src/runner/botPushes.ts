import type { Order } from '@heron/contract/bots/entities.ts';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import { formatUnits, type Price } from '@heron/engine/money/units.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import { valuesOf } from '@heron/engine/session/candleLog.ts';
import { followedPrice } from '@heron/engine/session/followedPrice.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { pairView } from '@heron/engine/session/sessionView.ts';
import type { ClosedCandle } from '@heron/engine/state/botEvents.ts';
import { type BotRow, modeOf } from '../store/botRow.ts';
import { type BotViewDeps, botDetail, botSummary } from '../store/botView.ts';
import type { Broadcast } from './broadcast.ts';
import { notificationKindOf } from './notificationKind.ts';

/** Minimum interval between pushes of the summary, and between pushes of a pair's quote, forming candle or moving levels. */
const PUSH_INTERVAL_MS = 250;

/** Pushes the changes of one bot to clients. Everything except market data is pushed after it is committed. */
export interface BotPushes {
  /** Pushes committed journal entries, the first of them with number `seq + 1`. */
  committed(notes: readonly Note[], seq: number): void;
  /** Pushes the notifications that such entries make; a part of {@link committed}. */
  notifications(notes: readonly Note[], seq: number): void;
  quote(quote: { pair: string; at: number; bid: Price; ask: Price; last: Price }): void;
  formingCandle(pair: string, candle: ClosedCandle): void;
  /** Pushes a closed candle after the bot has handled it. */
  closedCandle(pair: string, candle: ClosedCandle): void;
  /** Pushes the summary now, or after {@link PUSH_INTERVAL_MS}. */
  summary(): void;
  /** Pushes the summary, and the whole detail to clients that watch the bot. */
  refresh(): void;
  close(): void;
}

/** @param viewDeps returns the current values */
export function createBotPushes(
  row: BotRow,
  session: BotSession,
  broadcast: Broadcast,
  now: () => number,
  viewDeps: () => BotViewDeps,
): BotPushes {
  const throttled = new Map<string, { timer: NodeJS.Timeout; newest: StreamMessage | null }>();
  /** Open orders at the last push, by client order id. */
  let orders = openOrders();
  /** Best price of each pair with an active trailing take-profit, at the last push. */
  const followed = new Map<string, Price>();
  let summaryTimer: NodeJS.Timeout | null = null;
  let summaryWaits = false;

  const id = row.id;
  const send = (watchers: boolean, message: StreamMessage) =>
    broadcast.push({ owner: row.owner, bot: id, watchers, message });
  const pushToWatchers = (message: StreamMessage) => send(true, message);

  /** Pushes the first message at once, then the newest of each interval. */
  function throttle(key: string, message: StreamMessage): void {
    const waiting = throttled.get(key);
    if (waiting) {
      waiting.newest = message;
      return;
    }
    pushToWatchers(message);
    const pause = () => {
      const last = throttled.get(key);
      if (!last?.newest) {
        throttled.delete(key);
        return;
      }
      pushToWatchers(last.newest);
      throttled.set(key, { timer: setTimeout(pause, PUSH_INTERVAL_MS), newest: null });
    };
    throttled.set(key, { timer: setTimeout(pause, PUSH_INTERVAL_MS), newest: null });
  }

  function openOrders(): Map<string, Order> {
    const found = new Map<string, Order>();
    for (const { pair } of session.state.bot.pairs) {
      for (const order of pairView(session, pair, 0)?.orders ?? []) found.set(order.clientOrderId, order);
    }
    return found;
  }

  function pushOrders(notes: readonly Note[]): void {
    const before = orders;
    orders = openOrders();
    for (const [clientOrderId, order] of orders) {
      const known = before.get(clientOrderId);
      if (JSON.stringify(known) !== JSON.stringify(order)) pushToWatchers({ type: 'order', id, order, ended: null });
    }
    for (const [clientOrderId, order] of before) {
      if (orders.has(clientOrderId)) continue;
      const last = notes.findLast(({ kind, data }) => kind === 'order' && data.clientOrderId === clientOrderId);
      const filled = last ? String(last.data.filled) : order.filled;
      pushToWatchers({
        type: 'order',
        id,
        order: { ...order, filled },
        ended: last ? String(last.data.status) : 'canceled',
      });
    }
  }

  function pushNotes(notes: readonly Note[], seq: number): void {
    notes.forEach((note, index) => {
      if (note.kind === 'fill' && note.pair !== null)
        pushToWatchers({ type: 'fill', id, fill: fillOf(note, note.pair) });
      pushToWatchers({ type: 'journal', id, entry: { seq: seq + 1 + index, ...note } });
    });
    const touched = new Set(notes.flatMap(({ pair }) => (pair === null ? [] : [pair])));
    for (const pair of touched) {
      const view = pairView(session, pair, now());
      forget(`pair ${pair}`);
      if (view) pushToWatchers({ type: 'pair', id, view });
    }
  }

  function pushNotifications(notes: readonly Note[], seq: number): void {
    const { endsAt } = session.state.bot;
    notes.forEach((note, index) => {
      const kind = notificationKindOf(note, endsAt);
      if (kind === null) return;
      const { at, pair, data } = note;
      const bot = { bot: id, name: row.name, mode: modeOf(session.state.bot) } as const;
      // The database contains only ids from the table of venues.
      const venue = row.venue as VenueId;
      send(false, {
        type: 'notice',
        notice: { id: `${id}.${seq + 1 + index}`, ...bot, venue, at, pair, kind, data, seen: false },
      });
    });
  }

  /** Pushes pairs in which the price that trailing exits follow has moved, because no journal entry records that. */
  function pushFollowedPrices(): void {
    session.state.bot.pairs.forEach(({ pair }, index) => {
      const price = followedPrice(session.bot, index);
      if (price === (followed.get(pair) ?? 0)) return;
      followed.set(pair, price);
      const view = pairView(session, pair, now());
      if (view) throttle(`pair ${pair}`, { type: 'pair', id, view });
    });
  }

  /** Drops a throttled message, because a newer one is pushed now. */
  function forget(key: string): void {
    const waiting = throttled.get(key);
    if (waiting) waiting.newest = null;
  }

  function pushDetail(): void {
    for (const { pair } of session.state.bot.pairs) forget(`pair ${pair}`);
    pushToWatchers({ type: 'detail', bot: botDetail(row, session, viewDeps(), now()) });
  }

  /** Pushes the first summary at once, then one for each interval. */
  function summary(): void {
    if (!broadcast.hasListener(row.owner)) return;
    if (summaryTimer) {
      summaryWaits = true;
      return;
    }
    send(false, { type: 'bot', bot: botSummary(row, session, viewDeps(), now()) });
    summaryWaits = false;
    summaryTimer = setTimeout(() => {
      summaryTimer = null;
      if (summaryWaits) summary();
    }, PUSH_INTERVAL_MS);
  }

  return {
    committed(notes, seq) {
      if (broadcast.hasWatcher(id)) pushFollowedPrices();
      if (notes.length === 0) return;
      pushNotifications(notes, seq);
      summary();
      if (!broadcast.hasWatcher(id)) {
        orders = openOrders();
        return;
      }
      pushOrders(notes);
      pushNotes(notes, seq);
      // A change of status changes the view of every pair.
      if (notes.some(({ kind }) => kind === 'status')) pushDetail();
    },
    notifications: pushNotifications,
    quote({ pair, at, bid, ask, last }) {
      if (!broadcast.hasWatcher(id)) return;
      const price = (value: Price) => (value > 0 ? formatUnits(value) : null);
      throttle(`quote ${pair}`, {
        type: 'quote',
        id,
        pair,
        at,
        bid: price(bid),
        ask: price(ask),
        last: formatUnits(last),
      });
    },
    formingCandle(pair, candle) {
      if (!broadcast.hasWatcher(id)) return;
      throttle(`candle ${pair}`, { type: 'candle', id, pair, closed: false, candle, values: null });
    },
    closedCandle(pair, candle) {
      if (!broadcast.hasWatcher(id)) return;
      const log = session.candles[session.state.bot.pairs.findIndex((candidate) => candidate.pair === pair)];
      forget(`candle ${pair}`);
      const values = log?.candles.at(-1)?.time === candle.time ? valuesOf(log, log.candles.length - 1) : null;
      pushToWatchers({ type: 'candle', id, pair, closed: true, candle, values });
    },
    summary,
    refresh() {
      if (broadcast.hasListener(row.owner)) summary();
      if (broadcast.hasWatcher(id)) pushDetail();
    },
    close() {
      for (const { timer } of throttled.values()) clearTimeout(timer);
      throttled.clear();
    },
  };
}

function fillOf(note: Note, pair: string) {
  const { data } = note;
  return {
    id: String(data.id),
    at: note.at,
    pair,
    side: data.side as 'buy' | 'sell',
    quantity: String(data.quantity),
    price: String(data.price),
    fee: String(data.fee),
    feeAsset: String(data.feeAsset),
    liquidity: data.liquidity as 'maker' | 'taker',
    // The journal has the reasons of the engine, which are those of the contract.
    reason: data.reason as Order['reason'],
  };
}
