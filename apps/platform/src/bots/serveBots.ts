import compress from '@fastify/compress';
import { STREAM_PATH } from '@heron/contract/bots/stream.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiTokens, sentApiToken } from '../gateway/apiTokens.ts';
import { authenticate, refuseSecretInAddress } from '../gateway/authenticate.ts';
import { isNavigation } from '../gateway/navigation.ts';
import type { OwnerGuard } from '../gateway/ownerGuard.ts';
import { createRequestLimiter } from '../gateway/requestLimiter.ts';
import { refuseOtherMethods } from '../gateway/server.ts';
import type { Session, Sessions } from '../gateway/sessions.ts';
import { type BotHost, botHostAddress, callerHeaders } from './botHost.ts';
import { createBotHostClient } from './botHostClient.ts';
import { forwardCall } from './forwardCalls.ts';
import { createStreams } from './forwardStream.ts';
import { guardCall, guardedCall } from './guardedCalls.ts';
import { limitClient } from './limitClient.ts';
import { forwardToHost, readFromHost } from './paired/forwardToHost.ts';
import type { HostConnections } from './paired/hostConnections.ts';
import { handleMergedCall, MERGED } from './paired/mergedCalls.ts';
import type { PairedHostRecord, PairedHosts } from './paired/pairedHosts.ts';
import { findBotCall, type PairedTarget, pairedTarget } from './paired/pairedTarget.ts';
import { readBody } from './readBody.ts';
import { allowCall, type BotCaller, createTokenLimiter, requireLiveScope } from './tokenCalls.ts';

/** Limits streams that a user opens, because each starts with all data. The burst allows all windows to reconnect. */
const STREAMS_PER_MINUTE = 120;

/**
 * Serves `/bot/…`: calls and the stream of the bot host, for signed-in users.
 *
 * @param options.limitRequests throws when an address sends too many requests
 */
