import { CallError, ERRORS, errorBody, type Language } from '@heron/contract/http/errors.ts';
import { type BotHost, type BotOwner, callerHeaders } from './botHost.ts';

/** The bot host may have to wait for an exchange. */
const TIMEOUT_MS = 40_000;

/** Creates a client that calls the own bot host for a user. @throws CallError of the bot host, or `unavailable` */
export function createBotHostClient(
  host: BotHost,
  owner: BotOwner,
  language: Language,
): (method: string, path: string, body?: object, timeoutMs?: number) => Promise<unknown> {
  return async (method, path, body, timeoutMs = TIMEOUT_MS) => {
    let status: number;
    let answer: unknown;
    try {
      const response = await fetch(new URL(path, host.url), {
        method,
        headers: {
          ...callerHeaders(host, owner, language),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = response.status;
      answer = await response.json();
    } catch (cause) {
      throw new CallError('unavailable', {}, [], { cause });
    }
    if (status === 200) return answer;
    const failure = errorBody.safeParse(answer);
    if (!failure.success || status === 401 || !Object.hasOwn(ERRORS, failure.data.error.code))
      throw new CallError('unavailable');
    const { code, details = {}, faults = [] } = failure.data.error;
    throw new CallError(code, details, faults);
  };
}
