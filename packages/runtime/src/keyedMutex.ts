/** A mutex per key: actions on one key run one after another, in the order of the calls; keys do not wait for each other. */
export interface KeyedMutex<Key = string> {
  /** Runs `action` once every earlier holder of `key` is done, whether it succeeded or failed. @returns what `action` returns */
  run<Result>(key: Key, action: () => Promise<Result>): Promise<Result>;
  /** Waits for `key` and holds it. @returns releases the key; further calls of it do nothing */
  acquire(key: Key): Promise<() => void>;
  /** Whether a caller holds `key` or waits for it. */
  isLocked(key: Key): boolean;
}

/** Creates a mutex with no key held. Its keys take no memory while they are free. */
export function createKeyedMutex<Key = string>(): KeyedMutex<Key> {
  /** The promise that resolves when the last holder of a key has released it. */
  const released = new Map<Key, Promise<void>>();

  async function acquire(key: Key): Promise<() => void> {
    const before = released.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    released.set(key, promise);
    await before;
    return () => {
      if (released.get(key) === promise) released.delete(key);
      resolve();
    };
  }

  return {
    acquire,
    async run(key, action) {
      const release = await acquire(key);
      try {
        return await action();
      } finally {
        release();
      }
    },
    isLocked: (key) => released.has(key),
  };
}
