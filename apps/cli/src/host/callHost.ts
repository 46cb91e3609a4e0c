import { readFileSync } from 'node:fs';
import path from 'node:path';
import { secretHeader } from '@heron/bothost/http/secret.ts';
import type { Call } from '@heron/contract/http/call.ts';
import { errorBody } from '@heron/contract/http/errors.ts';
import type { z } from 'zod';

/** Address of the bot host, and the user on whose behalf it is called. */
export interface HostOptions {
  /** Its data folder, which contains the secret that authenticates this command. */
  readonly data: string;
  readonly controlPort: number;
  /** Number of the account. */
  readonly user: string;
}

/** The bot host rejected a request; the message gives the reason. */
class HostRefused extends Error {
  override readonly name = 'HostRefused';
}

/**
 * Calls the bot host that runs on this machine.
 *
 * @param given.params values of `:name` in the path
 * @param given.query query parameters
 * @param given.body sent as JSON
 * @throws HostRefused
 */
export async function callHost<C extends Call>(
  { data, controlPort, user }: HostOptions,
  call: C,
  given: {
    params?: Readonly<Record<string, string>>;
    query?: Readonly<Record<string, string>>;
    body?: object;
  } = {},
): Promise<z.output<C['response']>> {
  const where = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(given.params?.[name] ?? ''));
  let response: Response;
  try {
    const query = given.query === undefined ? '' : `?${new URLSearchParams(given.query)}`;
    response = await fetch(`http://127.0.0.1:${controlPort}${where}${query}`, {
      method: call.method,
      headers: {
        ...secretHeader(secretOf(data)),
        'x-heron-user': user,
        'x-heron-language': 'en',
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: given.body === undefined ? null : JSON.stringify(given.body),
    });
  } catch (cause) {
    if (cause instanceof HostRefused) throw cause;
    throw new HostRefused(`no bot host responds on port ${controlPort}: start it with "npx heron start"`, { cause });
  }
  const answer: unknown = await response.json();
  // The host has checked its response against the same contract.
  if (response.ok) return call.response.parse(answer) as z.output<C['response']>;
  const refusal = errorBody.safeParse(answer);
  throw new HostRefused(
    refusal.success ? refusal.data.error.message : `the bot host responded with status ${response.status}: see its log`,
  );
}

/** Returns the secret that authenticates the processes of Heron. @throws HostRefused when it cannot be read */
export function secretOf(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'secret'), 'utf8').trim();
  } catch (cause) {
    throw new HostRefused(`${folder} is not a readable data folder of Heron: set it with --data`, { cause });
  }
}
