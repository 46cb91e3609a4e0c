import { randomUUID } from 'node:crypto';
import websocket from '@fastify/websocket';
import { STREAM_REQUEST_BYTES } from '@heron/contract/bots/stream.ts';
import { CallError, type ErrorCode, type Language } from '@heron/contract/http/errors.ts';
import { refuseDeepJson } from '@heron/contract/http/jsonDepth.ts';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
  LogController,
} from 'fastify';
import { callerAddress } from './callerAddress.ts';
import { discardBody } from './discardBody.ts';
import { errorResponse, statusOf, toCallError } from './errorResponse.ts';
import { acceptedLanguage, languageOf } from './language.ts';
import { wholeSeconds } from './limits.ts';
import { describePath } from './log.ts';
import type { OriginRules } from './origin.ts';
import { rateLimitAddress } from './rateLimitAddress.ts';
import { rejectUnreadable } from './rejectUnreadable.ts';
import { securityHeaders } from './securityHeaders.ts';
import { createProxyCheck } from './untrustedProxy.ts';

/** Maximum size of a body, in bytes. */
const BODY_LIMIT = 1_048_576;

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Close code of a server that stops (RFC 6455 7.4.1). */
const GOING_AWAY = 1001;
/** Time after which a client that does not close is disconnected. */
const CLOSE_TIMEOUT_MS = 300;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only routes with this mark accept WebSockets. */
    socket?: true;
    /** Allows posts from pages of other sites. Only for routes that change nothing and trust no cookie. */
    fromAnySite?: true;
  }
  interface FastifyRequest {
    /** Language of messages for the caller. */
    language: Language;
    /** Address for rate limits. */
    address: string;
    /** Further fields of the log line. */
    logFields: { ip: string; call?: string; uid?: number; apiToken?: string; failure?: ErrorCode };
    /** Replaces the language of the header by the choice of the caller. */
    useLanguage(name: string): void;
  }
}

/**
 * Creates the server. Every request passes the same checks of host and origin and gets the same headers. It is logged
 * in one line without secrets, and its errors have one form.
 */
export async function createServer(options: {
  log: FastifyBaseLogger;
  origins: OriginRules;
  trustedProxies: readonly string[];
  /** Whether browsers reach us by https only. */
  httpsOnly: boolean;
}): Promise<FastifyInstance> {
  const { log, origins } = options;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request takes longer to create than most responses take. Lines that need it add the request id.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    frameworkErrors(error, request, reply: FastifyReply) {
      const failure = toCallError(error);
      const language = acceptedLanguage(request.headers['accept-language']);
      reply.code(statusOf(failure)).send(errorResponse(failure, language));
    },
    clientErrorHandler: rejectUnreadable,
  });

  app.decorateRequest('language', 'en');
  app.decorateRequest('address', '');
  app.decorateRequest('logFields');
  app.decorateRequest('useLanguage', function (this: FastifyRequest, name: string) {
    this.language = languageOf(name);
  });
  await app.register(websocket, {
    options: { maxPayload: STREAM_REQUEST_BYTES, perMessageDeflate: false },
    preClose(done) {
      for (const client of app.websocketServer.clients) {
        client.close(GOING_AWAY, 'stopping');
        setTimeout(() => client.terminate(), CLOSE_TIMEOUT_MS).unref();
      }
      app.websocketServer.close();
      done();
    },
  });
  const headers = securityHeaders(options.httpsOnly);
  const checkProxy = createProxyCheck(log);
  // Hooks use callbacks, because a promise per request costs time.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    // Fastify computes `ip` from the proxies at each access.
    const ip = callerAddress(request.ip, request.socket.remoteAddress ?? '');
    request.address = rateLimitAddress(ip);
    request.logFields = { ip };
    request.language = acceptedLanguage(request.headers['accept-language']);
    checkProxy(request);
    origins.checkHost(request);
    if (request.routeOptions.config.fromAnySite !== true) origins.checkOrigin(request);
    if (request.ws && request.routeOptions.config.socket !== true) throw new CallError('not_found');
    done();
  });
  // An unread body would be parsed as the next request, or block the connection.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.raw.complete || request.ws) return done(null, payload);
    discardBody(request.raw).then((isRead) => {
      if (!isRead) reply.header('connection', 'close');
      done(null, payload);
    }, done);
  });
  // These lines contain no secrets, and redaction takes longer than the rest of a request.
  const lines = log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, id, logFields } = request;
    const status = reply.statusCode;
    const ms = Math.round(reply.elapsedTime);
    lines.info({ id, method, path: describePath(url), ...logFields, status, ms }, 'request');
    done();
  });

  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    refuseDeepJson(body);
    return parseJson(request, body, done);
  });
  app.setErrorHandler(async (thrown, request, reply) =>
    errorResponse(reportFailure(thrown, request, reply), request.language),
  );
  return app;
}

/** Sets the status of an error response. Logs errors of ours, and errors with a cause that the caller does not see. */
export function reportFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): CallError {
  const error = toCallError(thrown);
  const status = statusOf(error);
  request.logFields = { ...request.logFields, failure: error.code };
  if (status >= 500)
    request.log.error({ id: request.id, err: thrown, path: describePath(request.url) }, 'request failed');
  else if (error.cause !== undefined)
    request.log.warn({ id: request.id, err: error, path: describePath(request.url) }, 'request could not be done');
  // The failed response may have been compressed.
  reply.code(status).removeHeader('content-encoding');
  const { seconds } = error.details;
  if (typeof seconds === 'number') reply.header('retry-after', wholeSeconds(seconds));
  return error;
}

/** Responds with 405 to all other HTTP methods of a path, before the body is read. */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed: readonly HTTPMethods[]): void {
  async function refuse(_request: FastifyRequest, reply: FastifyReply): Promise<never> {
    reply.header('allow', allowed.join(', '));
    throw new CallError('wrong_method');
  }
  app.route({
    method: METHODS.filter((method) => !allowed.includes(method)),
    url,
    onRequest: refuse,
    handler: refuse,
  });
}
