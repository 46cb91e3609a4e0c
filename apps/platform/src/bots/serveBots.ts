import compress from '@fastify/compress';
import { STREAM_PATH } from '@heron/contract/bots/stream.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { identify, refuseSecretInAddress } from '../gateway/credentials.ts';
import { isNavigation } from '../gateway/navigation.ts';
import { refuseOtherMethods } from '../gateway/server.ts';
import type { Session, Sessions } from '../gateway/sessions.ts';
import { askBotHost } from './askBotHost.ts';
import { type BotHost, botHostAddress, callerHeaders } from './botHost.ts';
import { forwardCall } from './forwardCalls.ts';
import { createStreams } from './forwardStream.ts';
import { bodyOf, forwardPaired } from './paired/forwardPaired.ts';
import type { HostLines } from './paired/hostLine.ts';
import { answerMerged, MERGED } from './paired/mergedCalls.ts';
import type { Paired, PairedHosts } from './paired/pairedHosts.ts';
import { callAsked, pairedTarget } from './paired/pairedTarget.ts';

/**
 * `/bot/…`: calls and the stream of the bot host, for people who are logged in.
 *
 * @param options.limitRequests throws when an address asks too often
 */
export async function serveBots(
  app: FastifyInstance,
  options: {
    host: BotHost;
    sessions: Sessions;
    limitRequests(address: string): void;
    lines: HostLines;
    paired: PairedHosts;
    heartbeatMs?: number | undefined;
  },
): Promise<{ renewStreams(userId: number): void }> {
  const { host, sessions, lines, paired } = options;
  const streams = createStreams(
    sessions,
    lines,
    paired,
    options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs },
  );
  app.addHook('preClose', async () => streams.stop());

  async function member(request: FastifyRequest): Promise<Session> {
    options.limitRequests(request.address);
    refuseSecretInAddress(request);
    const session = await identify(sessions, request);
    if (session === null) throw new CallError('not_logged_in');
    request.told.uid = session.uid;
    return session;
  }

  await app.register(async (scope) => {
    await scope.register(compress, { global: false, encodings: ['br', 'gzip'], globalDecompression: false });
    scope.removeAllContentTypeParsers();
    // The bot host reads the body; here it only flows through.
    scope.addContentTypeParser('application/json', (_request, body, done) => done(null, body));
    scope.route({
      method: ['GET', 'POST', 'PUT', 'DELETE'],
      url: '/bot/*',
      handler: async (request, reply) => {
        // Pages of the client live under the same path, as `/bot/{id}/`.
        if (isNavigation(request)) return reply.callNotFound();
        reply.header('cache-control', 'no-store');
        const session = await member(request);
        const target = pairedTarget(request.url);
        if (target !== null) {
          const there = await paired.get(session.userId, target.host);
          if (there === null) throw new CallError('not_found');
          return forwardPaired(lines, there, target.path, request, reply);
        }
        const merged = mergedAsked(request);
        const hosts = merged === null ? [] : await paired.of(session.userId);
        if (merged === null || hosts.length === 0) return forwardCall(host, session, request, reply);
        const body = await bodyOf(request);
        return answerMerged(
          merged,
          { lines, hosts, language: request.language, own: askBotHost(host, session, request.language) },
          { query: queryOf(request.url), body: body === undefined ? undefined : readJson(body) },
        );
      },
    });
    refuseOtherMethods(scope, '/bot/*', ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);
  });

  const entering = new WeakMap<FastifyRequest, { session: Session; hosts: readonly Paired[] }>();
  app.route({
    method: 'GET',
    url: STREAM_PATH,
    config: { socket: true },
    preValidation: async (request) => {
      const session = await member(request);
      entering.set(request, { session, hosts: await paired.of(session.userId) });
    },
    handler: async () => {
      // Asked for without an upgrade.
      throw new CallError('malformed');
    },
    wsHandler(client, request) {
      const entered = entering.get(request);
      const address = botHostAddress(host, STREAM_PATH);
      if (entered === undefined || address === null) throw new Error('a stream without a session');
      address.protocol = 'ws:';
      const log = request.log.child({ id: request.id });
      const { session, hosts } = entered;
      streams.open(client, session, address, callerHeaders(host, session, request.language), log, hosts);
    },
  });
  refuseOtherMethods(app, STREAM_PATH, ['GET', 'HEAD']);
  return { renewStreams: (userId) => streams.renew(userId) };
}

/** A call about all bots of a person; null for any other. */
function mergedAsked(request: FastifyRequest): (typeof MERGED)[number] | null {
  const call = callAsked(request.method, request.url);
  const merged = MERGED.find((name) => name === call) ?? null;
  // Those of one bot are asked of its own host.
  return merged === 'notices' && queryOf(request.url).has('bot') ? null : merged;
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
