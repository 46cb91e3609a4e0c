import { CallError, type Language } from '@heron/contract/http/errors.ts';
import {
  GATEWAY_PATH,
  type GatewayAnswer,
  type GatewayFailure,
  gatewayFields,
  type Method,
} from '@heron/contract/http/method.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { browserMarkCookie, readBrowserMark } from './browserMark.ts';
import { clientAddress } from './clientAddress.ts';
import { identify, refuseSecretInAddress } from './credentials.ts';
import { errorAnswer, statusOf } from './errorAnswer.ts';
import type { OriginRules } from './origin.ts';
import { newToken } from './secretToken.ts';
import { refuseOtherMethods, reportFailure } from './server.ts';
import { endedSessionCookie, sessionCookie } from './sessionCookie.ts';
import { SESSION_LONGEST_DAYS, type Session, type Sessions } from './sessions.ts';

/** What a handler knows about its caller. */
export type Caller<Who extends Session | null = Session | null> = {
  readonly session: Who;
  readonly language: Language;
  /** What counts as one address for rate limits. */
  readonly address: string;
  /** What it says it is; anybody can say anything. */
  readonly userAgent: string;
  /** Where the caller reached us: scheme, name and port, such as `https://heron.example`. */
  readonly origin: string;
  /** The mark that this browser was given by `markBrowser`, if it still has one. */
  readonly browserMark: string | null;
  /** Gives the browser a new random mark, by which it can be told from all others for a while. */
  markBrowser(): string;
  /** Puts a session into the cookie of the browser. */
  handOver(token: string): void;
  /** Takes the session out of the cookie of the browser. */
  takeBack(): void;
};

/** A method and what answers it. */
export type Answering = {
  readonly method: Method;
  readonly membersOnly: boolean;
  /** @param payload has passed the method's schema */
  handle(payload: unknown, caller: Caller): Promise<unknown>;
};

type Handler<Payload extends z.ZodType, Data extends z.ZodType, Who extends Session | null> = (
  payload: z.output<Payload>,
  caller: Caller<Who>,
) => Promise<z.input<Data>>;

/** Answers a method for whoever calls. */
export function forAnyone<Payload extends z.ZodType, Data extends z.ZodType>(
  method: Method<Payload, Data>,
  handle: Handler<Payload, Data, Session | null>,
): Answering {
  // The gateway parses the payload with this very method's schema before it calls.
  return { method, membersOnly: false, handle: (payload, caller) => handle(payload as z.output<Payload>, caller) };
}

/** Answers a method for people who are logged in. */
export function forMembers<Payload extends z.ZodType, Data extends z.ZodType>(
  method: Method<Payload, Data>,
  handle: Handler<Payload, Data, Session>,
): Answering {
  return {
    method,
    membersOnly: true,
    handle: (payload, caller) => {
      // As above; and the gateway lets nobody else in.
      return handle(payload as z.output<Payload>, caller as Caller<Session>);
    },
  };
}

/**
 * The generic send: finds the method, checks who calls and what with, answers `{ code, message, data }`. Failures have a 4xx
 * or 5xx status and also carry the `error` of `errorBody`.
 */
export function serveMethods(
  app: FastifyInstance,
  options: {
    methods: readonly Answering[];
    sessions: Sessions;
    origins: OriginRules;
    limitRequests(address: string): Promise<void>;
  },
): void {
  const { sessions, origins } = options;
  const byName = new Map(options.methods.map((answering) => [answering.method.name, answering]));

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<GatewayAnswer> {
    refuseSecretInAddress(request);
    const sent = request.method === 'GET' ? request.query : request.body;
    const fields = parse(gatewayFields, sent, request.language);
    if (fields.lang !== undefined) request.useLanguage(fields.lang);
    const answering = byName.get(fields.method);
    if (answering === undefined) throw new CallError('not_found');
    const { method } = answering;
    if (method.postOnly && request.method === 'GET') throw new CallError('wrong_method');
    const session = await identify(sessions, request, fields.token);
    if (answering.membersOnly && session === null) throw new CallError('not_logged_in');
    const secure = origins.isSecure(request);
    const maxAgeSeconds = SESSION_LONGEST_DAYS * 86_400;
    const data = await answering.handle(parse(method.payload, sent, request.language), {
      session,
      language: request.language,
      address: clientAddress(request.ip),
      userAgent: request.headers['user-agent'] ?? '',
      origin: originOf(request, secure),
      browserMark: readBrowserMark(request.headers.cookie),
      markBrowser: () => {
        const mark = newToken();
        reply.header('set-cookie', browserMarkCookie(mark, { secure }));
        return mark;
      },
      handOver: (token) => void reply.header('set-cookie', sessionCookie(token, { secure, maxAgeSeconds })),
      takeBack: () => void reply.header('set-cookie', endedSessionCookie({ secure })),
    });
    // Parsing the answer drops whatever the contract does not name.
    return { code: method.success, message: '', data: JSON.stringify(method.data.parse(data)) };
  }

  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      await options.limitRequests(clientAddress(request.ip));
    });
    scope.setErrorHandler(async (thrown, request, reply) => {
      const error = reportFailure(thrown, request, reply);
      const body = errorAnswer(error, request.language);
      const failure: GatewayFailure = { code: -statusOf(error), message: body.error.message, data: 'null', ...body };
      return failure;
    });
    scope.route({ method: ['GET', 'POST'], url: GATEWAY_PATH, handler: answer });
    refuseOtherMethods(scope, GATEWAY_PATH, ['GET', 'HEAD', 'POST']);
  });
}

/** The host has been checked, so that it can be read. */
function originOf({ headers }: FastifyRequest, secure: boolean): string {
  return new URL(`${secure ? 'https' : 'http'}://${headers.host ?? ''}`).origin;
}

/** @throws CallError `invalid_request` with the first problem in the caller's language */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, language: Language): z.output<Schema> {
  const { localeError } = language === 'zh' ? z.locales.zhCN() : z.locales.en();
  const parsed = schema.safeParse(value, { error: localeError });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new CallError('invalid_request', { reason: `${path === '' ? '' : `${path}: `}${issue?.message ?? ''}` });
}
