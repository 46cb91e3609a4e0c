import type { IncomingMessage } from 'node:http';
import { pipeline, Transform } from 'node:stream';
import { CallError, ERRORS, errorBody } from '@heron/contract/http/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wholeSeconds } from '../../gateway/limits.ts';
import { readBody } from '../readBody.ts';
import { type HostConnections, HostProblem, readJsonResponse } from './hostConnections.ts';
import type { PairedHostRecord } from './pairedHosts.ts';
import { findBotCall } from './pairedTarget.ts';
import { translateResponse } from './translateIds.ts';

/** Candles of a backtest are some hundred kilobytes. */
const MOST_BYTES = 8 * 1_048_576;
const MOST_TABLE_BYTES = 256 * 1_048_576;
/** An exchange there may have to be asked, or its worker started. */
const PATIENCE_MS = 40_000;
const TABLE_MS = 300_000;
const MOST_MESSAGE = 2_000;

/** What callers are told when a bot host does not answer as it should. */
function pairedProblem({ name }: PairedHostRecord, { state }: HostProblem): CallError {
  return new CallError(state === 'differs' ? 'host_differs' : 'host_away', { host: name });
}

/**
 * Sends a call on to a paired bot host and what it answers back, after that was looked at: what a machine of somebody answers
 * is as little to be believed as what a browser sends.
 *
 * @param path as the bot host knows it
 * @throws CallError `host_away`, `host_differs`, `keys_stay_there`, `not_found`, `too_large`, or what the bot host says
 */
export async function forwardToHost(
  lines: HostConnections,
  paired: PairedHostRecord,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const call = findBotCall(request.method, path);
  if (call === null) throw new CallError('not_found');
  if (call === 'addKey') throw new CallError('keys_stay_there');
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
      const table = await lines.request(paired.endpoint, { ...asked, timeoutMs: TABLE_MS });
      if (table.statusCode === 401) throw new HostProblem('refused');
      if (table.statusCode !== 200)
        throw refusalOf({ status: table.statusCode ?? 0, body: await readJsonResponse(table, MOST_BYTES) });
      return reply.type('text/csv; charset=utf-8').send(tableOf(table));
    }
    const answer = await lines.requestJson(paired.endpoint, { ...asked, timeoutMs: PATIENCE_MS }, MOST_BYTES);
    if (answer.status !== 200) throw refusalOf(answer);
    return reply.send(translateResponse(paired.id, call, answer.body));
  } catch (error) {
    if (!(error instanceof HostProblem)) throw error;
    request.log.info(
      { id: request.id, host: paired.id, why: error.state, err: error.cause },
      'a paired bot host fails',
    );
    throw pairedProblem(paired, error);
  }
}

/**
 * Reads something of a paired bot host, to decide about a call that is to be sent there.
 *
 * @returns what it answers, or null when that cannot be read: what decides must then assume the worst
 * @throws CallError `host_away`
 */
export async function readFromHost(lines: HostConnections, paired: PairedHostRecord, path: string): Promise<unknown> {
  try {
    const { body } = await lines.requestJson(
      paired.endpoint,
      { method: 'GET', path, timeoutMs: PATIENCE_MS },
      MOST_BYTES,
    );
    return body;
  } catch (error) {
    if (!(error instanceof HostProblem)) throw error;
    if (error.state === 'differs') return null;
    throw pairedProblem(paired, error);
  }
}

/** An error of the contract as the bot host told it. */
function refusalOf({ status, body }: { status: number; body: unknown }): Error {
  const read = errorBody.safeParse(body);
  if (!read.success) return new HostProblem('differs', new Error(`it answered ${status}`));
  const { code, details = {}, faults = [] } = read.data.error;
  // Only codes that we know too; those about us ourselves are not for callers.
  if (!Object.hasOwn(ERRORS, code) || ERRORS[code].status === 401) return new HostProblem('differs', new Error(code));
  if (JSON.stringify({ details, faults }).length > MOST_MESSAGE)
    return new HostProblem('differs', new Error('too long'));
  // Faults of its own are not ours.
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
      done(bytes > MOST_TABLE_BYTES ? new Error('the table has no end') : null, chunk);
    },
  });
  return pipeline(answer, bounded, () => {});
}
