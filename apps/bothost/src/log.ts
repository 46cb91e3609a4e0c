import { type Logger, pino } from 'pino';

export type { Logger };

/** The log of one process, as lines of JSON. Secrets are not logged: nothing that holds one is given to it. */
export function openLog(name: string, level: string): Logger {
  return pino({ name, level, base: { process: name }, redact: ['secret', 'headers.authorization', '*.secret'] });
}
