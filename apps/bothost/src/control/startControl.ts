import { randomUUID } from 'node:crypto';
import websocket from '@fastify/websocket';
import { BOT_BODY_BYTES, botCalls } from '@heron/contract/bots/calls.ts';
import { STREAM_PATH, STREAM_REQUEST_BYTES } from '@heron/contract/bots/stream.ts';
import { TRADES_CSV_PATH } from '@heron/contract/bots/tradesCsv.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { refuseDeepJson } from '@heron/contract/http/jsonDepth.ts';
import type { RunningChild } from '@heron/contract/process/child.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import type { ApiDeps } from '../api/apiDeps.ts';
import { createBotApi } from '../api/botApi.ts';
import { createBotViews, summaryOf } from '../api/botViews.ts';
import { createNotificationSignal, type NotificationSignal, serveHostNotifications } from '../api/hostNotifications.ts';
import { serveTradesCsv } from '../api/tradesCsv.ts';
import type { HostConfig, HostInfo } from '../config.ts';
import { errorResponse } from '../http/errorResponse.ts';
import { hasSecret } from '../http/secret.ts';
import { languageOf, serveCalls, userOf } from '../http/serveCalls.ts';
import { type Logger, openLog } from '../log.ts';
import { openPairing } from '../pairing/pairing.ts';
import { openPairingFile } from '../pairing/pairingFile.ts';
import { openPairingServer, type PairingServer } from '../pairing/pairingServer.ts';
import { admitPairedHeron, servePairing, shareOfPairedHeron } from '../pairing/servePairing.ts';
import { thinEquity } from '../store/botEquity.ts';
import { deleteOldNotifications, unseenCount } from '../store/botNotifications.ts';
import { activeFleets } from '../store/botStore.ts';
import { type ClientStreams, createClientStreams } from '../streams/clientStreams.ts';
import { demoKeyOf } from '../venues/demoKey.ts';
import { reportUnservedBots } from '../venues/unservedBots.ts';
import { checkVenue, openVenueStates, pauseReader } from '../venues/venueStates.ts';
import type { WorkerListener } from '../workerProcesses/workerConnection.ts';
import { openWorkerDirectory } from '../workerProcesses/workerDirectory.ts';
import { openWorkers } from '../workerProcesses/workers.ts';

/** Interval at which the control process checks whether another worker is needed. */
const START_WORKERS_MS = 3_000;
/** Delay before bots on disabled venues are reported: another host that serves them has started its workers by then. */
const REPORT_UNSERVED_MS = 5_000;
/** Interval at which old equity samples are thinned and old notifications are deleted. */
const THIN_MS = 6 * 3_600_000;
const READABLE_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** A running bot host, with the process ids that tests need. */
export interface RunningHost extends RunningChild<HostInfo> {
  /** Returns the process id of the paper worker of a venue; null before its first start and between two starts. */
  workerPid(venue: string): number | null;
}

/**
 * Starts the bot host: the control API and the workers of each venue. A worker is a process that starts when a bot or a
 * screen first needs it.
 *
 * @throws Error with code `EADDRINUSE` when a port is taken
 */
