import { createBackoff } from '@heron/runtime/backoff.ts';
import { ExchangeRefused, ExchangeUnreachable } from '../errors.ts';

/** A listen key is valid for an hour after each renewal. */
const RENEW_MS = 20 * 60_000;
/** Pauses after renewals that failed. They leave time for several attempts before the key expires. */
const RENEW_RETRY = { minMs: 5_000, maxMs: 300_000 };

/** The calls about listen keys. */
export interface ListenKeyCalls {
  /** Returns the valid listen keys of the account. */
  listenKeys(): Promise<string[]>;
  newListenKey(): Promise<string>;
  renew(listenKey: string): Promise<void>;
  deleteKey(listenKey: string): Promise<void>;
}

/** The listen key of one account stream. It is renewed as long as the stream is open, whatever its connections do. */
export interface ListenKey {
  /** Returns the key, and creates one when there is none. @throws ExchangeError */
  get(): Promise<string>;
  /** Deletes the key, so that the next connection uses another one. */
  forget(): void;
  /** Deletes the key, also one that is being created, and renews nothing any more. */
  close(): Promise<void>;
}

interface UsedKey {
  readonly text: string;
  /** Whether this stream has created the key, and deletes it. */
  readonly ours: boolean;
}

/** @param onRefused is called when the venue refuses to renew the key. Another one is created by the next `get`. */
export function openListenKey(calls: ListenKeyCalls, onRefused: () => void): ListenKey {
  let used: UsedKey | null = null;
  let creating: Promise<string> | null = null;
  let renewal: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function create(): Promise<string> {
    const created = await calls.newListenKey().then(
      (text) => ({ text, ours: true }),
      async (error: unknown) => {
        // An account has sixty keys. The keys of killed processes stay valid for an hour and can be used.
        const [text] = error instanceof ExchangeRefused ? await calls.listenKeys() : [];
        if (text === undefined) throw error;
        return { text, ours: false };
      },
    );
    if (isClosed) {
      await remove(created);
      throw new ExchangeUnreachable('mexc', 'the account stream was closed');
    }
    used = created;
    renewLater(created, RENEW_MS, createBackoff(RENEW_RETRY));
    return created.text;
  }

  function renewLater(key: UsedKey, delayMs: number, backoff: ReturnType<typeof createBackoff>): void {
    clearTimeout(renewal);
    renewal = setTimeout(() => {
      calls.renew(key.text).then(
        () => {
          if (used !== key) return;
          backoff.reset();
          renewLater(key, RENEW_MS, backoff);
        },
        (error: unknown) => {
          if (used !== key) return;
          if (error instanceof ExchangeRefused) {
            forget();
            onRefused();
          } else renewLater(key, backoff.nextMs(), backoff);
        },
      );
    }, delayMs);
  }

  /** Deletes a key of this stream. Otherwise each attempt would use up one of the account's sixty keys. */
  async function remove({ text, ours }: UsedKey): Promise<void> {
    if (ours) await calls.deleteKey(text).catch(() => {});
  }

  async function removeUsed(): Promise<void> {
    clearTimeout(renewal);
    const removed = used;
    used = null;
    if (removed !== null) await remove(removed);
  }

  function forget(): void {
    void removeUsed();
  }

  return {
    async get() {
      if (used !== null) return used.text;
      // During a replacement two connections may need a key.
      creating ??= create().finally(() => {
        creating = null;
      });
      return creating;
    },
    forget,
    async close() {
      isClosed = true;
      await removeUsed();
    },
  };
}
