import { randomBytes } from 'node:crypto';
import { usdmError } from './errors.ts';

/** A key lives this long after it was made or last kept alive. */
const LIFE_MS = 60 * 60_000;

/** The key of the account's stream. There is one at a time, and a restart forgets it, as clients must expect. */
export class ListenKeys {
  #key: string | undefined;
  #until = 0;

  /** Makes a key, or keeps the one alive that there is. */
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

  /** The key that events go to; undefined when there is none. */
  get current(): string | undefined {
    return this.#key;
  }

  /** Forgets a key whose time is over. @returns it */
  expire(now: number): string | undefined {
    if (this.#key === undefined || now < this.#until) return undefined;
    const key = this.#key;
    this.#key = undefined;
    return key;
  }
}
