import type { z } from 'zod';

/** A caller waits for the answer. */
const TIMEOUT_MS = 10_000;

/**
 * Sends a request to a provider and reads its JSON answer, whatever its status. An empty answer is `null`.
 *
 * @returns null when there is no answer in time, or none that can be read. Why is not told: it may hold the address, and that
 *   secrets
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
      // Elsewhere nobody may get our credentials.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, answer: schema.parse(text === '' ? null : JSON.parse(text)) };
  } catch {
    return null;
  }
}
