import type { IncomingMessage } from 'node:http';
import { pipeline, Transform } from 'node:stream';
import { CallError, ERRORS, errorBody, type Language } from '@heron/contract/http/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wholeSeconds } from '../../gateway/limits.ts';
import { readBody } from '../readBody.ts';
import { type HostConnections, HostProblem, readJsonResponse } from './hostConnections.ts';
import type { PairedHostRecord } from './pairedHosts.ts';
import { findBotCall } from './pairedTarget.ts';
import { translateResponse } from './translateIds.ts';

/** Candles of a backtest take some hundred kilobytes. */
const MAX_BYTES = 8 * 1_048_576;
const MAX_TABLE_BYTES = 256 * 1_048_576;
/** The host may have to wait for an exchange, or start a worker. */
const TIMEOUT_MS = 40_000;
const TABLE_MS = 300_000;
const MAX_MESSAGE_LENGTH = 2_000;

/** Returns the error for a bot host that is away or responds unexpectedly. */
function hostError({ name }: PairedHostRecord, { state }: HostProblem): CallError {
  return new CallError(state === 'differs' ? 'host_differs' : 'host_away', { host: name });
}

/**
 * Forwards a call to a paired bot host and validates its response. A response of a user's machine is as untrusted as a
 * request of a browser.
 *
 * @param path as the bot host knows it
 * @throws CallError `host_away`, `host_differs`, `keys_stay_there`, `not_found`, `too_large`, or the error of the bot
 *   host
 */
export async function forwardToHost(
  connections: HostConnections,
  paired: PairedHostRecord,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const call = findBotCall(request.method, path);
  if (call === null) throw new CallError('not_found');
  if (call === 'addKey' || call === 'addDemoKey') throw new CallError('keys_stay_there');
  const body = await readBody(request);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const asked = {
    ...{ method: request.method, path, signal: gone.signal },
    headers: {
      'x-heron-language': request.language,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  };
  try {
    if (call === 'tradesCsv') {
      const table = await connections.request(paired.endpoint, { ...asked, timeoutMs: TABLE_MS });
      if (table.statusCode === 401) throw new HostProblem('refused');
      if (table.statusCode !== 200)
        throw errorOf({ status: table.statusCode ?? 0, body: await readJsonResponse(table, MAX_BYTES) });
      return reply.type('text/csv; charset=utf-8').send(tableOf(table));
    }
    const answer = await connections.requestJson(paired.endpoint, { ...asked, timeoutMs: TIMEOUT_MS }, MAX_BYTES);
    if (answer.status !== 200) throw errorOf(answer);
    return reply.send(translateResponse(paired.id, call, answer.body));
  } catch (error) {
    if (!(error instanceof HostProblem)) throw error;
    request.log.info(
      { id: request.id, host: paired.id, why: error.state, err: error.cause },
      'a paired bot host fails',
    );
    throw hostError(paired, error);
  }
}

/**
 * Reads from a paired bot host, to decide about a call to it.
 *
 * @returns the response, or null when it cannot be parsed; the decision must then assume the worst
 * @throws CallError `host_away`
 */
export async function readFromHost(
  connections: HostConnections,
  paired: PairedHostRecord,
  path: string,
): Promise<unknown> {
  try {
    const { body } = await connections.requestJson(
      paired.endpoint,
      { method: 'GET', path, timeoutMs: TIMEOUT_MS },
      MAX_BYTES,
    );
    return body;
  } catch (error) {
    if (!(error instanceof HostProblem)) throw error;
    if (error.state === 'differs') return null;
    throw hostError(paired, error);
  }
}

/**
 * Calls a paired bot host for the platform itself.
 *
 * @returns the response, which the caller parses
 * @throws CallError `host_away`, `host_differs`, or the error of the bot host
 */
export async function callHost(
  connections: HostConnections,
  paired: PairedHostRecord,
  { method, path, body, language }: { method: string; path: string; body?: object; language: Language },
): Promise<unknown> {
  const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { 'x-heron-language': language, ...type };
  try {
    const asked = { method, path, headers, timeoutMs: TIMEOUT_MS, ...sent };
    const answer = await connections.requestJson(paired.endpoint, asked, MAX_BYTES);
    if (answer.status !== 200) throw errorOf(answer);
    return answer.body;
  } catch (error) {
    throw error instanceof HostProblem ? hostError(paired, error) : error;
  }
}

/** Returns the error that the bot host has sent. */
function errorOf({ status, body }: { status: number; body: unknown }): Error {
  const read = errorBody.safeParse(body);
  if (!read.success) return new HostProblem('differs', new Error(`it answered ${status}`));
  const { code, details = {}, faults = [] } = read.data.error;
  // Forwards known codes only. Authentication errors concern the platform, not the caller.
  if (!Object.hasOwn(ERRORS, code) || ERRORS[code].status === 401) return new HostProblem('differs', new Error(code));
  if (JSON.stringify({ details, faults }).length > MAX_MESSAGE_LENGTH)
    return new HostProblem('differs', new Error('too long'));
  // An internal error of the bot host is not ours.
  if (code === 'internal') return new HostProblem('differs', new Error(code));
  if (code === 'unavailable') return new HostProblem('away', new Error(code));
  const { seconds } = details;
  return new CallError(
    code,
    typeof seconds === 'number' ? { ...details, seconds: wholeSeconds(seconds) } : details,
    faults,
  );
}

function tableOf(answer: IncomingMessage): NodeJS.ReadableStream {
  if (!String(answer.headers['content-type']).startsWith('text/csv')) {
    answer.destroy();
    throw new HostProblem('differs', new Error('no table'));
  }
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > MAX_TABLE_BYTES ? new Error('the table has no end') : null, chunk);
    },
  });
  return pipeline(answer, bounded, () => {});
}
