import { randomBytes } from 'node:crypto';
import { usdmError } from './errors.ts';

/** Lifetime of a key after it was created or last kept alive. */
const LIFE_MS = 60 * 60_000;

/** The key of the account stream. There is one at a time, and a restart drops it. */
export class ListenKeys {
  #key: string | undefined;
  #until = 0;

  /** Creates a key, or keeps the existing one alive. */
  make(now: number): string {
    if (this.#key === undefined || now >= this.#until) this.#key = randomBytes(48).toString('base64url');
    this.#until = now + LIFE_MS;
    return this.#key;
  }

  /** @throws BinanceError -1125 when there is none */
  keepAlive(now: number): string {
    if (this.#key === undefined || now >= this.#until) throw usdmError.listenKey();
    this.#until = now + LIFE_MS;
    return this.#key;
  }

  close(): void {
    this.#key = undefined;
  }

  /** The key that gets events; undefined when there is none. */
  get current(): string | undefined {
    return this.#key;
  }

  /** Drops the key when its lifetime is over. @returns the dropped key */
  expire(now: number): string | undefined {
    if (this.#key === undefined || now < this.#until) return undefined;
    const key = this.#key;
    this.#key = undefined;
    return key;
  }
}
