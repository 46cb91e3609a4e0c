import type { Language } from '@heron/contract/http/errors.ts';
import type { Method } from '@heron/contract/http/method.ts';
import type { z } from 'zod';
import type { Session } from './sessions.ts';

/** The caller of a method. */
export type Caller<CallerSession extends Session | null = Session | null> = {
  readonly session: CallerSession;
  readonly language: Language;
  /** Address for rate limits. */
  readonly address: string;
  /** Whether a proxy says that it has forwarded the request. */
  readonly isForwarded: boolean;
  /** Header of the client; not trusted. */
  readonly userAgent: string;
  /** Origin under which the caller reached us, such as `https://heron.example`. */
  readonly origin: string;
  /** The mark that `markBrowser` has set in this browser, or null. */
  readonly browserMark: string | null;
  /** Sets a new random mark in the browser, which identifies it for a while. */
  markBrowser(): string;
  /** Sets the session cookie of the browser. */
  setSessionCookie(token: string): void;
  /** Deletes the session cookie of the browser. */
  clearSessionCookie(): void;
};

/** A method with its handler. */
export type MethodHandler = {
  readonly method: Method;
  readonly membersOnly: boolean;
  /** @param payload was parsed by the schema of the method */
  handle(payload: unknown, caller: Caller): Promise<unknown>;
};

type Handler<Payload extends z.ZodObject, Data extends z.ZodType, CallerSession extends Session | null> = (
  payload: z.output<Payload>,
  caller: Caller<CallerSession>,
) => Promise<z.input<Data>>;

/** Creates a handler for all callers. */
export function forAnyone<Payload extends z.ZodObject, Data extends z.ZodType>(
  method: Method<Payload, Data>,
  handle: Handler<Payload, Data, Session | null>,
): MethodHandler {
  // The gateway parses the payload by the schema of the same method.
  return { method, membersOnly: false, handle: (payload, caller) => handle(payload as z.output<Payload>, caller) };
}

/** Creates a handler for signed-in callers. */
export function forMembers<Payload extends z.ZodObject, Data extends z.ZodType>(
  method: Method<Payload, Data>,
  handle: Handler<Payload, Data, Session>,
): MethodHandler {
  return {
    method,
    membersOnly: true,
    handle: (payload, caller) => {
      // The gateway also rejects other callers.
      return handle(payload as z.output<Payload>, caller as Caller<Session>);
    },
  };
}
