import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { redactApiTokens } from './apiTokenForm.ts';
import { SECRET_FIELDS } from './secretFields.ts';

/** Headers, and secrets of message providers. */
const OTHER_SECRETS = ['authorization', 'cookie', 'accessKeySecret', 'authToken'];

/**
 * Creates the log. Requests are logged without their query, fields with names of secrets are redacted, and database
 * errors lose their parameters.
 *
 * @param destination standard output by default
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

/** Time for which lines are collected before a write. */
const WRITE_DELAY_MS = 20;

/**
 * Writes collected lines to standard output, because a write takes longer than making a line. Writes the rest when the
 * process ends.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false });
  let lines = '';
  function flush(): void {
    output.write(lines);
    lines = '';
  }
  process.on('exit', () => {
    flush();
    output.flushSync();
  });
  return {
    write(line) {
      if (lines === '') setTimeout(flush, WRITE_DELAY_MS);
      lines += line;
    },
  };
}

/** Returns the path of a request without its query and without one-time tokens. */
export function describePath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const plain = decoded(path);
  if (SIGNAL.test(plain)) return '/signal/[redacted]';
  return redactApiTokens(SETUP.test(plain) ? '/setup/[redacted]' : path).slice(0, 300);
}

/** Addresses of signals and set-up links contain a secret, also behind a host or a wrong prefix. */
const SIGNAL = /\/signal\//i;
const SETUP = /\/setup\//i;

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // The router rejects it, but a client may have sent a secret.
    return path.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  }
}

/** Fastify logs a request in some of its own lines. */
function describeRequest({ method, url }: FastifyRequest): object {
  return { method, path: describePath(url) };
}

function describeReply({ statusCode }: FastifyReply): object {
  return { status: statusCode };
}

/** drizzle adds the parameters of a failed query to its message and stack, so the cause is logged instead. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'a value that is no error was thrown' };
  const logged = 'params' in error && error.cause instanceof Error ? error.cause : error;
  const code = 'code' in logged ? { code: String(logged.code) } : {};
  const cause = logged instanceof CallError && logged.cause !== undefined ? { cause: describeError(logged.cause) } : {};
  return { type: logged.name, message: logged.message, stack: logged.stack, ...code, ...cause };
}