export async function startBothost(config: HostConfig): Promise<RunningHost> {
  const log = openLog('bot host', config.logLevel);
  const database = openDatabase(config.databaseUrl);
  const { controlHost, controlPort } = config;
  const name = randomUUID();
  let streams: ClientStreams | null = null;
  const notificationSignal = createNotificationSignal();
  const listener: WorkerListener = {
    onPush(push) {
      streams?.push(push);
      if (push.message.type === 'notice') notificationSignal.notify();
    },
    onUp: () => streams?.renew(),
  };
  const workers = openWorkers(config, name, log, listener);
  const directory = openWorkerDirectory({
    database,
    log,
    secret: config.secret,
    host: name,
    listener,
    own: (venue, mode) =>
      workers.isServed(venue) ? workers.of(venue, mode === 'live' ? 'live' : 'paper').current() : null,
  });
  const deps: ApiDeps = {
    database,
    // The only clock of this process.
    now: Date.now,
    workers,
    venueStates: openVenueStates(
      checkVenue(config, database),
      () => performance.now(),
      pauseReader(config.secret, database),
    ),
    connectionOf: (id) => directory.connectionOf(id),
    demoKey: (venue) => demoKeyOf(config, venue),
    streams: () => streams as ClientStreams,
  };
  const views = createBotViews(deps);
  streams = createClientStreams({
    summaries: async (owner) =>
      (await views.details(owner)).map((detail) => ({ type: 'bot', bot: summaryOf(detail) }) as const),
    unseen: async (owner) => ({ type: 'unseen', count: await unseenCount(database, owner) }),
    detail: (owner, id) =>
      views.detail(owner, id).then(
        (bot) => ({ type: 'detail', bot }) as const,
        (error: unknown) => {
          if (error instanceof CallError && error.code === 'not_found') return null;
          throw error;
        },
      ),
    audience(owners, bots) {
      workers.setAudience({ owners, bots });
      directory.setAudience({ owners, bots });
    },
  });
  const clients = streams;
  let pairingServer: PairingServer | null = null;
  const pairing =
    config.pairing &&
    openPairing(openPairingFile(config.dataDir), deps.now, () => setImmediate(() => pairingServer?.sweep()));
  const server = openServer(config, log, (request) => admitPairedHeron(request, pairingServer, pairing));
  /** Includes bots that another bot host runs, because this host may have to take them over. */
  const startNeededWorkers = async () => {
    const trouble = (error: unknown) => log.error({ err: error }, 'some bots cannot run');
    for (const { venue, mode } of await activeFleets(database).catch(() => [])) {
      if (workers.isServed(venue)) workers.of(venue, mode).get().catch(trouble);
    }
  };
  // They start first, because nothing watches the positions of live bots until they run.
  void startNeededWorkers();
  try {
    await server.register(websocket, { options: { maxPayload: STREAM_REQUEST_BYTES } });
    serveCalls(server, botCalls, createBotApi(deps, views));
    serveTradesCsv(server, database);
    serveHostNotifications(server, {
      ...{ database, notificationSignal, now: deps.now },
      guestShare: (request) => shareOfPairedHeron(request, pairingServer, pairing),
    });
    if (pairing) servePairing(server, { pairing, pairingServer: () => pairingServer, version: manifest.version });
    server.get(STREAM_PATH, { websocket: true }, (socket, request) => clients.attach(socket, userOf(request)));
    addHealth(server, database);
    addWrongMethods(server);
    await server.listen({ host: controlHost, port: config.pairing ? 0 : controlPort });
    if (pairing && config.pairing)
      pairingServer = await openPairingServer(server.server, { pairing, ...config.pairing });
  } catch (error) {
    directory.close();
    clients.close();
    await Promise.all([pairingServer?.close(), server.close(), workers.close()]);
    await database.close();
    throw error;
  }
  const startTimer = setInterval(startNeededWorkers, START_WORKERS_MS);
  const reportTimer = setTimeout(() => void warnOfDisabledVenues(deps, log, notificationSignal), REPORT_UNSERVED_MS);
  const thin = () => {
    const failed = (error: unknown) => log.warn({ err: error }, 'old rows could not be deleted');
    void thinEquity(database, deps.now()).catch(failed);
    void deleteOldNotifications(database, deps.now()).catch(failed);
  };
  thin();
  const thinTimer = setInterval(thin, THIN_MS);
  const address = server.server.address();
  const port = pairingServer?.port ?? (typeof address === 'object' && address !== null ? address.port : controlPort);
  log.info({ port }, 'the bot host listens');
  return {
    info: {
      controlUrl: `http://${controlHost}:${port}`,
      ...(pairing && { pairing: pairing.state() }),
    },
    workerPid: (venue) => workers.of(venue, 'paper').current()?.pid() ?? null,
    async close() {
      clearInterval(startTimer);
      clearTimeout(reportTimer);
      clearInterval(thinTimer);
      notificationSignal.close();
      directory.close();
      clients.close();
      await Promise.all([pairingServer?.close(), server.close(), workers.close()]);
      await database.close();
    },
  };
}

/** Warns of bots that should run on venues that are not enabled: in the log, and the owners of live ones in the app. */
async function warnOfDisabledVenues(
  { database, workers, streams, now }: ApiDeps,
  log: Logger,
  notificationSignal: NotificationSignal,
) {
  try {
    const { paper, live } = await reportUnservedBots(database, workers.isServed, now());
    if (paper.length + live.length === 0) return;
    const venues = [...new Set([...live, ...paper].map(({ venue }) => venue))];
    log.warn({ live: live.length, paper: paper.length, venues }, 'bots are not running: their venues are not enabled');
    notificationSignal.notify();
    for (const owner of new Set(live.map((row) => row.owner))) streams().countUnseen(owner);
  } catch (error) {
    log.warn({ err: error }, 'the bots on venues that are not enabled could not be read');
  }
}

/** @param admit whether a request is authenticated in another way than by the shared secret */
function openServer(config: HostConfig, log: Logger, admit: (request: FastifyRequest) => boolean): FastifyInstance {
  const server = fastify({ logger: false, bodyLimit: BOT_BODY_BYTES, forceCloseConnections: true });
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    refuseDeepJson(body);
    return parseJson(request, body, done);
  });
  server.addHook('onRequest', async (request) => {
    if (admit(request) || isHealth(request.url)) return;
    if (!hasSecret(request.headers.authorization, config.secret)) throw new CallError('not_logged_in');
  });
  server.setErrorHandler((error, request, reply) => {
    const { status, body, expected } = errorResponse(error, languageOf(request));
    if (!expected) log.error({ err: error, route: request.routeOptions.url }, 'a call failed');
    return reply.status(status).send(body);
  });
  server.setNotFoundHandler(() => {
    throw new CallError('not_found');
  });
  return server;
}

function addHealth(server: FastifyInstance, database: Database): void {
  server.get('/healthz', async () => ({ ok: true }));
  server.get('/readyz', async () => {
    await database.pool.query('select 1');
    return { ok: true };
  });
}

function isHealth(url: string): boolean {
  return url === '/healthz' || url === '/readyz';
}

/** Adds routes that respond with `wrong_method` to calls of the contract's paths with another method. */
function addWrongMethods(server: FastifyInstance): void {
  const byPath = new Map<string, Set<string>>();
  const csv = { path: TRADES_CSV_PATH, method: 'GET' } as const;
  for (const { path, method } of [...Object.values(botCalls), csv]) {
    const methods = byPath.get(path) ?? new Set<string>();
    byPath.set(path, methods.add(method));
  }
  for (const [url, known] of byPath) {
    const method = READABLE_METHODS.filter((candidate) => !known.has(candidate));
    server.route({
      method,
      url,
      handler: async () => {
        throw new CallError('wrong_method');
      },
    });
  }
}
