import { Window } from '../binance/rateLimits.ts';
import { usdmError } from './errors.ts';

const MINUTE_MS = 60_000;
const BAN_MS = 2 * MINUTE_MS;
/** A client is banned after this many rejections with 429 in one minute. */
const REJECTIONS_BEFORE_BAN = 60;

/** The limits of exchangeInfo. */
export const RATE_LIMITS = [
  { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 },
  { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 1200 },
  { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 300 },
] as const;

const [WEIGHT, MINUTE, TEN_SECONDS] = RATE_LIMITS;

/** The usage of all clients of the sandbox. They share one address and one account. */
export class RateLimits {
  readonly #weight = new Window(MINUTE_MS);
  readonly #rejected = new Window(MINUTE_MS);
  readonly #minute = new Window(MINUTE_MS);
  readonly #tenSeconds = new Window(10_000);
  #bannedUntil = 0;

  /** Counts a request. @throws BinanceError -1003 with status 429, or 418 when the client goes on */
  request(now: number, weight: number): void {
    if (now < this.#bannedUntil) throw this.#banned(now);
    this.#weight.add(now, weight);
    if (this.#weight.count(now) <= WEIGHT.limit) return;
    this.#rejected.add(now, 1);
    if (this.#rejected.count(now) > REJECTIONS_BEFORE_BAN) {
      this.#bannedUntil = now + BAN_MS;
      throw this.#banned(now);
    }
    throw usdmError.weight(WEIGHT.limit, this.#weight.left(now));
  }

  /** Counts an order. @throws BinanceError -1015 with status 429 */
  order(now: number): void {
    if (this.#tenSeconds.count(now) >= TEN_SECONDS.limit) {
      throw usdmError.orders(TEN_SECONDS.limit, '10 SECOND', this.#tenSeconds.left(now));
    }
    if (this.#minute.count(now) >= MINUTE.limit) {
      throw usdmError.orders(MINUTE.limit, '1 MINUTE', this.#minute.left(now));
    }
    this.#tenSeconds.add(now, 1);
    this.#minute.add(now, 1);
  }

  headers(now: number, isOrder: boolean): { [name: string]: string } {
    return {
      'x-mbx-used-weight-1m': String(this.#weight.count(now)),
      ...(isOrder && {
        'x-mbx-order-count-10s': String(this.#tenSeconds.count(now)),
        'x-mbx-order-count-1m': String(this.#minute.count(now)),
      }),
    };
  }

  #banned(now: number) {
    return usdmError.banned(this.#bannedUntil, Math.max(1, Math.ceil((this.#bannedUntil - now) / 1000)));
  }
}
