import { accountAliases } from '@heron/contract/accounts/aliases.ts';
import { METHOD_ALIASES } from '@heron/contract/accounts/methodAliases.ts';
import { proxySeal } from '@heron/contract/process/proxySeal.ts';
import { openDatabase } from '@heron/database/connect.ts';
import type { DestinationStream } from 'pino';
import type { z } from 'zod';
import { createAccountHandlers } from './accounts/accountHandlers.ts';
import { createAccounts } from './accounts/accounts.ts';
import { disableApiTokens } from './accounts/apiTokens/disableApiTokens.ts';
import { createSecretKeys } from './accounts/core/secretKeys.ts';
import { getInstallationSettings } from './accounts/core/settings.ts';
import { startErasureJob } from './accounts/people/eraseJob.ts';
import { createProviders } from './accounts/providers/createProviders.ts';
import { serveAppleReturn } from './accounts/providers/serveAppleReturn.ts';
import { createSetupToken } from './accounts/registration/setup.ts';
import { createOwnerGuard } from './accounts/securityAlerts/createOwnerGuard.ts';
import { createMessenger } from './accounts/senders/createMessenger.ts';
import { sealStoredProxies } from './accounts/settings/proxyHandlers.ts';
import { describeApi } from './apiDescription.ts';
import { createCallBot } from './bots/callBot.ts';
import { createChatBots } from './bots/chat/chatBots.ts';
import { createChatCommands } from './bots/chat/chatCommands.ts';
import { createBotLifecycle } from './bots/createBotLifecycle.ts';
import { disableHosts } from './bots/paired/disableHosts.ts';
import { createHostConnections } from './bots/paired/hostConnections.ts';
import { createHostHandlers } from './bots/paired/hostHandlers.ts';
import { hostsFingerprint, openPairedHosts } from './bots/paired/pairedHosts.ts';
import { createPairedSource } from './bots/paired/pairedSource.ts';
import { unpairHost } from './bots/paired/unpairHost.ts';
import { serveBots } from './bots/serveBots.ts';
import { disableSignals } from './bots/signals/disableSignals.ts';
import { serveSignals } from './bots/signals/serveSignals.ts';
import { createSignalHandlers } from './bots/signals/signalHandlers.ts';
import { serveClient } from './client/serveClient.ts';
import { type PlatformConfig, platformConfig } from './config.ts';
import { serveAliases } from './gateway/aliases.ts';
import { openApiTokens } from './gateway/apiTokens.ts';
import { createDispatch } from './gateway/dispatch.ts';
import { serveGenericSend } from './gateway/genericSend.ts';
import { serveHealth } from './gateway/health.ts';
import { combineDisableIntegrations } from './gateway/integrationOrigin.ts';
import { createLog } from './gateway/log.ts';
import { serveMethodCalls } from './gateway/methodCalls.ts';
import { createOldDispatch } from './gateway/oldDispatch.ts';
import { createOriginRules, isLoopback } from './gateway/origin.ts';
import { createRequestLimiter } from './gateway/requestLimiter.ts';
import { serveDocs } from './gateway/serveDocs.ts';
import { createServer } from './gateway/server.ts';
import { createSessions } from './gateway/sessions.ts';
import { createChannelHandlers } from './notify/channelHandlers.ts';
import { disableChannels } from './notify/disableChannels.ts';
import { createOutgoing } from './notify/outgoing.ts';
import { createOwnSource } from './notify/ownSource.ts';
import { startNotifications } from './notify/startNotifications.ts';
import { createTelegram } from './notify/telegram.ts';

/** Time that requests in progress have when the platform stops. */
const CLOSE_GRACE_MS = 400;

export type Platform = {
  /** URL at which it listens. */
  readonly url: string;
  /** One-time link that creates the first super administrator; null when there is one. */
  readonly setupLink: string | null;
  close(): Promise<void>;
};

/** The platform cannot listen. `code` is the code of the operating system, such as `EADDRINUSE`. */
class ListenFailed extends Error {
  readonly code: string;
  constructor(host: string, port: number, cause: Error) {
    const code = 'code' in cause ? String(cause.code) : 'failed';
    const reason = code === 'EADDRINUSE' ? 'the port is in use' : code === 'EACCES' ? 'not allowed' : cause.message;
    super(`Cannot listen (${reason}): ${host}:${port}`, { cause });
    this.name = 'ListenFailed';
    this.code = code;
  }
}

/**
 * Starts the platform on a migrated database.
 *
 * @param given.port 0 takes any free port
 * @param observe.log replaces standard output
 * @param observe.heartbeatMs interval of stream checks, 30 s
 * @param observe.eraseEveryMs interval of the erasure job, an hour
 * @throws ListenFailed
 */
