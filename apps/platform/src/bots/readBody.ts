import type { Readable } from 'node:stream';
import { BOT_BODY_BYTES } from '@heron/contract/bots/calls.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { refuseDeepJson } from '@heron/contract/http/jsonDepth.ts';
import type { FastifyRequest } from 'fastify';

/**
 * Reads the body of a call about bots; undefined when there is none.
 *
 * @throws CallError `too_large`, `malformed` for JSON that nests too deeply
 */
export async function readBody({ body, headers }: FastifyRequest): Promise<Buffer | undefined> {
  if (!isStream(body)) return undefined;
  if (Number(headers['content-length'] ?? 0) > BOT_BODY_BYTES) throw new CallError('too_large');
  const whole = await collect(body);
  refuseDeepJson(whole.toString());
  return whole;
}

async function collect(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Destroying the stream early would leave the rest of the body unread on the connection.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BOT_BODY_BYTES) throw new CallError('too_large');
      chunks.push(chunk);
    }
  } catch (error) {
    // The caller has gone before the end.
    throw error instanceof CallError ? error : new CallError('malformed');
  }
  return Buffer.concat(chunks);
}

function isStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'iterator' in body;
}
