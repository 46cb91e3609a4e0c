import process from 'node:process';
import type { z } from 'zod';

/** Messages of a parent process to a forked child. */
export type ToChild = { readonly type: 'configure'; readonly config: unknown } | { readonly type: 'stop' };

/** Responses of the child to `configure`. */
export type FromChild =
  | { readonly type: 'ready'; readonly info: unknown }
  | { readonly type: 'failed'; readonly message: string; readonly code: string };

/** A running child. */
export type RunningChild<Info> = {
  /** Sent to the parent once all servers listen. */
  readonly info: Info;
  /** Shuts down in order; the process exits when the promise resolves. */
  close(): Promise<void>;
};

/** Time for an orderly shutdown, after which the child exits. */
const CLOSE_TIMEOUT_MS = 4_000;

/**
 * Runs a forked process: waits for its configuration, starts it, reports the result, and ends it on `stop` or when the parent
 * has ended.
 *
 * Ctrl-C sends SIGINT to all processes of a terminal. The child ignores it, because the parent stops its children in order.
 *
 * @param child.configSchema parses what the parent sent
 * @param child.start starts the child; an error with a string `code` is reported under that code, any other as `failed`
 */
export function runChild<Schema extends z.ZodType, Info>(child: {
  configSchema: Schema;
  start(config: z.output<Schema>): Promise<RunningChild<Info>>;
}): void {
  // `send` is undefined when a user started the program. It is disconnected when the parent died while the program loaded.
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
      starting.then(({ info }) => report({ type: 'ready', info }), fail);
    }
  });

  function report(answer: FromChild): void {
    // The parent may be about to exit. `disconnect` then ends this process.
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
