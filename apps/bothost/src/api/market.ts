import type { CandleHistory, MarketTerms, MarketView, PastCandles } from '@heron/contract/bots/entities.ts';
import { showsWithdrawals } from '../store/hosted.ts';
import { shownVenue } from '../venues/shownVenue.ts';
import type { VenueState } from '../venues/venueStates.ts';
import { type Health, WORKER_PATHS } from '../worker/workerApi.ts';
import type { ApiContext, BotHandlers } from './apiContext.ts';
import { createCallLimiter } from './callLimiter.ts';

/** Candles may be missing in the store, and a busy worker waits for its rate budget before it requests them. */
const CANDLES_TIMEOUT_MS = 25_000;
/** Maximum number of calls for chart candles per user and minute. Scrolling loads one page each. */
const CANDLE_CALLS = 60;
/** Maximum number of calls for backtest data per user and minute. That data is stored once it was fetched. */
const PAST_CALLS = 120;

type MarketCalls = 'exchanges' | 'markets' | 'marketCandles' | 'pastCandles' | 'marketTerms';

/** Creates the handlers of the calls about venues and their markets. */
export function createMarketHandlers({ workers, venueStates, workerCalls }: ApiContext): BotHandlers<MarketCalls> {
  const limitCandleCalls = createCallLimiter(CANDLE_CALLS);
  const limitPastCalls = createCallLimiter(PAST_CALLS);

  /** Returns null for a worker that no bot has needed yet; this call does not start it. */
  async function health(venue: string, mode: 'paper' | 'live'): Promise<Health | 'no_answer' | null> {
    const worker = workers.of(venue, mode).current();
    return worker === null ? null : worker.call<Health>('GET', WORKER_PATHS.health).catch(() => 'no_answer' as const);
  }

  async function viewOf(venue: ApiContext['workers']['venues'][number]) {
    const { id, exchange } = venue;
    const [paper, live, state] = await Promise.all([health(id, 'paper'), health(id, 'live'), venueStates.of(venue)]);
    return {
      venue: id,
      ...copyOf(shownVenue(state, [paper, live].filter(isHealth))),
      feeds: [
        ...(isHealth(paper) ? [{ of: 'paper' as const, ...paper.feed }] : []),
        ...(isHealth(live) ? [{ of: 'live' as const, ...live.feed }] : []),
      ],
      live: true,
      tellsWithdrawals: showsWithdrawals(exchange),
    };
  }

  return {
    async exchanges() {
      return { exchanges: await Promise.all(workers.venues.map(viewOf)) };
    },

    async markets({ query }) {
      const worker = await workerCalls.started(query.venue, 'paper');
      return { markets: await worker.call<MarketView[]>('GET', WORKER_PATHS.markets) };
    },

    async marketCandles({ user, query }) {
      await limitCandleCalls(user);
      const { venue, pair, period, limit, before } = query;
      const requested = { pair, period, limit, ...(before !== undefined && { before }) };
      const worker = await workerCalls.started(venue, 'paper');
      return worker.call<CandleHistory>('POST', WORKER_PATHS.marketCandles, requested, CANDLES_TIMEOUT_MS);
    },

    async pastCandles({ user, query: { venue, ...requested } }) {
      await limitPastCalls(user);
      const worker = await workerCalls.started(venue, 'paper');
      return worker.call<PastCandles>('POST', WORKER_PATHS.pastCandles, requested, CANDLES_TIMEOUT_MS);
    },

    async marketTerms({ user, query: { venue, ...requested } }) {
      await limitPastCalls(user);
      const worker = await workerCalls.started(venue, 'paper');
      return worker.call<MarketTerms>('POST', WORKER_PATHS.marketTerms, requested, CANDLES_TIMEOUT_MS);
    },
  };
}

const isHealth = (health: Health | 'no_answer' | null): health is Health => health !== null && health !== 'no_answer';

/** Copies a state, because the contract requires mutable objects. */
function copyOf({ reachable, trading, problem, pause }: VenueState) {
  return {
    ...{ reachable, trading },
    problem: problem && { zh: problem.zh, en: problem.en },
    pause: pause && { until: pause.until, banned: pause.banned },
  };
}
