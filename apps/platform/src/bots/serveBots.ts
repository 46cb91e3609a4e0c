import compress from '@fastify/compress';
import { STREAM_PATH } from '@heron/contract/bots/stream.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { identify, refuseSecretInAddress } from '../gateway/credentials.ts';
import { isNavigation } from '../gateway/navigation.ts';
import { refuseOtherMethods } from '../gateway/server.ts';
import type { Session, Sessions } from '../gateway/sessions.ts';
import { type BotHost, botHostAddress, callerHeaders } from './botHost.ts';
import { forwardCall } from './forwardCalls.ts';
import { createStreams } from './forwardStream.ts';

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
    heartbeatMs?: number | undefined;
  },
): Promise<void> {
  const { host, sessions } = options;
  const streams = createStreams(
    sessions,
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
        return forwardCall(host, await member(request), request, reply);
      },
    });
    refuseOtherMethods(scope, '/bot/*', ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);
  });

  const entering = new WeakMap<FastifyRequest, Session>();
  app.route({
    method: 'GET',
    url: STREAM_PATH,
    config: { socket: true },
    preValidation: async (request) => {
      entering.set(request, await member(request));
    },
    handler: async () => {
      // Asked for without an upgrade.
      throw new CallError('malformed');
    },
    wsHandler(client, request) {
      const session = entering.get(request);
      const address = botHostAddress(host, STREAM_PATH);
      if (session === undefined || address === null) throw new Error('a stream without a session');
      address.protocol = 'ws:';
      const log = request.log.child({ id: request.id });
      streams.open(client, session, address, callerHeaders(host, session, request.language), log);
    },
  });
  refuseOtherMethods(app, STREAM_PATH, ['GET', 'HEAD']);
}
