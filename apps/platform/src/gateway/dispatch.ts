import type { IncomingHttpHeaders } from 'node:http';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { authenticate, type SentSession } from './authenticate.ts';
import { browserMarkCookie, readBrowserMark } from './browserMark.ts';
import type { MethodHandler } from './methods.ts';
import type { OriginRules } from './origin.ts';
import { parse } from './parse.ts';
import { createToken } from './secretToken.ts';
import { endedSessionCookies, sessionCookies } from './sessionCookie.ts';
import { SESSION_MAX_DAYS, type Sessions } from './sessions.ts';

/** Data of every sign-in and registration, which name the new session's owner. */
const beginning = z.object({ userInfo: z.object({ uid: z.number() }) });

/** Finds and runs methods for all kinds of requests. */
export type Dispatch = {
  /** @throws CallError `not_found` */
  find(name: string): MethodHandler;
  /**
   * Authenticates the caller, checks the payload, and runs the method.
   *
   * @param call.sent payload as it arrived; a dispatch for older clients expects the names that they know
   * @param call.credentials session that the payload names; only addresses of older clients have one
   * @returns `data` of the method under names of the same kind, with fields of the contract only
   * @throws CallError `not_logged_in`, `invalid_request`, and errors of the method
   */
  handle(
    answering: MethodHandler,
    call: { request: FastifyRequest; reply: FastifyReply; sent: unknown; credentials?: SentSession },
  ): Promise<unknown>;
};

/** @param aliases other names of methods, with the names under which they are found */
export function createDispatch(
  methods: readonly MethodHandler[],
  sessions: Sessions,
  origins: OriginRules,
  aliases: ReadonlyMap<string, string> = new Map(),
): Dispatch {
  const byName = new Map(methods.map((answering) => [answering.method.name, answering]));
  return {
    find(name) {
      const answering = byName.get(aliases.get(name) ?? name);
      if (answering === undefined) throw new CallError('not_found');
      return answering;
    },
    async handle({ method, membersOnly, handle }, { request, reply, sent, credentials }) {
      const session = await authenticate(sessions, request, credentials);
      request.logFields.call = method.name;
      if (session !== null) request.logFields.uid = session.uid;
      if (membersOnly && session === null) throw new CallError('not_logged_in');
      const isSecure = () => origins.isSecure(request);
      let begins = false;
      const maxAgeSeconds = SESSION_MAX_DAYS * 86_400;
      const data = await handle(parse(method.payload, sent, request.language), {
        session,
        language: request.language,
        address: request.address,
        isForwarded: isForwarded(request.headers),
        userAgent: request.headers['user-agent'] ?? '',
        get origin() {
          return originOf(request, isSecure());
        },
        get browserMark() {
          return readBrowserMark(request.headers.cookie, { secure: isSecure() });
        },
        markBrowser: () => {
          const mark = createToken();
          reply.header('set-cookie', browserMarkCookie(mark, { secure: isSecure() }));
          return mark;
        },
        setSessionCookie(token) {
          begins = true;
          reply.header('set-cookie', sessionCookies(token, { secure: isSecure(), maxAgeSeconds }));
        },
        clearSessionCookie: () => void reply.header('set-cookie', endedSessionCookies({ secure: isSecure() })),
      });
      const parsed = method.data.parse(data);
      const owner = begins ? beginning.safeParse(parsed).data : undefined;
      if (owner !== undefined) request.logFields.uid = owner.userInfo.uid;
      return parsed;
    },
  };
}

/** The host was checked, so it can be parsed. */
function originOf({ headers }: FastifyRequest, secure: boolean): string {
  return new URL(`${secure ? 'https' : 'http'}://${headers.host ?? ''}`).origin;
}

/** Names of headers that proxies add. */
const FORWARDING = /^(forwarded|via|x-forwarded-.+|x-real-ip)$/;

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => FORWARDING.test(name));
}
