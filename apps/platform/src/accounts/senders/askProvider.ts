import type { z } from 'zod';
import { SendingFailed } from './sendingFailed.ts';

/** A caller waits for the answer. */
const TIMEOUT_MS = 10_000;

/**
 * Sends a request to a provider and reads its JSON answer, whatever its status.
 *
 * @throws SendingFailed when there is no answer in time, or none that can be read
 */
export async function askProvider<Schema extends z.ZodType>(
  url: string,
  request: { headers: Readonly<Record<string, string>>; body?: URLSearchParams },
  schema: Schema,
): Promise<{ status: number; answer: z.output<Schema> }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      // Elsewhere nobody may get our credentials.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, answer: schema.parse(await response.json()) };
  } catch {
    // What went wrong may hold the address, and that the number.
    throw new SendingFailed('sender', 'no answer');
  }
}
