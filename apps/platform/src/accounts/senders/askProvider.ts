import type { z } from 'zod';
import { askJson } from '../askJson.ts';
import { SendingFailed } from './sendingFailed.ts';

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
  const answered = await askJson(url, { method: 'POST', ...request }, schema);
  if (answered === null) throw new SendingFailed('sender', 'no answer');
  return answered;
}
