import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { browserMarkCookie, readBrowserMark } from './browserMark.ts';
import type { MethodHandler } from './methods.ts';
import type { OriginRules } from './origin.ts';
import { parse } from './parse.ts';
import { createToken } from './secretToken.ts';
import { endedSessionCookies, sessionCookies } from './sessionCookie.ts';
import { SESSION_MAX_DAYS, type Session } from './sessions.ts';

/** What the answer to every login and registration has in it: whose session has begun. */
const beginning = z.object({ user_info: z.object({ uid: z.number() }) });

/** Finds methods and answers them, whichever way a call came in. */
export type Dispatch = {
  /** @throws CallError `not_found` */
  find(name: string): MethodHandler;
  /**
   * Checks who calls and what with, and answers.
   *
   * @param sent payload as it came
   * @returns `data` of the method, and nothing that the contract does not name
   * @throws CallError `not_logged_in`, `invalid_request`, and what the method throws
   */
  handle(
    answering: MethodHandler,
    call: { request: FastifyRequest; reply: FastifyReply; session: Session | null; sent: unknown },
  ): Promise<unknown>;
};

/** @param aliases other names of methods, each with the name under which it is found */
export function createDispatch(
  methods: readonly MethodHandler[],
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
    async handle({ method, membersOnly, handle }, { request, reply, session, sent }) {
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
      if (owner !== undefined) request.logFields.uid = owner.user_info.uid;
      return parsed;
    },
  };
}

/** The host has been checked, so that it can be read. */
function originOf({ headers }: FastifyRequest, secure: boolean): string {
  return new URL(`${secure ? 'https' : 'http'}://${headers.host ?? ''}`).origin;
}