export async function serveBots(
  app: FastifyInstance,
  options: {
    host: BotHost;
    sessions: Sessions;
    apiTokens: ApiTokens;
    limitRequests(address: string): void;
    connections: HostConnections;
    paired: PairedHosts;
    guard: OwnerGuard;
    heartbeatMs?: number | undefined;
  },
): Promise<{ renewStreams(userId: number): void }> {
  const { host, sessions, connections, paired, guard } = options;
  const streams = createStreams(
    sessions,
    connections,
    paired,
    options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs },
  );
  app.addHook('preClose', async () => streams.stop());
  const limitToken = createTokenLimiter();
  const limitOpenings = createRequestLimiter(STREAMS_PER_MINUTE);

  async function requireMember(request: FastifyRequest): Promise<Session> {
    options.limitRequests(request.address);
    refuseSecretInAddress(request);
    const session = await authenticate(sessions, request);
    if (session === null) throw new CallError('not_logged_in');
    request.logFields.uid = session.uid;
    return session;
  }

  /**
   * Returns who calls: a session, or an API token that may make this call.
   *
   * @param path as its bot host receives it
   */
  async function requireCaller(request: FastifyRequest, path: string): Promise<BotCaller> {
    const secret = sentApiToken(request);
    if (secret === null) return { ...(await requireMember(request)), token: null };
    options.limitRequests(request.address);
    refuseSecretInAddress(request);
    const token = await options.apiTokens.find(secret, request.address);
    if (token === null) throw new CallError('token_invalid');
    Object.assign(request.logFields, { uid: token.uid, apiToken: token.id });
    const call = allowCall(token, request.method, path);
    limitToken(token, call);
    // A role belongs to a person, so a token has none.
    return { userId: token.userId, groupId: null, token: call };
  }

  /** Forwards a call. A call that can harm the owner needs a fresh proof, and the owner is alerted after it. */
  async function forwardGuarded(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: BotCaller,
    to: { path: string; readBot(path: string): Promise<unknown>; forward(): Promise<unknown> },
  ): Promise<unknown> {
    const session = caller.token === null ? caller : null;
    if (caller.token !== null) await requireLiveScope(caller.token, to.path, to.readBot);
    const call = guardedCall(request.method, to.path);
    const act = call === null ? null : await guardCall(call, guard, session, to.readBot);
    const answer = await to.forward();
    const { address, language } = request;
    const userAgent = request.headers['user-agent'] ?? '';
    if (act !== null && session !== null && reply.statusCode === 200)
      guard.alert(session, act, { address, language, userAgent });
    return answer;
  }

  async function forwardToPairedHost(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: BotCaller,
    target: PairedTarget,
  ): Promise<unknown> {
    // The kill switch only lowers a risk, so it also reaches disabled hosts.
    const find = findBotCall(request.method, target.path) === 'halt' ? paired.getWithDisabled : paired.get;
    const there = await find(caller.userId, target.host);
    if (there === null) throw new CallError('not_found');
    return forwardGuarded(request, reply, caller, {
      path: target.path,
      readBot: (path) => readFromHost(connections, there, path),
      forward: () => forwardToHost(connections, there, target.path, request, reply),
    });
  }

  await app.register(async (scope) => {
    await scope.register(compress, { global: false, encodings: ['br', 'gzip'], globalDecompression: false });
    scope.removeAllContentTypeParsers();
    // The body is read later, with a limit of its own, when the caller is known.
    scope.addContentTypeParser('application/json', (_request, body, done) => done(null, body));
    scope.route({
      method: ['GET', 'POST', 'PUT', 'DELETE'],
      url: '/bot/*',
      handler: async (request, reply) => {
        // Pages of the client have the same path, such as `/bot/{id}/`.
        if (isNavigation(request)) return reply.callNotFound();
        reply.header('cache-control', 'no-store');
        const target = pairedTarget(request.url);
        const caller = await requireCaller(request, target?.path ?? request.url);
        if (target !== null) return forwardToPairedHost(request, reply, caller, target);
        const merged = findMergedCall(request);
        const held = merged === null ? [] : await paired.listAll(caller.userId);
        if (merged === null || held.length === 0) {
          return forwardGuarded(request, reply, caller, {
            path: request.url,
            readBot: (path) => createBotHostClient(host, caller, request.language)('GET', path),
            forward: () => forwardCall(host, caller, request, reply),
          });
        }
        const body = await readBody(request);
        return handleMergedCall(
          merged,
          {
            ...{ connections, language: request.language, own: createBotHostClient(host, caller, request.language) },
            hosts: held.filter(({ isDisabled }) => !isDisabled),
            disabled: held.filter(({ isDisabled }) => isDisabled),
          },
          { query: queryOf(request.url), body: body === undefined ? undefined : readJson(body) },
        );
      },
    });
    refuseOtherMethods(scope, '/bot/*', ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);
  });

  const entering = new WeakMap<FastifyRequest, { session: Session; hosts: readonly PairedHostRecord[] }>();
  app.route({
    method: 'GET',
    url: STREAM_PATH,
    config: { socket: true },
    preValidation: async (request) => {
      const session = await requireMember(request);
      limitOpenings(String(session.userId));
      entering.set(request, { session, hosts: await paired.listEnabled(session.userId) });
    },
    handler: async () => {
      // A request without an upgrade.
      throw new CallError('malformed');
    },
    wsHandler(client, request) {
      const entered = entering.get(request);
      const address = botHostAddress(host, STREAM_PATH);
      if (entered === undefined || address === null) throw new Error('a stream without a session');
      address.protocol = 'ws:';
      const log = request.log.child({ id: request.id });
      const { session, hosts: paired } = entered;
      limitClient(client, request.raw.socket);
      const headers = callerHeaders(host, session, request.language);
      streams.open(client, session, { address, headers, paired }, log);
    },
  });
  refuseOtherMethods(app, STREAM_PATH, ['GET', 'HEAD']);
  return { renewStreams: (userId) => streams.renew(userId) };
}

/** Returns the call about all bots of a user that a request makes, or null. */
function findMergedCall(request: FastifyRequest): (typeof MERGED)[number] | null {
  const call = findBotCall(request.method, request.url);
  const merged = MERGED.find((name) => name === call) ?? null;
  // Notifications of one bot are read from its own host.
  return merged === 'notifications' && queryOf(request.url).has('bot') ? null : merged;
}

function queryOf(requested: string): URLSearchParams {
  const at = requested.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : requested.slice(at));
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new CallError('malformed');
  }
}
