import { ERRORS } from '@heron/contract/http/errors.ts';
import type { Text } from '@heron/contract/locales/text.ts';
import type { Period } from '@heron/engine/market/period.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { isWatched } from '@heron/engine/state/pairActivity.ts';
import { ExchangeError } from '@heron/exchanges/errors.ts';
import {
  type FeedEvent,
  type FeedSubscription,
  MAX_QUOTE_AGE_MS,
  type MarketFeed,
} from '@heron/exchanges/feed/feedTypes.ts';
import { createBackoff } from '@heron/runtime/backoff.ts';
import type { Logger } from '../log.ts';
import type { EventClock } from './eventClock.ts';

const RETRY = { minMs: 1_000, maxMs: 30_000 };
/** Back-off for a pair that the venue does not list, because requests for the list of pairs have a high weight. */
const UNLISTED_RETRY = { minMs: 1_000, maxMs: 600_000 };

/** Dependencies of the subscriptions of one bot. */
export interface SubscriptionDeps {
  readonly session: BotSession;
  readonly feed: MarketFeed;
  readonly clock: EventClock;
  readonly log: Pick<Logger, 'warn'>;
  now(): number;
  enqueue(event: MarketEvent, outdated?: () => boolean): void;
  /** Is called with each event of the market before it is queued. Forming candles are not queued. */
  onMarketEvent(event: FeedEvent): void;
  /** Is called with the fault that keeps the bot from market data of a pair; null once every pair has some. */
  onProblem(problem: Text | null): void;
  /** Is called with an error that no retry can solve. */
  onFault(error: unknown): void;
  /** Ends the retries. */
  readonly closing: AbortSignal;
}

/** The market data of one bot. */
export interface MarketSubscriptions {
  /** Subscribes to every pair that the bot trades or manages, and unsubscribes from all others. */
  update(): void;
  /** Unsubscribes from the pairs whose strategy is reloaded: they need a history, perhaps of another period. */
  dropReloading(): void;
  onEvent(event: FeedEvent): void;
  /** When the last event of the market arrived, in ms; null before the first subscription. */
  lastEventAt(): number | null;
  /** Number of pairs that are subscribed, or about to be. */
  count(): number;
  close(): void;
}

/** A pair that is subscribed, or about to be. */
interface PairSubscription {
  feed: FeedSubscription | null;
  /** Its later events are dropped. */
  closed: boolean;
}