export async function startPlatform(
  given: PlatformConfig,
  observe: { log?: DestinationStream; heartbeatMs?: number; eraseEveryMs?: number } = {},
): Promise<Platform> {
  const config = platformConfig.parse(given);
  const database = openDatabase(config.databaseUrl);
  const counters = openDatabase(config.databaseUrl, { connections: 4, asyncCommit: true });
  const sessions = createSessions(database);
  const origins = createOriginRules({ host: config.host, publicUrl: config.publicUrl });
  const log = createLog(config.logLevel, observe.log);
  const app = await createServer({
    log,
    origins,
    trustedProxies: config.trustedProxies,
    httpsOnly: config.publicUrl?.startsWith('https:') ?? false,
  });
  const limitRequests = createRequestLimiter();
  serveHealth(app, { database, bothostUrl: config.bothostUrl, limitRequests });
  const keys = createSecretKeys(config.secret);
  const seal = proxySeal(config.secret);
  const messenger = await createMessenger(database, keys, config, log);
  const ending = new AbortController();
  const host = { url: config.bothostUrl, secret: config.secret };
  const bots = createBotLifecycle(host, ending.signal);
  const providers = await createProviders(config, log);
  const connections = createHostConnections({ allowPrivate: config.notifyPrivate });
  const paired = openPairedHosts(database, keys);
  const streams: { renewStreams?(userId: number): void; hostsChanged?(): void } = {};
  function onHostsChanged(userId: number): void {
    streams.renewStreams?.(userId);
    streams.hostsChanged?.();
  }
  const accounts = createAccounts({
    database,
    counters,
    sessions,
    keys,
    proxySeal: seal,
    messenger,
    bots,
    async unpairHosts(userId) {
      await Promise.all((await paired.listAll(userId)).map(({ endpoint }) => unpairHost(connections, endpoint)));
    },
    disableIntegrations: combineDisableIntegrations(
      disableChannels(keys),
      disableHosts(onHostsChanged),
      disableApiTokens,
      disableSignals,
    ),
    providers,
    publicUrl: config.publicUrl ?? null,
    firstAccount: isOnlyLocal(config) ? config.firstAccount : 'member',
    log,
  });
  const guard = createOwnerGuard(accounts);
  const [mailbox] = /[^\s<>]+@[^\s<>]+/.exec(config.mail?.from ?? '') ?? [];
  const sendDeps = {
    database,
    keys,
    mailer: messenger,
    outgoing: createOutgoing({ allowPrivate: config.notifyPrivate }),
    telegram: config.telegram === undefined ? null : createTelegram(config.telegram),
    publicUrl: config.publicUrl ?? null,
    contact: mailbox === undefined ? null : `mailto:${mailbox}`,
    // Clock of notifications. Due times use the clock of the database.
    now: Date.now,
  };
  const notify = createChannelHandlers({ ...sendDeps, guard, sendsEmail: messenger.sends.email });
  const hosts = createHostHandlers({
    ...{ database, connections, hosts: paired, guard },
    title: config.publicUrl === undefined ? 'Heron' : new URL(config.publicUrl).host,
    onHostsChanged,
  });
  const callBot = createCallBot({ host, paired, connections });
  const signals = createSignalHandlers({ database, callBot, guard });
  const handlers = [...createAccountHandlers(accounts), ...notify, ...hosts, ...signals];
  const dispatch = createDispatch(handlers, sessions, origins, METHOD_ALIASES);
  serveMethodCalls(app, { handlers, dispatch, limitRequests });
  const oldDispatch = createOldDispatch(dispatch);
  serveGenericSend(app, { oldDispatch, limitRequests });
  serveAppleReturn(app, limitRequests);
  serveAliases(app, {
    aliases: accountAliases,
    oldDispatch,
    origins,
    limitRequests,
    sessionInAddress: async () => (await getInstallationSettings(database.orm)).sessionInAddress,
  });
  Object.assign(
    streams,
    await serveBots(app, {
      host,
      sessions,
      apiTokens: openApiTokens(database),
      limitRequests,
      connections,
      paired,
      guard,
      heartbeatMs: observe.heartbeatMs,
    }),
  );
  await serveSignals(app, { database, callBot, limitRequests });
  await serveDocs(app, { describe: describeApi, limitRequests });
  await serveClient(app, config.clientDir);

  const stopErasing = startErasureJob(accounts, observe.eraseEveryMs);
  const notifying = startNotifications({
    ...{ ...sendDeps, own: createOwnSource(host), log },
    commands: createChatCommands(createChatBots({ host, paired, connections, callBot })),
    paired: async () =>
      new Map(
        (await paired.listOfEveryone()).map((each) => [
          `${each.userId} ${hostsFingerprint([each])}`,
          createPairedSource(connections, each),
        ]),
      ),
  });
  streams.hostsChanged = notifying.hostsChanged;

  async function close(): Promise<void> {
    const tooLate = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
    ending.abort();
    const notified = notifying.stop();
    await app.close();
    clearTimeout(tooLate);
    await Promise.all([stopErasing(), notified]);
    await Promise.all([database.close(), counters.close()]);
  }

  try {
    await sealStoredProxies(database, seal);
    await app.listen({ host: config.host, port: config.port });
    const url = addressOf(config.host, app.server.address());
    const token = await createSetupToken(database);
    return { url, setupLink: token === null ? null : `${url}/setup/${token}`, close };
  } catch (error) {
    await close();
    if (error instanceof Error && 'syscall' in error && error.syscall === 'listen') {
      throw new ListenFailed(config.host, config.port, error);
    }
    throw error;
  }
}

/** Returns a URL that a browser on this machine can open, also when the platform listens on all addresses. */
function addressOf(host: string, bound: ReturnType<import('node:net').Server['address']>): string {
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${bound.port}`;
}

/** Whether only programs of this machine reach the platform. */
function isOnlyLocal({ host, publicUrl, trustedProxies }: z.output<typeof platformConfig>): boolean {
  return isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0;
}
