import process from 'node:process';
import type { z } from 'zod';

/** What a parent process says to a child that it forked, one message each. */
export type ToChild = { readonly type: 'configure'; readonly config: unknown } | { readonly type: 'stop' };

/** What the child answers to `configure`. */
export type FromChild =
  | { readonly type: 'ready'; readonly info: unknown }
  | { readonly type: 'failed'; readonly message: string; readonly code: string };

/** What a running child gives back. */
export type RunningChild<Info> = {
  /** Told to the parent once everything listens. */
  readonly info: Info;
  /** Ends orderly; the process exits when it resolves. */
  close(): Promise<void>;
};

/** A child that cannot end orderly in this time is ended. */
const CLOSE_TIMEOUT_MS = 4_000;

/**
 * The life of a forked process: waits for its configuration, starts, reports, and ends when the parent says so or is gone.
 *
 * Ctrl-C reaches every process of a terminal at once; the child ignores it, because the parent knows the right order.
 *
 * @param child.configSchema parses what the parent sent
 * @param child.start begins the work; an error with a string `code` is reported under that code, any other as `failed`
 */
export function runChild<Schema extends z.ZodType, Info>(child: {
  configSchema: Schema;
  start(config: z.output<Schema>): Promise<RunningChild<Info>>;
}): void {
  // Undefined: a person started it. Disconnected: the parent has died while this program was being loaded.
  if (process.send === undefined || !process.connected) {
    process.stderr.write('This program is started by "heron start" and needs its configuration from there.\n');
    process.exit(2);
  }
  let starting: Promise<RunningChild<Info>> | null = null;
  let closing = false;

  async function end(): Promise<void> {
    if (closing) return;
    closing = true;
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
    const running = await starting?.catch(() => null);
    await running?.close();
    process.exit(0);
  }

  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => void end());
  process.on('disconnect', () => void end());
  process.on('message', (message: ToChild) => {
    if (message.type === 'stop') void end();
    else if (message.type === 'configure' && starting === null) {
      starting = (async () => child.start(child.configSchema.parse(message.config)))();
      starting.then(({ info }) => tell({ type: 'ready', info }), fail);
    }
  });

  function tell(answer: FromChild): void {
    // The parent may be going at this moment; `disconnect` ends this process then.
    if (process.connected) process.send?.(answer, () => {});
  }

  function fail(error: unknown): void {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
    const message = error instanceof Error ? error.message : String(error);
    if (process.env.HERON_DEBUG === '1') console.error(error);
    if (!process.connected) process.exit(1);
    process.send?.({ type: 'failed', message, code } satisfies FromChild, () => process.exit(1));
  }
}
