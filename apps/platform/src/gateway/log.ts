import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { SECRET_FIELDS } from './secretFields.ts';

/** Of requests and of the services that send messages. */
const OTHER_SECRETS = ['authorization', 'cookie', 'accessKeySecret', 'authToken'];

/**
 * The log. Requests are written by `describePath` without their query; whatever slips through under the name of a secret is
 * replaced, and errors of the database lose the values that were sent to it.
 *
 * @param destination standard output unless a test listens
 */
export function createLog(level: string, destination?: DestinationStream): FastifyBaseLogger {
  const paths = [...SECRET_FIELDS, ...OTHER_SECRETS].flatMap((field) => [
    field,
    `*.${field}`,
    `*.*.${field}`,
    `*.*["${field}"]`,
  ]);
  const options = {
    level,
    base: { room: 'platform' },
    redact: { paths: [...new Set(paths)], censor: '[redacted]' },
    serializers: { err: describeError, error: describeError, req: describeRequest, res: describeReply },
  };
  return pino(options, destination ?? standardOutput());
}

/** Lines wait so long for company. */
const LINES_WAIT_MS = 20;

/**
 * Standard output. Lines of the same moment are one write: a busy server answers thousands of requests a second, and handing a
 * write on takes longer than making a line. What waits is written when the process ends.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false });
  let lines = '';
  function pass(): void {
    output.write(lines);
    lines = '';
  }
  process.on('exit', () => {
    pass();
    output.flushSync();
  });
  return {
    write(line) {
      if (lines === '') setTimeout(pass, LINES_WAIT_MS);
      lines += line;
    },
  };
}

/** Path of a request as it may be logged: no query, and no one-time token. */
export function describePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.replace(/^\/setup\/.*/, '/setup/[redacted]').slice(0, 300);
}

/** Fastify names a request in some of its own lines. */
function describeRequest({ method, url }: FastifyRequest): object {
  return { method, path: describePath(url) };
}

function describeReply({ statusCode }: FastifyReply): object {
  return { status: statusCode };
}

/** drizzle puts the parameters of a failed query into its message and stack: its cause says enough. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'a value that is no error was thrown' };
  const told = 'params' in error && error.cause instanceof Error ? error.cause : error;
  const code = 'code' in told ? { code: String(told.code) } : {};
  const cause = told instanceof CallError && told.cause !== undefined ? { cause: describeError(told.cause) } : {};
  return { type: told.name, message: told.message, stack: told.stack, ...code, ...cause };
}
