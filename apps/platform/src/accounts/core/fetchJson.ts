import type { z } from 'zod';

/** A caller waits for the response. */
const TIMEOUT_MS = 10_000;

/**
 * Sends a request to a provider and parses its JSON response, whatever its status. An empty response is `null`.
 *
 * @returns null when the response is late or cannot be parsed. The reason is not returned, because it may contain the
 *   address with its secrets
 */
export async function fetchJson<Schema extends z.ZodType>(
  url: string,
  request: { method: 'GET' | 'POST'; headers?: Readonly<Record<string, string>>; body?: URLSearchParams },
  schema: Schema,
): Promise<{ status: number; answer: z.output<Schema> } | null> {
  const { method, headers = {}, body } = request;
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // A redirect could send our credentials to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, answer: schema.parse(text === '' ? null : JSON.parse(text)) };
  } catch {
    return null;
  }
}
