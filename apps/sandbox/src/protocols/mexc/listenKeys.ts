import { randomBytes } from 'node:crypto';
import { mexcError } from './errors.ts';

const VALID_MS = 60 * 60_000;
const MAX_KEYS = 60;
const CONNECTIONS_PER_KEY = 5;

/** Why a connection with a listen key is rejected. */
export type KeyRejection = 'unknown' | 'crowded';

type Entry = { until: number; connections: Map<object, () => void> };

/** The listen keys of the account: created and renewed over REST, used by connections to the account stream. */
export class ListenKeys {
  readonly #keys = new Map<string, Entry>();

  /** Creates a key that is valid for an hour. @throws MexcError when there are 60 */
  create(now: number): string {
    this.expire(now);
    if (this.#keys.size >= MAX_KEYS) throw mexcError.listenKeys();
    const key = randomBytes(32).toString('hex');
    this.#keys.set(key, { until: now + VALID_MS, connections: new Map() });
    return key;
  }

  valid(now: number): string[] {
    this.expire(now);
    return [...this.#keys.keys()];
  }

  /** Extends a key by an hour from now. @throws MexcError when there is no such key */
  extend(key: string, now: number): void {
    this.expire(now);
    const entry = this.#keys.get(key);
    if (!entry) throw mexcError.listenKey();
    entry.until = now + VALID_MS;
  }

  /** Closes a key and its connections. @throws MexcError when there is no such key */
  close(key: string, now: number): void {
    this.expire(now);
    if (!this.#keys.has(key)) throw mexcError.listenKey();
    this.#end(key);
  }

  /**
   * Registers a connection of a key.
   *
   * @param onEnd is called when the key ends before the connection does
   * @returns why it is rejected, or undefined
   */
  connect(key: string, connection: object, onEnd: () => void, now: number): KeyRejection | undefined {
    this.expire(now);
    const entry = this.#keys.get(key);
    if (!entry) return 'unknown';
    if (entry.connections.size >= CONNECTIONS_PER_KEY) return 'crowded';
    entry.connections.set(connection, onEnd);
    return undefined;
  }

  disconnect(key: string, connection: object): void {
    this.#keys.get(key)?.connections.delete(connection);
  }

  /** Closes expired keys and their connections. */
  expire(now: number): void {
    for (const [key, { until }] of this.#keys) if (now >= until) this.#end(key);
  }

  #end(key: string): void {
    const entry = this.#keys.get(key);
    this.#keys.delete(key);
    for (const onEnd of entry?.connections.values() ?? []) onEnd();
  }
}
