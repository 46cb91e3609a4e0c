/** A request to stop, by the user, the system or the parent process. */
export type StopRequest = {
  /** Resolves at the first request. */
  readonly requested: Promise<void>;
  /** Resolves at the second one: do not wait for anything. */
  readonly insisted: Promise<void>;
};

/** One Ctrl-C arrives up to three times: from the terminal, from npm, and from the script that npm runs. */
const SAME_KEYPRESS_MS = 500;

/** Listens for Ctrl-C, SIGTERM, a closed terminal, and the death of the script that started this process. */
export function listenForStop(): StopRequest {
  const requested = Promise.withResolvers<void>();
  const insisted = Promise.withResolvers<void>();
  let firstAt: number | null = null;
  const onWish = () => {
    firstAt ??= Date.now();
    requested.resolve();
    if (Date.now() - firstAt > SAME_KEYPRESS_MS) insisted.resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onWish);
  process.once('disconnect', () => requested.resolve());
  process.channel?.unref();
  return { requested: requested.promise, insisted: insisted.promise };
}
