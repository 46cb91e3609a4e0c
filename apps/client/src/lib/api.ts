import type { Call } from '@heron/contract/http/call.ts';
import { ERRORS, type ErrorCode, type ErrorDetails, errorText, type Fault } from '@heron/contract/http/errors.ts';
import type { Method } from '@heron/contract/http/method.ts';
import { methodCall } from '@heron/contract/http/methodCall.ts';
import type { z } from 'zod';
import type { Language } from '../locales/texts.ts';
import { textLanguage } from './display.ts';

type Part<Name extends string, Schema> = Schema extends z.ZodUndefined
  ? { readonly [N in Name]?: undefined }
  : Schema extends z.ZodType
    ? Record<string, never> extends z.input<Schema>
      ? { readonly [N in Name]?: z.input<Schema> }
      : { readonly [N in Name]: z.input<Schema> }
    : unknown;

/**
 * The input has the request parts that the contract declares. A call about a whole host also names the paired bot host.
 */
export type Input<C extends Call> = { readonly host?: string | null } & Part<'params', NonNullable<C['params']>> &
  Part<'query', NonNullable<C['query']>> &
  Part<'body', NonNullable<C['body']>>;

type Arguments<C extends Call> = Record<string, never> extends Input<C> ? [input?: Input<C>] : [input: Input<C>];

/** Sends one call of the contract and returns its response. */
export type Ask = <C extends Call>(call: C, ...input: Arguments<C>) => Promise<z.output<C['response']>>;

/** Sends the typed call of a method and returns its data. */
export type Send = <M extends Method>(method: M, payload: z.input<M['payload']>) => Promise<z.output<M['data']>>;

/** Fetches a file, which is not a response of a call. */
export type FetchFile = (path: string, type: string, timeoutMs?: number) => Promise<Blob>;

export interface Api {
  readonly ask: Ask;
  readonly send: Send;
  readonly fetchFile: FetchFile;
}

/** The server returned an error of the contract. `message` is a text for the user, in the language set at that time. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  /** The errors of single values are in the language of the request. */
  readonly faults: readonly Fault[];

  constructor(code: ErrorCode, status: number, message: string, details: ErrorDetails, faults: readonly Fault[] = []) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
    this.faults = faults;
  }
}

/**
 * No usable response arrived: no network, no server, a timeout, or a response from something else. The outcome is
 * unknown.
 */
export class NoAnswer extends Error {
  readonly why: 'network' | 'timeout' | 'unreadable';

  constructor(why: NoAnswer['why'], cause?: unknown) {
    super(`No answer: ${why}`, { cause });
    this.name = 'NoAnswer';
    this.why = why;
  }
}

/** The server rejected the request and changed nothing. After any other failure the outcome is unknown. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500;
}

/** Both clients use this request timeout. */
const TIMEOUT_MS = 15_000;

export interface ApiSettings {
  readonly fetch: typeof fetch;
  readonly language: () => Language;
  /** This runs when the server reports that nobody is signed in. */
  readonly onLoggedOut?: () => void;
  /** Validates responses against the contract. Only development and tests set it; the built client has no validator. */
  readonly parse?: (schema: z.ZodType, value: unknown) => unknown;
  readonly timeoutMs?: number;
}

/**
 * Creates the HTTP client of the app. Requests carry the session cookie; every error is an `ApiError` or a `NoAnswer`.
 */
export function createApi(settings: ApiSettings): Api {
  const parse = settings.parse ?? ((_, value) => value);

  async function ask(call: Call, input: Given): Promise<never> {
    const request = requestOf(call, input, settings.language());
    return parse(call.response, await exchange(settings, request, call.timeoutMs)) as never;
  }

  return {
    ask: (call, ...given) => ask(call, (given[0] ?? {}) as Given),
    send: (method, payload) => ask(methodCall(method), { body: payload }),
    async fetchFile(url, type, timeoutMs = settings.timeoutMs ?? TIMEOUT_MS) {
      const headers = { ...headersOf(settings.language(), false), accept: type };
      const answer = await reach(settings, { url, init: { headers, credentials: 'same-origin' } }, timeoutMs);
      if (!answer.ok) throw failure(await read(answer), answer.status, settings);
      try {
        return await answer.blob();
      } catch (cause) {
        throw new NoAnswer((cause as Error).name === 'TimeoutError' ? 'timeout' : 'network', cause);
      }
    },
  };
}

function headersOf(language: Language, body: boolean): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-language': language,
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
}

async function exchange(
  settings: ApiSettings,
  request: { url: string; init: RequestInit },
  timeoutMs = settings.timeoutMs ?? TIMEOUT_MS,
): Promise<unknown> {
  const answer = await reach(settings, request, timeoutMs);
  const body = await read(answer);
  if (!answer.ok || (body as { error?: unknown } | null)?.error) throw failure(body, answer.status, settings);
  return body;
}

interface Given {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly host?: string | null;
}

function requestOf(call: Call, input: Given, language: Language) {
  const params = new Map(Object.entries(input.params ?? {}));
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params.get(name))));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  if (input.host) query.set('host', input.host);
  const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) };
  const headers = headersOf(language, input.body !== undefined);
  const init: RequestInit = { method: call.method, headers, credentials: 'same-origin', ...body };
  return { url: query.size > 0 ? `${path}?${query}` : path, init };
}

async function reach({ fetch }: ApiSettings, { url, init }: { url: string; init: RequestInit }, timeoutMs: number) {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw new NoAnswer((cause as Error).name === 'TimeoutError' ? 'timeout' : 'network', cause);
  }
}

async function read(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch (cause) {
    throw new NoAnswer('unreadable', cause);
  }
}

function failure(body: unknown, status: number, { language, onLoggedOut }: ApiSettings): Error {
  const error = (
    body as { error?: { code?: unknown; message?: unknown; details?: ErrorDetails; faults?: Fault[] } } | null
  )?.error;
  if (typeof error?.code !== 'string') return new NoAnswer('unreadable');
  const code = error.code as ErrorCode;
  if (code === 'not_logged_in') onLoggedOut?.();
  // A newer server may send codes that this client does not know, so its own message is shown.
  const text = Object.hasOwn(ERRORS, code)
    ? errorText(code, textLanguage(language()), error.details)
    : String(error.message ?? code);
  return new ApiError(code, status, text, error.details ?? {}, error.faults ?? []);
}
