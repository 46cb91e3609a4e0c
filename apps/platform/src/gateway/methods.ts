import type { Language } from '@heron/contract/http/errors.ts';
import type { Method } from '@heron/contract/http/method.ts';
import type { z } from 'zod';
import type { Session } from './sessions.ts';

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
  setSessionCookie(token: string): void;
  /** Takes the session out of the cookie of the browser. */
  clearSessionCookie(): void;
};

/** A method and what answers it. */
export type MethodHandler = {
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
): MethodHandler {
  // The gateway parses the payload with this very method's schema before it calls.
  return { method, membersOnly: false, handle: (payload, caller) => handle(payload as z.output<Payload>, caller) };
}

/** Answers a method for people who are logged in. */
export function forMembers<Payload extends z.ZodType, Data extends z.ZodType>(
  method: Method<Payload, Data>,
  handle: Handler<Payload, Data, Session>,
): MethodHandler {
  return {
    method,
    membersOnly: true,
    handle: (payload, caller) => {
      // As above; and the gateway lets nobody else in.
      return handle(payload as z.output<Payload>, caller as Caller<Session>);
    },
  };
}
