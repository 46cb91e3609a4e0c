import { type Logger, pino } from 'pino';

export type { Logger };

/** Opens the log of one process, in JSON lines. Callers must not log secrets; some fields are redacted in addition. */
export function openLog(name: string, level: string): Logger {
  return pino({ name, level, base: { process: name }, redact: ['secret', 'headers.authorization', '*.secret'] });
}
