import { Agent, type IncomingMessage, request as send } from 'node:http';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BotHost, type BotOwner, botHostAddress, callerHeaders } from './botHost.ts';
import { readBody } from './readBody.ts';

/** Longest time in which the bot host sends nothing. */
const TIMEOUT_MS = 30_000;
const FORWARDED_REQUEST_HEADERS = ['accept', 'content-type'] as const;
const FORWARDED_ANSWER_HEADERS = ['content-type', 'content-length', 'content-disposition', 'retry-after'] as const;

/** Smaller responses are sent uncompressed, in bytes. */
const COMPRESS_FROM = 2_048;

/** Opens a connection per request, because a restarting bot host may just have closed an idle one. */
const agent = new Agent({ keepAlive: false });

/**
 * Forwards a request to the bot host after reading its body, and streams the response back. Compresses long responses.
 *
 * @throws CallError `unavailable` when the bot host is down, `too_large`, `malformed`, `not_found`
 */
export async function forwardCall(
  host: BotHost,
  owner: BotOwner,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = botHostAddress(host, request.url);
  if (address === null) throw new CallError('not_found');
  const headers: Record<string, string> = callerHeaders(host, owner, request.language);
  for (const name of FORWARDED_REQUEST_HEADERS) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }

  const answer = await exchange(address, headers, request, reply);
  const status = answer.statusCode ?? 502;
  // The caller is signed in here, so the bot host has rejected the platform.
  if (status === 401 || status === 502) {
    answer.destroy();
    request.log.error({ id: request.id, status }, 'the bot host refuses the platform');
    throw new CallError('unavailable');
  }
  for (const name of FORWARDED_ANSWER_HEADERS) {
    const value = answer.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  reply.code(status);
  const isShort = Number(answer.headers['content-length'] ?? COMPRESS_FROM) < COMPRESS_FROM;
  if (isShort || request.method === 'HEAD') return reply.send(answer);
  reply.compress(answer);
  return reply;
}

async function exchange(
  address: URL,
  headers: Record<string, string>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<IncomingMessage> {
  const body = await readBody(request);
  if (body !== undefined) headers['content-length'] = String(body.length);
  const upstream = send(address, { method: request.method, headers, agent, timeout: TIMEOUT_MS });
  const arrived = Promise.withResolvers<IncomingMessage>();
  upstream.on('response', arrived.resolve);
  upstream.on('error', arrived.reject);
  upstream.on('timeout', () => upstream.destroy(new Error('the bot host is silent')));
  let hasCaller = true;
  reply.raw.once('close', () => {
    hasCaller = false;
    upstream.destroy();
  });
  upstream.end(body);
  try {
    return await arrived.promise;
  } catch (error) {
    upstream.destroy();
    if (hasCaller) request.log.warn({ id: request.id, err: error }, 'the bot host does not answer');
    throw new CallError('unavailable');
  }
}
