import path from 'node:path';
import websocket from '@fastify/websocket';
import type { CandleHistory, MarketTerms, MarketView } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { RunningChild } from '@heron/contract/process/child.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { columnsOf } from '@heron/engine/session/columnsOf.ts';
import { CANDLE_VENUES, type CandleVenue } from '@heron/exchanges/candleStore/candleVenues.ts';
import { STORE_FOLDER } from '@heron/exchanges/candleStore/series.ts';
import type { PublicExchange, Ticker } from '@heron/exchanges/exchange.ts';
import type { MarketFeed } from '@heron/exchanges/feed/feedTypes.ts';
import { openMarketFeed } from '@heron/exchanges/feed/marketFeed.ts';
import type { RateBudget } from '@heron/exchanges/http/rateBudget.ts';
import { venueBudget } from '@heron/exchanges/http/venueBudget.ts';
import { faultText } from '@heron/exchanges/net/faultText.ts';
import type { VenueNet } from '@heron/exchanges/net/venueNet.ts';
import fastify, { type FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import type { WorkerConfig, WorkerInfo } from '../config.ts';
import { type Fleet, startFleet } from '../fleet/fleet.ts';
import { type FleetKind, PAPER } from '../fleet/fleetKind.ts';
import { errorResponse } from '../http/errorResponse.ts';
import { hasSecret } from '../http/secret.ts';
import { type Logger, openLog } from '../log.ts';
import type { Broadcast, Push } from '../runner/broadcast.ts';
import { openAssetUnitStore } from './assetUnitStore.ts';
import { openEgress, type VenuePauses } from './openEgress.ts';
import { exchangeOfWorker, openReading } from './openReading.ts';
import { openPast, type PastReader } from './pastCandles.ts';
import { openSharedCount } from './sharedCount.ts';
import {
  audienceMessage,
  cancelOrderBody,
  candleQuery,
  changeBody,
  detailsBody,
  haltBody,
  idParams,
  marketCandlesBody,
  marketTermsBody,
  orderBody,
  pastCandlesBody,
  previewBody,
  removeExitBody,
  resumeBody,
  setExitBody,
  WORKER_PATHS,
} from './workerApi.ts';

/** Limit of unread pushes to a control process; one that falls behind further misses pushes. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Time limit for historical candles; the control process waits twice as long. */
const PAST_MS = 12_000;
/** Disk limit of stored candles, enough for a year of minutes of some hundred pairs. */
const MAX_PAST_BYTES = 4 * 1024 ** 3;

/** The parts of a worker that its live part depends on. */
export interface LiveWorkerDeps {
  readonly config: WorkerConfig;
  readonly database: Database;
  readonly exchange: PublicExchange;
  readonly net: VenueNet;
  readonly pauses: VenuePauses;
  /** The rate budget of all requests of this process. */
  readonly budget: RateBudget;
  readonly log: Logger;
  now(): number;
}

/** The part that only a worker of live bots has. */
export interface LiveWorker {
  readonly machine: FleetKind['machine'];
  readonly sweep: FleetKind['sweep'];
  addRoutes(server: FastifyInstance): void;
  close(): Promise<void>;
}

/** The live part, which only the process of live bots passes in, and replacements for tests. */
export interface WorkerOptions {
  live?(deps: LiveWorkerDeps): Promise<LiveWorker>;
  readonly exchange?: PublicExchange;
  readonly paper?: FleetKind;
  now?(): number;
}

/** Starts the worker of one venue in this process: market feed, bots, and the server for the control process. */
export async function startWorker(
  config: WorkerConfig,
  options: WorkerOptions = {},
): Promise<RunningChild<WorkerInfo>> {
  // The only clock of everything below; times travel with events.
  const now = options.now ?? Date.now;
  const log = openLog(`worker ${config.venue} ${config.mode}`, config.logLevel);
  const database = openDatabase(config.databaseUrl);
  const egress = await openEgress({ database, config, env: process.env, log, now });
  const { net, pauses } = egress;
  // Paper bots, live bots and other bot hosts share the IP address, and so the limit.
  const shared = openSharedCount(database, config.venue, egress.via);
  const budget = venueBudget(exchangeOfWorker(config), now, { shared });
  const units = openAssetUnitStore(database, config.venue, log);
  const exchange = options.exchange ?? (await openReading(config, { net, now, units, onResponse: budget.onResponse }));
  const feed = openMarketFeed(exchange, now, (error, request) =>
    log.warn({ err: error, request }, 'a market data request fails; what was read last is used'),
  );
  const live = (await options.live?.({ config, database, exchange, net, pauses, budget, log, now })) ?? null;
  const hub = openBroadcastHub();
  const server = fastify({ logger: false, forceCloseConnections: true });
  server.addHook('onRequest', async (request) => {
    if (!hasSecret(request.headers.authorization, config.secret)) throw new CallError('not_logged_in');
  });
  server.setErrorHandler((error, _request, reply) => {
    const { status, body, expected } = errorResponse(error, 'en');
    if (!expected) log.error({ err: error }, 'a call failed');
    return reply.status(status).send(body);
  });
  await server.register(websocket, { options: { maxPayload: 1024 * 1024 } });
  const fleetHolder: { fleet: Fleet | null } = { fleet: null };
  const past = openPast({
    ...{ exchange, budget, log, now },
    venue: candleVenueOf(config),
    maxBytes: MAX_PAST_BYTES,
    timeoutMs: PAST_MS,
    // A demo market may restart with other candles, so its candles are stored apart.
    series: config.venue,
    store: path.join(config.dataDir, config.addresses === null ? STORE_FOLDER : 'candles-of-market'),
    redirect: config.addresses?.rest ?? null,
  });
  addRoutes(server, { feed, net, past, hub, now, log, venue: config.venue, fleet: () => fleetHolder.fleet });
  live?.addRoutes(server);
  // The list of markets is loaded early; later calls wait for it, or get its error.
  exchange.markets().catch(() => {});
  await server.listen({ host: config.workerHost, port: config.port });
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const deps = {
    database,
    feed,
    pause: pauses.current,
    broadcast: hub.broadcast,
    tapes: config.tape ? path.join(config.dataDir, 'tapes') : null,
    log,
    now,
  };
  const kind: FleetKind =
    live === null ? (options.paper ?? PAPER) : { mode: 'live', machine: live.machine, sweep: live.sweep };
  const { host, maxBots } = config;
  const url = `http://${config.workerHost}:${port}`;
  const queueUrl = config.queueUrl ?? config.databaseUrl;
  fleetHolder.fleet = startFleet({ host, venue: config.venue, url, queueUrl, maxBots }, deps, kind);
  log.info({ port }, 'the worker listens');
  return {
    info: { port },
    async close() {
      await fleetHolder.fleet?.close();
      await live?.close();
      await server.close();
      await feed.close();
      await egress.close();
      await database.close();
    },
  };
}

/** Returns how the exchange weighs requests for candles. */
function candleVenueOf(config: WorkerConfig): CandleVenue {
  const exchange = exchangeOfWorker(config);
  const venue = CANDLE_VENUES.get(exchange);
  if (venue === undefined) throw new Error(`it is not known how ${exchange} counts questions for candles`);
  return venue;
}

interface BroadcastHub {
  readonly broadcast: Broadcast;
  attach(socket: WebSocket): void;
}

/** The owners and bots that the clients of one control process watch. */
interface Audience {
  readonly owners: ReadonlySet<string>;
  readonly bots: ReadonlySet<string>;
}

/** Sends pushes to the control processes of this and other bot hosts, over one socket each. */
function openBroadcastHub(): BroadcastHub {
  const audiences = new Map<WebSocket, Audience>();
  let owners = new Set<string>();
  let bots = new Set<string>();

  function count(): void {
    owners = new Set([...audiences.values()].flatMap((audience) => [...audience.owners]));
    bots = new Set([...audiences.values()].flatMap((audience) => [...audience.bots]));
  }

  return {
    broadcast: {
      hasListener: (owner) => owners.has(owner),
      hasWatcher: (bot) => bots.has(bot),
      push(push: Push) {
        let text: string | null = null;
        const forAll = push.message.type === 'notice';
        for (const [socket, audience] of audiences) {
          const wanted = push.watchers ? audience.bots.has(push.bot) : audience.owners.has(push.owner);
          if (!(forAll || wanted)) continue;
          if (socket.bufferedAmount > MAX_WAITING_BYTES) continue;
          text ??= JSON.stringify(push);
          socket.send(text);
        }
      },
    },
    attach(socket) {
      socket.on('message', (data) => {
        const message = audienceMessage.parse(JSON.parse(String(data)));
        audiences.set(socket, { owners: new Set(message.owners), bots: new Set(message.bots) });
        count();
      });
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        audiences.delete(socket);
        count();
      });
    },
  };
}

