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

/** Largest body of any request, in bytes. */
const BODY_LIMIT = 1_048_576;

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Close code of a server that stops (RFC 6455 7.4.1). */
const GOING_AWAY = 1001;
/** A client that does not answer its closing is cut off after this time. */
const LAST_WORDS_MS = 300;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only routes with this mark can be opened as a WebSocket. */
    socket?: true;
    /** Pages of other sites may post here: only for what changes nothing and believes no cookie. */
    fromAnySite?: true;
  }
  interface FastifyRequest {
    /** In which the caller reads messages. */
    language: Language;
    /** What counts as one address for rate limits. */
    address: string;
    /** What its line in the log says beside its path and status. */
    logFields: { ip: string; call?: string; uid?: number; failure?: ErrorCode };
    /** Lets the caller's own choice overrule the header. */
    useLanguage(name: string): void;
  }
}

/**
 * The one door of the platform: every request passes the same checks of host and origin, gets the same headers, is logged in
 * one line without its secrets, and every failure becomes the same kind of answer.
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
    // A logger for each request takes longer to make than most answers: lines that need it name the request themselves.
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
        setTimeout(() => client.terminate(), LAST_WORDS_MS).unref();
      }
      app.websocketServer.close();
      done();
    },
  });
  const headers = securityHeaders(options.httpsOnly);
  const checkProxy = createProxyCheck(log);
  // Hooks of every request call back instead of making a promise each.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    // Fastify looks for it among the proxies each time it is asked.
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
  // What is still unread would be taken for the next request, or keep it from ever being read.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.raw.complete || request.ws) return done(null, payload);
    discardBody(request.raw).then((isRead) => {
      if (!isRead) reply.header('connection', 'close');
      done(null, payload);
    }, done);
  });
  // Nothing in these lines is secret, and looking through each for secrets takes longer than all the rest of a request.
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

/** Sets the status of a failed answer, and logs what is our own fault, or has a cause that the caller is not told. */
export function reportFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): CallError {
  const error = toCallError(thrown);
  const status = statusOf(error);
  request.logFields = { ...request.logFields, failure: error.code };
  if (status >= 500)
    request.log.error({ id: request.id, err: thrown, path: describePath(request.url) }, 'request failed');
  else if (error.cause !== undefined)
    request.log.warn({ id: request.id, err: error, path: describePath(request.url) }, 'request could not be done');
  // The answer that failed may have been about to be sent in another form.
  reply.code(status).removeHeader('content-encoding');
  const { seconds } = error.details;
  if (typeof seconds === 'number') reply.header('retry-after', wholeSeconds(seconds));
  return error;
}

/** Answers 405 to every other method of a path, before a body is read. */
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