export function createMarketSubscriptions(deps: SubscriptionDeps): MarketSubscriptions {
  const { session, feed, clock, log, now, closing } = deps;
  const subscriptions = new Map<string, PairSubscription>();
  /** Pairs to which the last attempt to subscribe failed. */
  const unreachable = new Set<string>();
  let lastEventAt: number | null = null;

  function update(): void {
    const { pairs } = session.state.bot;
    for (const pair of pairs) {
      const wanted = isWatched(pair) && pair.flag !== 'currency' && pair.flag !== 'watch_limit';
      if (!wanted) unsubscribe(pair.pair);
      else if (!subscriptions.has(pair.pair)) subscribe(pair).catch(deps.onFault);
    }
    for (const name of subscriptions.keys()) if (!pairs.some(({ pair }) => pair === name)) unsubscribe(name);
  }

  function unsubscribe(name: string): void {
    const subscription = subscriptions.get(name);
    if (subscription === undefined) return;
    subscription.closed = true;
    subscription.feed?.close();
    subscriptions.delete(name);
    setReachable(name, true);
  }

  /** Reports the first pair without market data, and when no pair is left. */
  function setReachable(name: string, isReachable: boolean): void {
    const before = unreachable.size;
    if (isReachable) unreachable.delete(name);
    else unreachable.add(name);
    const { zh, en } = ERRORS.exchange_unreachable;
    if (before === 0 && unreachable.size > 0) deps.onProblem({ zh, en });
    if (before > 0 && unreachable.size === 0) deps.onProblem(null);
  }

  /** Subscribes to a pair, with retries until it succeeds or the pair is unsubscribed. */
  async function subscribe(pair: PairState): Promise<void> {
    const subscription: PairSubscription = { feed: null, closed: false };
    subscriptions.set(pair.pair, subscription);
    lastEventAt ??= now();
    let backoff = createBackoff(RETRY);
    let unlisted = false;
    while (!subscription.closed) {
      const failure = await tryOpen(pair, subscription);
      if (failure === null || subscription.closed) return;
      setReachable(pair.pair, failure.kind === 'misused');
      if (failure.kind !== 'misused') log.warn({ err: failure, pair: pair.pair }, 'no market data yet');
      else if (!unlisted) {
        // The exchange may have halted the pair only for a while, and a position in it needs its prices again.
        unlisted = true;
        backoff = createBackoff(UNLISTED_RETRY);
        deps.enqueue({ type: 'unlisted', at: clock.stamp(), pair: pair.pair }, () => subscription.closed);
      }
      await backoff.wait(closing);
    }
  }

  /** Opens the subscription of a pair. @returns the error of the venue; null on success */
  async function tryOpen(pair: PairState, subscription: PairSubscription): Promise<ExchangeError | null> {
    try {
      await open(pair, subscription);
      return null;
    } catch (error) {
      if (error instanceof ExchangeError) return error;
      throw error;
    }
  }

  /** Opens the subscription of a pair, and queues its history and the newest data. */
  async function open(pair: PairState, subscription: PairSubscription): Promise<void> {
    const name = pair.pair;
    // Options were checked when the bot got them, and the option table lists only periods.
    const period = session.state.bot.options.period as Period;
    const onPairEvent = (event: FeedEvent) => {
      if (!subscription.closed) onEvent(event);
    };
    const pace = () => {
      const { 'server.poll_scan_time': pollMs, poll_scan_time: scanMs } = session.state.bot.options;
      return { pollMs, scanMs };
    };
    const wishes = { pace, fundingSince: fundingSince(pair) };
    const opened = await feed.subscribe(name, period, historyLength(pair), onPairEvent, wishes);
    if (subscription.closed) {
      opened.close();
      return;
    }
    subscription.feed = opened;
    setReachable(name, true);
    const { market, history, quote, ticker, fundings } = opened;
    deps.enqueue({ type: 'history', at: clock.stamp(), market, candles: [...history] }, () => subscription.closed);
    if (ticker !== null) onEvent(ticker);
    for (const funding of fundings) onEvent(funding);
    // No event is older than the one before, so the time of the history makes every quote look new.
    if (quote !== null && now() - quote.at <= MAX_QUOTE_AGE_MS) onEvent({ type: 'quote', pair: name, ...quote });
  }

  /** Returns the number of candles to load: after an absence also the missed ones, up to the option. @see docs/entries.md#warm-up */
  function historyLength(pair: PairState): number {
    const keepPeriods = session.state.bot.options.keep_lookback_periods;
    const preload = Math.min(keepPeriods, Math.max(2 * session.bot.warmup, 100));
    const missed = pair.candleTime === 0 ? 0 : Math.ceil((now() - pair.candleTime) / session.bot.rules.periodMs) + 1;
    return Math.max(preload, Math.min(keepPeriods, missed));
  }

  /** Returns the time of the first payment that the open position has not booked. @see docs/accounting.md#funding */
  function fundingSince({ holding, position, fundingId }: PairState): number | null {
    if (!session.bot.rules.future || holding.quantity === 0 || position === null) return null;
    return Math.max(position.openedAt, Number(fundingId) + 1);
  }

  /** Whether a payment is not booked yet. A payment may arrive late, and more than once. */
  function isOwed(name: string, time: number): boolean {
    const pair = session.state.bot.pairs.find((candidate) => candidate.pair === name);
    if (pair === undefined || time <= Number(pair.fundingId)) return false;
    // A position that was opened after the payment has no share in it.
    return pair.position === null || pair.position.openedAt <= time;
  }

  function onEvent(event: FeedEvent): void {
    lastEventAt = now();
    deps.onMarketEvent(event);
    if (event.type === 'forming') return;
    const outdated = event.type === 'funding' ? () => !isOwed(event.pair, Number(event.id)) : undefined;
    deps.enqueue(clock.inOrder(event), outdated);
  }

  return {
    update,
    dropReloading() {
      for (const { pair, flag, reloading } of session.state.bot.pairs) {
        if (flag === 'loading' || reloading) unsubscribe(pair);
      }
    },
    onEvent,
    lastEventAt: () => lastEventAt,
    count: () => subscriptions.size,
    close() {
      unreachable.clear();
      for (const name of [...subscriptions.keys()]) unsubscribe(name);
    },
  };
}