interface RouteDeps {
  readonly feed: MarketFeed;
  readonly net: VenueNet;
  readonly past: PastReader;
  readonly hub: BroadcastHub;
  readonly log: Logger;
  readonly venue: string;
  now(): number;
  fleet(): Fleet | null;
}

function addRoutes(server: FastifyInstance, deps: RouteDeps): void {
  const { feed } = deps;
  const fleet = (): Fleet => {
    const started = deps.fleet();
    if (started === null) throw new CallError('unavailable');
    return started;
  };
  const marketOf = async (pair: string): Promise<Market> => {
    const found = (await feed.markets()).find((market) => market.pair === pair);
    if (found === undefined) throw new CallError('pair_unknown', { pair });
    return found;
  };
  const idOf = (params: unknown) => idParams.parse(params).id;

  server.get(WORKER_PATHS.health, async () => {
    // During a pause the open streams still deliver, but no request may be sent.
    const reachable = (await feed.isReachable()) && deps.net.pause() === null;
    const fault = reachable ? null : (deps.net.fault() ?? feed.problem()?.fault ?? null);
    const unreachable = fault === null ? null : faultText(fault);
    return { venue: deps.venue, reachable, unreachable, at: deps.now(), feed: feed.health() };
  });
  server.get(WORKER_PATHS.markets, async () => {
    const [markets, tickers] = await Promise.all([feed.markets(), feed.tickers()]);
    const byPair = new Map(tickers.map((ticker) => [ticker.pair, ticker]));
    return markets.map((market) => marketView(market, byPair.get(market.pair))).sort(byVolume);
  });
  server.post(WORKER_PATHS.marketCandles, async (request): Promise<CandleHistory> => {
    const { pair, period, before, limit } = marketCandlesBody.parse(request.body);
    await marketOf(pair);
    const { history } = await feed.history(pair, period, limit, before);
    return { pair, period, ...columnsOf(history), series: [] };
  });
  server.post(WORKER_PATHS.pastCandles, async (request) => {
    const { pair, period, from, to } = pastCandlesBody.parse(request.body);
    await marketOf(pair);
    return deps.past.candles(pair, period, { from, to });
  });
  server.post(WORKER_PATHS.marketTerms, async (request): Promise<MarketTerms> => {
    const { pair, from, to } = marketTermsBody.parse(request.body);
    return { market: await marketOf(pair), funding: await deps.past.funding(pair, { from, to }) };
  });
  server.post(WORKER_PATHS.details, async (request) => {
    const { ids } = detailsBody.parse(request.body);
    const details = await Promise.all(ids.map((id) => fleet().detail(id)));
    return details.filter((detail) => detail !== null);
  });
  server.post(WORKER_PATHS.start(':id'), async (request) => fleet().start(idOf(request.params)));
  server.post(WORKER_PATHS.stop(':id'), async (request) => fleet().stop(idOf(request.params)));
  server.post(WORKER_PATHS.order(':id'), async (request) =>
    fleet().order(idOf(request.params), orderBody.parse(request.body)),
  );
  server.post(WORKER_PATHS.previewOrder(':id'), async (request) => {
    const order = previewBody.parse(request.body);
    const preview = fleet().previewOrder(idOf(request.params), order);
    if (preview === null) throw new CallError('pair_unknown', { pair: order.pair });
    return preview;
  });
  server.post(WORKER_PATHS.rename(':id'), async (request) => {
    await fleet().rename(idOf(request.params));
    return {};
  });
  server.post(WORKER_PATHS.drain(':id'), async (request) => fleet().drain(idOf(request.params), 'drain'));
  server.post(WORKER_PATHS.close(':id'), async (request) => fleet().drain(idOf(request.params), 'close'));
  server.post(WORKER_PATHS.reset(':id'), async (request) => fleet().resetPaper(idOf(request.params)));
  server.post(WORKER_PATHS.setExit(':id'), async (request) =>
    fleet().setExit(idOf(request.params), setExitBody.parse(request.body)),
  );
  server.post(WORKER_PATHS.removeExit(':id'), async (request) => {
    const { pair, exit } = removeExitBody.parse(request.body);
    return fleet().removeExit(idOf(request.params), pair, exit);
  });
  server.post(WORKER_PATHS.cancelOrder(':id'), async (request) =>
    fleet().cancelOrder(idOf(request.params), cancelOrderBody.parse(request.body).clientOrderId),
  );
  server.post(WORKER_PATHS.change(':id'), async (request) =>
    fleet().change(idOf(request.params), changeBody.parse(request.body)),
  );
  server.post(WORKER_PATHS.halt(':id'), async (request) => {
    const { pair, close } = haltBody.parse(request.body);
    return fleet().halt(idOf(request.params), pair, close);
  });
  server.post(WORKER_PATHS.resume(':id'), async (request) =>
    fleet().resume(idOf(request.params), resumeBody.parse(request.body).pair),
  );
  server.get('/bots/:id/candles', async (request) =>
    fleet().candles(idOf(request.params), candleQuery.parse(request.query).pair),
  );
  server.get(WORKER_PATHS.stream, { websocket: true }, (socket) => {
    deps.hub.attach(socket);
  });
}

function marketView(market: Market, ticker: Ticker | undefined): MarketView {
  return {
    pair: market.pair,
    tickSize: formatUnits(market.tick),
    stepSize: formatUnits(market.step, market.assetDecimals),
    minNotional: formatUnits(market.minNotional),
    last: ticker?.last == null ? null : formatUnits(ticker.last),
    change24h: ticker?.change24h ?? null,
    volume24h: ticker?.volume24h ?? null,
  };
}

function byVolume(a: MarketView, b: MarketView): number {
  return (b.volume24h ?? 0) - (a.volume24h ?? 0);
}
